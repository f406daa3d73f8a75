import { useT } from "../../i18n/use-t.ts";
import { useRoomStatus, useWarren } from "../../wiring/warren-context.ts";
import { useRoomName } from "../room-name.ts";
import { useRoomActions } from "../use-room-actions.ts";
import { JoinButton } from "./join-button.tsx";
import { JoinProblemField } from "./join-problem-field.tsx";
import { useElsewhere } from "./use-elsewhere.ts";
import { usePasswordDraft } from "./use-password-draft.ts";
import { useWaitingLine } from "./use-waiting-line.ts";

/** The button to rejoin the room, below the people list of a phone; renders nothing inside a room, or while another tab is in it. */
export function JoinBar() {
  const t = useT();
  const { profile: profiles } = useWarren();
  const name = useRoomName();
  const status = useRoomStatus();
  const { join } = useRoomActions();
  const draft = usePasswordDraft();
  const waitingLine = useWaitingLine();
  const isElsewhere = useElsewhere() !== null;
  if (status === "connected" || isElsewhere) return null;
  const isConnecting = status === "connecting";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const change = draft.change();
        if (change === null || isConnecting) return;
        profiles.update(change);
        void join();
      }}
      className="flex flex-col gap-3 border-t border-line p-4 pb-[max(16px,env(safe-area-inset-bottom))]"
    >
      <JoinProblemField draft={draft} />
      <p role="status" className="text-compact text-text-2 empty:hidden">
        {waitingLine}
      </p>
      <JoinButton type="submit">{t("arrival.title", { room: name })}</JoinButton>
    </form>
  );
}
