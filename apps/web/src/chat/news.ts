import type { ChatMessage, ChatState, TransferSnapshot } from "@warren/core";
import { fileStateOfTransfer, fileStates } from "../file-state/file-state.ts";

/** The messages added to a conversation's end between two states of the store. */
export function newMessages(before: ChatState, now: ChatState): readonly ChatMessage[] {
  if (!before.loaded) return [];
  return Object.entries(now.conversations).flatMap(([id, conversation]) => {
    const known = before.conversations[id];
    if (conversation === undefined || conversation === known) return [];
    const lastKey = known?.messages.at(-1)?.key;
    const from = conversation.messages.findLastIndex((message) => message.key === lastKey) + 1;
    const isShorter = known !== undefined && conversation.messages.length <= known.messages.length;
    return isShorter ? [] : conversation.messages.slice(from);
  });
}

/** Transfer events that are announced. */
export type Milestone =
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly fraction: number }
  | { readonly kind: "complete" }
  | { readonly kind: "failed" };

const quarters = [0.75, 0.5, 0.25];

function quarterOf({ transferredBytes, totalBytes }: TransferSnapshot): number {
  const fraction = totalBytes === 0 ? 0 : transferredBytes / totalBytes;
  return quarters.find((quarter) => fraction >= quarter) ?? 0;
}

/** The announced event between two states of a transfer; null if there is none. */
export function milestoneOf(before: TransferSnapshot | undefined, now: TransferSnapshot): Milestone | null {
  const { status } = now.state;
  if (status !== before?.state.status) {
    if (status === "complete") return { kind: "complete" };
    // A person's decision is not a failure.
    if (status === "error")
      return fileStates[fileStateOfTransfer(now)].outcome === "failed" ? { kind: "failed" } : null;
    if (status === "transferring" && before?.state.status !== "paused") return { kind: "started" };
  }
  if (before === undefined || status !== "transferring") return null;
  const fraction = quarterOf(now);
  return fraction > quarterOf(before) ? { kind: "progress", fraction } : null;
}
