import type { ClientId, ErrorDescription, FileDescription, MessageId, RoomTag } from "@warren/protocol";
import { type Offer, reloadedOffer } from "../transfer/offer-state.ts";

/** The conversation of the room we are in. */
export const everyone = "everyone";

/** A conversation: with one client, with everyone in the room we are in, or with everyone in another room. */
export type ConversationId = ClientId | typeof everyone | RoomTag;

/** Identifies a message: ids are unique per sender only, so the key includes the sender. */
export type MessageKey = `${ClientId}/${MessageId}`;

/** The delivery state of one of our messages with one recipient. */
export type Delivery =
  /** On its way, or waiting for the recipient to return. */
  | { readonly status: "sending" }
  | { readonly status: "received" }
  | { readonly status: "error"; readonly error: ErrorDescription };

/** What texts and offers have in common. */
export interface MessageHead {
  readonly key: MessageKey;
  readonly id: MessageId;
  readonly conversation: ConversationId;
  /** The sender. */
  readonly client: ClientId;
  /** When it was written, by the sender's clock; ms since the epoch. */
  readonly createdAt: number;
  /** Its position in the conversation by our own clock; ms since the epoch. */
  readonly sortedAt: number;
  /**
   * The client whose storage quota this message counts toward if it is not the sender's: who requested one of ours, or
   * brought one of an author that we have never met.
   */
  readonly countedFor?: ClientId | undefined;
  /** Its number in its author's log, if it is an entry of the room's log, and so signed. */
  readonly entry?: number | undefined;
  /** Who showed it to us, if it was said to everyone before we first came to the room. */
  readonly earlierBy?: ClientId | undefined;
  /** Our own messages: one entry per recipient. Received ones: empty. */
  readonly deliveries: Readonly<Record<ClientId, Delivery>>;
  /** Who has reacted with what; somebody who took all of it back has none. */
  readonly reactions?: Readonly<Record<ClientId, Reaction>> | undefined;
  /** Its text, or the list of its tree, is stored in a record of its own. */
  readonly bodyApart?: true | undefined;
  /** Which of our changes of it a client has not got yet. */
  readonly unsentChanges?: Readonly<Record<ClientId, readonly ChangeKind[]>> | undefined;
}

/** What a reader cannot rely on: nobody signed it, or its author's id signed another text in its place as well. */
export type Doubt = "unsigned" | "forked";

/** A person's reactions to a message, since this time by that person's clock. */
export interface Reaction {
  readonly emoji: readonly string[];
  readonly at: number;
}

/** What can be done to a message after it was written. */
export type ChangeKind = "edit" | "delete" | "react";

/** A text message. */
export interface TextMessage extends MessageHead {
  readonly type: "text";
  readonly data: string;
  /** The message that it answers, as its author says; it may be unknown here, or of another conversation. */
  readonly quote?: MessageKey | undefined;
  /** When its author last edited it, by the author's clock. */
  readonly edited?: number | undefined;
  /** Its author deleted it for everybody: nothing of what was written is left. */
  readonly deleted?: true | undefined;
  /** Of a text to everyone. */
  readonly doubt?: Doubt | undefined;
  /** It was sent for our clipboard. Its sender keeps no such message, so it can be neither answered nor changed. */
  readonly clipboard?: true | undefined;
}

/** An offered file or tree of files. */
export interface FileMessage extends MessageHead {
  readonly type: "file";
  readonly file: FileDescription;
  /** The contents of a tree, if sent with the offer; see `readManifest`. */
  readonly manifest?: string | undefined;
  /** Ours only: identifies the file without reading all of it; see `sampleOf`. */
  readonly sample?: string | undefined;
  /** Its digest, which the bytes have to match, if its sender said; of ours once it was read. */
  readonly root?: string | undefined;
  /** The offer to everyone that this is given for, by a member that is not its author; see `FileSearch`. */
  readonly original?: MessageKey | undefined;
  /** Ours only: we took it back as a whole, also from those to whom it comes later. */
  readonly withdrawn?: true | undefined;
  /** A thumbnail as a data URL, if the file has one; redrawn here if received. */
  readonly thumbnail?: string | undefined;
  /** The offer to each client that the bytes go to (ours), or from the one they come from (received). */
  readonly offers: Readonly<Record<ClientId, Offer>>;
}

/**
 * A call that is over. Each side keeps its own: nothing of it travels, and nobody can name it. Its sender is who called if we missed
 * it, so that it counts as unread, and else we ourselves.
 */
export interface CallMessage extends MessageHead {
  readonly type: "call";
  readonly caller: ClientId;
  readonly video: boolean;
  /** `missed` is one of another person that we did not answer, `unanswered` one of ours. */
  readonly outcome: "ended" | "declined" | "unanswered" | "missed";
  /** Of one that `ended`; else 0. */
  readonly durationMs: number;
}

/** A message that travels. */
export type SentMessage = TextMessage | FileMessage;

/** A message of a conversation, as shown and stored. */
export type ChatMessage = SentMessage | CallMessage;

/** The message's status, taken over all recipients; a received message is `received`. */
export function statusOf(message: ChatMessage): Delivery["status"] {
  const deliveries = Object.values(message.deliveries);
  if (deliveries.some((delivery) => delivery.status === "error")) return "error";
  return deliveries.some((delivery) => delivery.status === "sending") ? "sending" : "received";
}

/** Whether a recipient has not got a message yet: unsent, or not acknowledged in time. */
export function isPending(delivery: Delivery | undefined): boolean {
  return delivery?.status === "sending" || isLate(delivery);
}

/** Whether a message was not acknowledged in time; it is sent again on the next connection. */
export function isLate(delivery: Delivery | undefined): boolean {
  return delivery?.status === "error" && delivery.error.code === "send-timeout";
}

/** The key of a message. */
export function messageKeyOf(client: ClientId, id: MessageId): MessageKey {
  return `${client}/${id}`;
}

/** The sender and the id of a message with this key. */
export function messageNameOf(key: MessageKey): { readonly client: ClientId; readonly id: MessageId } {
  const [client = "", id = ""] = key.split("/");
  return { client, id };
}

/** The id of the message that shows an entry: the same for everybody, and in the order of an author's entries. */
export function entryMessageId(n: number, hash: string): MessageId {
  return `${String(n).padStart(10, "0")}-${hash}`;
}

/** The hash in an {@link entryMessageId}. */
export function entryHashOf(id: MessageId): string {
  return id.slice(11);
}

/** The number in an {@link entryMessageId}; null if it is the id of another message. */
export function entryNumberOf(id: MessageId): number | null {
  return /^\d{10}-/.test(id) ? Number(id.slice(0, 10)) : null;
}

/** A message right after a page load. */
export function reloaded(message: ChatMessage, selfId: ClientId): ChatMessage {
  if (message.type !== "file") return message;
  const side = message.client === selfId ? "sender" : "receiver";
  const offers = Object.entries(message.offers).map(([peer, offer]) => [peer, reloadedOffer(offer, side)]);
  return { ...message, offers: Object.fromEntries(offers) };
}
