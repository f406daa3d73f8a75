import { useT } from "../../i18n/use-t.ts";
import { useRoom } from "../../wiring/warren-context.ts";

/** The line about a member having to admit us; null if nobody has to. */
export function useWaitingLine(): string | null {
  const t = useT();
  const room = useRoom();
  if (room.status !== "connecting" || !room.isWaiting) return null;
  return t("arrival.waitingToBeLetInLine", { room: room.roomId });
}
