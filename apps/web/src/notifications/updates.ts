import {
  type ChatMessage,
  type ChatState,
  type ConversationId,
  everyone,
  type IncomingRing,
  type SentMessage,
  type TransferSnapshot,
  type TransferSnapshots,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { milestoneOf } from "../file-state/transfer-milestone.ts";

/** Something that happened that a person may want to know of. */
export type Update =
  | { readonly kind: "message" | "offer"; readonly message: SentMessage }
  | { readonly kind: "received" | "sent" | "failed"; readonly transfer: TransferSnapshot }
  | { readonly kind: "call" | "missed-call"; readonly ring: IncomingRing }
  /** Somebody asks to be let into the room. */
  | { readonly kind: "join-request"; readonly clientId: ClientId };

export type UpdateKind = Update["kind"];

/** Whom an update comes from. */
export function senderOf(update: Update): ClientId {
  if ("message" in update) return update.message.client;
  if ("ring" in update) return update.ring.from;
  return "transfer" in update ? update.transfer.peerId : update.clientId;
}

/** The conversation that an update belongs to. */
export function conversationOf(update: Update, state: ChatState): ConversationId {
  if ("message" in update) return update.message.conversation;
  if ("ring" in update) return update.ring.toRoom ? everyone : update.ring.from;
  return "transfer" in update ? conversationOfTransfer(update.transfer, state) : everyone;
}

/** The conversation with the last message about a transfer's file; that of the peer if none is in memory. */
function conversationOfTransfer(
  { fid, peerId }: TransferSnapshot,
  { conversations }: ChatState,
): ConversationId {
  const isAbout = (message: ChatMessage): boolean =>
    message.type === "file" && message.file.fid === fid && Object.hasOwn(message.offers, peerId);
  if (conversations[peerId]?.messages.some(isAbout)) return peerId;
  const found = Object.entries(conversations).find(([, conversation]) =>
    conversation?.messages.some(isAbout),
  );
  return found?.[0] ?? peerId;
}

/** The transfers that ended between two states. */
export function endedTransfers(before: TransferSnapshots, now: TransferSnapshots): readonly Update[] {
  return [...now.values()].flatMap((transfer): readonly Update[] => {
    const former = before.get(transfer.key);
    const milestone = former === transfer ? null : milestoneOf(former, transfer);
    if (milestone === "failed") return [{ kind: "failed", transfer }];
    if (milestone !== "complete") return [];
    return [{ kind: transfer.mode === "receive" ? "received" : "sent", transfer }];
  });
}
