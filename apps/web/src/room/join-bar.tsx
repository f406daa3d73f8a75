import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { LeafSpinner } from "../ui/spinner.tsx";
import { useProfile, useRoom, useWarren } from "../ui/warren-context.tsx";
import { JoinByLinkButton } from "./join-by-link-button.tsx";
import { JoinProblemField, usePasswordDraft } from "./join-problem-field.tsx";
import { useJoiningWords } from "./use-joining-words.ts";
import { useRoomActions } from "./use-room-actions.ts";

/** The button to rejoin the room, below the people list of a phone; renders nothing inside a room. */
export function JoinBar() {
  const t = useT();
  const { profile: profiles } = useWarren();
  const { roomId } = useProfile();
  const { status } = useRoom();
  const { join } = useRoomActions();
  const draft = usePasswordDraft();
  const joining = useJoiningWords();
  if (status === "connected") return null;
  const connecting = status === "connecting";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const change = draft.change();
        if (change === null || connecting) return;
        profiles.update(change);
        void join();
      }}
      className="flex flex-col gap-3 border-t border-line p-4 pb-[max(16px,env(safe-area-inset-bottom))]"
    >
      <JoinProblemField draft={draft} />
      <p role="status" className="text-compact text-text-2 empty:hidden">
        {joining.line}
      </p>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        loading={connecting}
        loadingMark={<LeafSpinner size={16} />}
        className="w-full"
      >
        {connecting ? joining.label : t("arrival.title", { room: roomId })}
      </Button>
      {!connecting && <JoinByLinkButton />}
    </form>
  );
}
