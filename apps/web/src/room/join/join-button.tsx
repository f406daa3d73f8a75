import { useT } from "../../i18n/use-t.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { LeafSpinner } from "../../ui/spinner.tsx";
import { useRoom } from "../../wiring/warren-context.ts";

/** The button that joins or opens a room; it shows that joining is under way. */
export function JoinButton({ children, ...props }: ButtonProps) {
  const t = useT();
  const room = useRoom();
  const joining =
    room.status === "connecting" &&
    (room.isWaiting ? t("arrival.waitingToBeLetIn") : t("arrival.joining", { room: room.roomId }));
  return (
    <Button
      variant="primary"
      size="lg"
      loading={joining !== false}
      loadingMark={<LeafSpinner size={16} />}
      className="w-full"
      {...props}
    >
      {joining || children}
    </Button>
  );
}
