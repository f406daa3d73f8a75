import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { useRoomStatus, useWarren } from "../../wiring/warren-context.ts";
import { useRoomName } from "../room-name.ts";
import { useRoomActions } from "../use-room-actions.ts";
import { JoinButton } from "./join-button.tsx";
import { JoinProblemField } from "./join-problem-field.tsx";
import { useElsewhere } from "./use-elsewhere.ts";
import { usePasswordDraft } from "./use-password-draft.ts";
import { useWaitingLine } from "./use-waiting-line.ts";

const barClass = "flex flex-col gap-3 border-t border-line p-4 pb-[max(16px,env(safe-area-inset-bottom))]";

/** The button to rejoin the room, or to take it over from another tab, below the people list of a phone; renders nothing inside a room. */
export function JoinBar() {
  const t = useT();
  const { profile: profiles } = useWarren();
  const name = useRoomName();
  const status = useRoomStatus();
  const { join } = useRoomActions();
  const draft = usePasswordDraft();
  const waitingLine = useWaitingLine();
  const elsewhere = useElsewhere();
  if (status === "connected") return null;
  if (elsewhere !== null) {
    return (
      <div className={barClass}>
        <p className="wrap-anywhere text-balance text-center">
          {t("connection.elsewhere", { room: elsewhere })}
        </p>
        <Button variant="primary" size="lg" onClick={() => void join()}>
          {t("connection.useHere")}
        </Button>
      </div>
    );
  }
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
      className={barClass}
    >
      <JoinProblemField draft={draft} />
      <p role="status" className="text-compact text-text-2 empty:hidden">
        {waitingLine}
      </p>
      <JoinButton type="submit">{t("arrival.title", { room: name })}</JoinButton>
    </form>
  );
}
