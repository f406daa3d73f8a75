import type { ChatMessage } from "./message.ts";

/** Nothing is under way in a page that has just loaded; an offer nobody has answered stays an offer. */
export function pausedAfterReload(message: ChatMessage): ChatMessage {
  if (message.type !== "file") return message;
  const transfers = Object.entries(message.transfers).map(([peer, state]) => [
    peer,
    state.status === "transferring" || (state.status === "paused" && state.by === "peer")
      ? { status: "paused" as const, by: "absence" as const }
      : state,
  ]);
  return { ...message, transfers: Object.fromEntries(transfers) };
}
