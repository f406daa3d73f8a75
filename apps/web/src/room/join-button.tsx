import { useT } from "../i18n/use-t.ts";
import { useRoom } from "../ui/warren-context.tsx";

/** The state of a running join: its button label, and a line if a member must act. */
export function useJoiningWords(): { readonly label: string; readonly line: string | null } {
  const t = useT();
  const room = useRoom();
  if (room.status !== "connecting") return { label: "", line: null };
  const { roomId, isWaiting } = room;
  return isWaiting
    ? { label: t("arrival.waitingToBeLetIn"), line: t("arrival.waitingToBeLetInLine", { room: roomId }) }
    : { label: t("arrival.joining", { room: roomId }), line: null };
}
