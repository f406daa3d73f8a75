import { useProfile, useRoom } from "../../components/warren-context.tsx";
import { useRoomActions } from "../../dialogs/use-room-actions.ts";
import { useT } from "../../i18n/use-t.ts";
import { Button } from "../../ui/button.tsx";
import { LeafSpinner } from "../../ui/spinner.tsx";

/** The way back into the room, under the people list of a phone; draws nothing inside a room. */
export function JoinBar() {
  const t = useT();
  const { roomId } = useProfile();
  const { status } = useRoom();
  const { join } = useRoomActions();
  if (status === "connected") return null;
  const connecting = status === "connecting";
  return (
    <div className="border-t border-line p-4 pb-[max(16px,env(safe-area-inset-bottom))]">
      <Button
        variant="primary"
        size="lg"
        loading={connecting}
        loadingMark={<LeafSpinner size={16} />}
        className="w-full"
        onClick={() => void join()}
      >
        {connecting ? t("arrival.joining", { room: roomId }) : t("arrival.title", { room: roomId })}
      </Button>
    </div>
  );
}
