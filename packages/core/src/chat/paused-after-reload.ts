import type { ClientId } from "@warren/protocol";
import type { TransferStatus } from "../transfer/transfer-state.ts";
import type { ChatMessage } from "./message.ts";

/** Nothing is under way in a page that has just loaded; an offer nobody has answered stays an offer. */
export function pausedAfterReload(message: ChatMessage, selfId: ClientId): ChatMessage {
  if (message.type !== "file") return message;
  const isMine = message.client === selfId;
  const transfers = Object.entries(message.transfers).map(([peer, state]) => [
    peer,
    isOver(state, isMine) ? { status: "paused" as const, by: "absence" as const } : state,
  ]);
  return { ...message, transfers: Object.fromEntries(transfers) };
}

/** Whether what was told of a transfer no longer holds: the other side says it again when we meet. */
function isOver(state: TransferStatus, isMine: boolean): boolean {
  if (state.status === "transferring") return true;
  if (state.status !== "paused") return false;
  return ["peer", "source", "turn"].includes(state.by) || (state.by === "storage" && isMine);
}
