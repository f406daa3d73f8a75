import { type ChatMessage, everyone, type Peer, type RoomMembers } from "@warren/core";
import type { ClientId, ErrorDescription } from "@warren/protocol";
import { deliverySummary, lacksChange, type OfferOutcomes, outcomesOfAll } from "./delivery.ts";
import { showsPicture } from "./message-rules.ts";

/** What one recipient has of my message. */
export type Receipt =
  | "received"
  | "sending"
  /** Gets it once it is back. */
  | "waits"
  /** Is away and never gets it. */
  | "not-received"
  /** Is here with a version that never gets an edit or a deletion. */
  | "shows-no-changes";

/** Who has my text, who of those it was sent to, and who gets it once they are back. */
export interface TextReceipts {
  readonly kind: "text-receipts";
  readonly received: number;
  readonly total: number;
  readonly away: readonly ClientId[];
  readonly receipts: Readonly<Record<ClientId, Receipt>>;
}

/** Each recipient's outcomes for the files that were offered together. */
export interface FileReceipts {
  readonly kind: "file-receipts";
  readonly outcomes: OfferOutcomes;
  /** Whether cards show what became of them. */
  readonly hasCard: boolean;
}

/** What the line under my message says of its delivery. */
export type ReceiptView =
  | { readonly kind: "nothing" }
  | { readonly kind: "not-sent"; readonly error: ErrorDescription }
  /** Nobody got it in time. */
  | { readonly kind: "nobody" }
  | { readonly kind: "nobody-yet" }
  /** To several, and none of them has it. */
  | { readonly kind: "sending-to-several" }
  | { readonly kind: "only-recipient"; readonly clientId: ClientId; readonly receipt: Receipt }
  | TextReceipts
  | FileReceipts;

/** What the receipt of a message depends on besides the message. */
export interface ReceiptFacts {
  readonly peers: Readonly<Record<ClientId, Peer>>;
  /** Those who belong to the room. */
  readonly members: RoomMembers;
  /** What I said to everyone before this entry has no space in the room's log any more. */
  readonly ownFloor: number;
  /** The messages of its group, of which it is the last. */
  readonly group: readonly ChatMessage[];
}

/** The receipt of my message. */
export function receiptView(message: ChatMessage, facts: ReceiptFacts): ReceiptView {
  const summary = deliverySummary(message);
  if (summary.status === "error") return { kind: "not-sent", error: summary.error };
  if (summary.status === "offered") return fileReceipts(message, facts.group);
  const recipients = Object.keys(message.deliveries);
  const [first] = recipients;
  const only = first !== undefined && recipients.length === 1 ? first : null;
  const away = awayFrom(message, facts);
  if (summary.status === "received") {
    const { received, total } = summary;
    if (only !== null && away.length === 0) return onlyRecipient(message, only, facts);
    return textReceipts(message, { received, total, away }, facts);
  }
  // Of a deleted one nothing is left to get.
  const isDeleted = message.type === "text" && message.deleted === true;
  if (isBelowFloor(message, facts)) return { kind: isDeleted ? "nothing" : "nobody" };
  if (summary.status === "sending")
    return only === null ? { kind: "sending-to-several" } : onlyRecipient(message, only, facts);
  if (isDeleted) return { kind: "nothing" };
  if (away.length === 0) return { kind: "nobody-yet" };
  return textReceipts(message, { received: 0, total: 0, away }, facts);
}

function onlyRecipient(message: ChatMessage, clientId: ClientId, facts: ReceiptFacts): ReceiptView {
  return { kind: "only-recipient", clientId, receipt: receiptOf(message, clientId, facts) };
}

function textReceipts(
  message: ChatMessage,
  counts: Pick<TextReceipts, "received" | "total" | "away">,
  facts: ReceiptFacts,
): TextReceipts {
  const ids = [...new Set([...Object.keys(message.deliveries), ...counts.away])];
  const receipts = Object.fromEntries(ids.map((id) => [id, receiptOf(message, id, facts)]));
  return { kind: "text-receipts", ...counts, receipts };
}

/** What a card says already is not said again. */
function fileReceipts(message: ChatMessage, group: readonly ChatMessage[]): ReceiptView {
  const outcomes = outcomesOfAll(group);
  const [first, ...others] = Object.entries(outcomes);
  if (others.length > 0) {
    return { kind: "file-receipts", outcomes, hasCard: !group.every(isShownAsPicture) };
  }
  if (first === undefined || !isShownAsPicture(message)) return { kind: "nothing" };
  const [clientId, ofPerson] = first;
  const isReceived = ofPerson.every((outcome) => outcome === "complete");
  return isReceived ? { kind: "only-recipient", clientId, receipt: "received" } : { kind: "nothing" };
}

function isShownAsPicture(message: ChatMessage): boolean {
  return message.type === "file" && showsPicture(message, true);
}

function receiptOf(message: ChatMessage, id: ClientId, facts: ReceiptFacts): Receipt {
  if (!lacksText(message, id)) return "received";
  const peer = facts.peers[id];
  if (peer?.ready !== true) return isBelowFloor(message, facts) ? "not-received" : "waits";
  return lacksChange(message, id) && peer.profile?.changes !== true ? "shows-no-changes" : "sending";
}

/** Whether a recipient has yet to get the text as it is now. */
function lacksText(message: ChatMessage, peer: ClientId): boolean {
  return message.deliveries[peer]?.status !== "received" || lacksChange(message, peer);
}

/** Whether the room's log has no space for it any more, so that who is not here never gets it. */
function isBelowFloor({ conversation, entry }: ChatMessage, { ownFloor }: ReceiptFacts): boolean {
  return conversation === everyone && entry !== undefined && entry < ownFloor;
}

/** Whoever has not been there for longer is not said to be away. */
const awayForMs = 7 * 24 * 60 * 60 * 1_000;

/** Those of a room who had been met when a message to everyone was written, and get it once they are back. */
function awayFrom(message: ChatMessage, facts: ReceiptFacts): readonly ClientId[] {
  const isInLog = message.conversation === everyone && message.entry !== undefined;
  if (!isInLog || isBelowFloor(message, facts)) return [];
  const lately = Object.entries(facts.members).filter(
    ([, { metAt, lastSeen }]) => metAt <= message.sortedAt && lastSeen > message.sortedAt - awayForMs,
  );
  return lately.map(([id]) => id).filter((id) => facts.peers[id]?.ready !== true && lacksText(message, id));
}
