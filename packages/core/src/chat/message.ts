import type { ClientId, ErrorDescription, FileDescription, MessageId } from "@warren/protocol";
import type { TransferStatus } from "../transfer/transfer-state.ts";

/** The room-wide conversation's id. */
export const everyone = "everyone";

/** A conversation: with one client, or with everyone in the room. */
export type ConversationId = ClientId | typeof everyone;

/** Names a message: ids are unique per sender only, so the sender is part of it. */
export type MessageKey = `${ClientId}/${MessageId}`;

/** How a message of ours stands with one recipient. */
export type Delivery =
  /** On its way, or waiting for the recipient to come back. */
  | { readonly status: "sending" }
  | { readonly status: "received" }
  | { readonly status: "error"; readonly error: ErrorDescription };

interface BaseMessage {
  readonly key: MessageKey;
  readonly id: MessageId;
  readonly conversation: ConversationId;
  /** Who sent it. */
  readonly client: ClientId;
  /** When it was written, by the sender's clock; ms since the epoch. */
  readonly createdAt: number;
  /** Its place in the conversation by our own clock; ms since the epoch. */
  readonly sortedAt: number;
  /** Our own messages: one entry per recipient. Received ones: none. */
  readonly deliveries: Readonly<Record<ClientId, Delivery>>;
}

/** A text someone wrote. */
export interface TextMessage extends BaseMessage {
  readonly type: "text";
  readonly data: string;
}

/** A file, or a tree of files, someone offered. */
export interface FileMessage extends BaseMessage {
  readonly type: "file";
  readonly file: FileDescription;
  /** What is in a tree, where it came with the offer; see `readManifest`. */
  readonly manifest?: string | undefined;
  /** Ours: what tells it from others without reading it whole; see `sampleOf`. */
  readonly sample?: string | undefined;
  /** How it looks, where it is a picture or has some: a data URL, redrawn here where it was received. */
  readonly thumbnail?: string | undefined;
  /** How its bytes stand with each client they go to (ours) or come from (received). */
  readonly transfers: Readonly<Record<ClientId, TransferStatus>>;
}

/** A message of a conversation as it is shown and stored. */
export type ChatMessage = TextMessage | FileMessage;

/** SPEC §3's message status, taken over all recipients; a received message is `received`. */
export function statusOf(message: ChatMessage): Delivery["status"] {
  const deliveries = Object.values(message.deliveries);
  if (deliveries.some((delivery) => delivery.status === "error")) return "error";
  return deliveries.some((delivery) => delivery.status === "sending") ? "sending" : "received";
}

/** Whether a recipient has still to get a message: it was not sent yet, or not acknowledged in time. */
export function isPending(delivery: Delivery | undefined): boolean {
  return delivery?.status === "sending" || isLate(delivery);
}

/** Whether a message was not acknowledged in time; it is sent again at the next meeting. */
export function isLate(delivery: Delivery | undefined): boolean {
  return delivery?.status === "error" && delivery.error.code === "send-timeout";
}

/** The key of a message. */
export function messageKeyOf(client: ClientId, id: MessageId): MessageKey {
  return `${client}/${id}`;
}
