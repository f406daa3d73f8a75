import {
  type ClientId,
  clientIdSchema,
  decodeValue,
  displayNameSchema,
  type ErrorCode,
  entryNumberSchema,
  fileDescriptionSchema,
  finiteNumber,
  isErrorCode,
  messageIdSchema,
  type RoomTag,
  recordOf,
  roomTagSchema,
  thumbnailSchema,
  timestampSchema,
  unionBy,
  v,
} from "@warren/protocol";
import type { StoredRecord } from "../ports/record-storage.ts";
import { isCancelled, isTurnedDown, type Offer, plainStates } from "../transfer/offer-state.ts";
import type { Contact, StorageUsage } from "./chat-state.ts";
import type { ConversationNames } from "./conversation-names.ts";
import { awaitsAnybody } from "./file-entry.ts";
import {
  type ChatMessage,
  type ConversationId,
  everyone,
  isPending,
  type MessageKey,
  messageKeyOf,
  messageNameOf,
} from "./message.ts";

/** Group names in record storage. */
export const groups = {
  contacts: "contacts",
  reads: "reads",
  storageUsage: "intakes",
  layout: "layout",
} as const;

/**
 * The groups of a conversation, by its stored name: settled messages, which are loaded in pages, and unsent texts and open offers, which
 * are always loaded, because a returning client continues with them. Beside them are the long bodies of all of these.
 */
export function conversationGroups(id: ConversationId) {
  return {
    ...{ settled: `messages/${id}`, unsent: `unsent/${id}`, files: `files/${id}` },
    bodies: `bodies/${id}`,
  } as const;
}

/** The stored name of the conversation of a group, or null. */
export function conversationOfGroup(group: string): ConversationId | null {
  return /^(?:messages|unsent|files)\/(.+)$/.exec(group)?.[1] ?? null;
}

/**
 * Marks the storage layout in which unsent texts and open offers have their own groups and every message about a file
 * is found by it. An earlier layout had all messages about files in one group; the first had no mark and no groups.
 * `everyoneIs` is the room of the conversation that is stored as `everyone`: the only one that earlier versions had.
 * `acceptanceReviewed` says that no contact counts as accepted for having been met in a room.
 */
export function layoutRecord(everyoneIs: RoomTag): StoredRecord {
  return {
    key: "layout",
    group: groups.layout,
    order: 0,
    value: { groupsByKind: true, filesBySubject: true, everyoneIs, acceptanceReviewed: true },
  };
}

const errorSchema = v.object({
  code: v.custom<ErrorCode>((code) => typeof code === "string" && isErrorCode(code)),
  values: recordOf(v.string(), v.union([v.string(), finiteNumber])),
});
const deliverySchema = unionBy("status", [
  v.object({ status: v.literal("sending") }),
  v.object({ status: v.literal("received") }),
  v.object({ status: v.literal("error"), error: errorSchema }),
]);
const again = v.optional(v.literal(true));
const offerSchema = unionBy("state", [
  v.object({ state: v.picklist(plainStates) }),
  // Of earlier versions.
  v.object({
    state: v.pipe(
      v.literal("absent"),
      v.transform(() => "accepted" as const),
    ),
  }),
  v.object({ state: v.literal("complete"), already: again }),
  v.object({ state: v.picklist(["withdrawn", "givenUp"]), askedAgain: again, offeredAgain: again }),
  v.object({ state: v.literal("failed"), error: errorSchema }),
]);

/** Earlier versions stored the state of a transfer, in the words of their protocol. */
const formerOfferSchema = v.pipe(
  unionBy("status", [
    v.object({ status: v.picklist(["init", "transferring", "complete"]), already: again }),
    v.object({
      status: v.literal("paused"),
      by: v.picklist(["me", "peer", "absence", "source", "storage", "queue", "turn"]),
    }),
    v.object({ status: v.literal("error"), error: errorSchema }),
  ]),
  v.transform((former): Offer => {
    if (former.status === "paused") return { state: formerPauses[former.by] };
    if (former.status === "complete") return { state: "complete", ...(former.already && { already: true }) };
    if (former.status !== "error") return { state: former.status === "init" ? "offered" : "accepted" };
    const { code, values } = former.error;
    // Those who had set a limit answered with the second.
    if (code === "transfer-declined" || code === "file-too-large") return { state: "declined" };
    if (code !== "transfer-cancelled") return { state: "failed", error: former.error };
    return {
      state: values.by === "receiver" ? "givenUp" : "withdrawn",
      ...(values.askedAgain === 1 && { askedAgain: true }),
      ...(values.offeredAgain === 1 && { offeredAgain: true }),
    };
  }),
);
const formerPauses = {
  me: "pausedHere",
  peer: "pausedThere",
  absence: "accepted",
  source: "needsSource",
  storage: "needsSpace",
  queue: "queuedThere",
  turn: "accepted",
} as const;

const messageKeySchema = v.pipe(
  v.custom<MessageKey>((key) => typeof key === "string"),
  v.check((key) => {
    const { client, id } = messageNameOf(key);
    return v.is(clientIdSchema, client) && v.is(messageIdSchema, id) && key === messageKeyOf(client, id);
  }),
);
const conversationSchema = v.union([v.literal(everyone), clientIdSchema, roomTagSchema]);
const reactionSchema = v.object({ emoji: v.array(v.string()), at: timestampSchema });
const base = {
  id: messageIdSchema,
  conversation: conversationSchema,
  client: clientIdSchema,
  createdAt: timestampSchema,
  sortedAt: timestampSchema,
  countedFor: v.optional(clientIdSchema),
  entry: v.optional(entryNumberSchema),
  earlierBy: v.optional(clientIdSchema),
  deliveries: recordOf(clientIdSchema, deliverySchema),
  bodyApart: v.optional(v.literal(true)),
  reactions: v.optional(recordOf(clientIdSchema, reactionSchema)),
  unsentChanges: v.optional(recordOf(clientIdSchema, v.array(v.picklist(["edit", "delete", "react"])))),
};
const storedMessageSchema = unionBy("type", [
  v.object({
    ...base,
    type: v.literal("text"),
    data: v.string(),
    doubt: v.optional(v.picklist(["unsigned", "forked"])),
    quote: v.optional(messageKeySchema),
    edited: v.optional(timestampSchema),
    deleted: v.optional(v.literal(true)),
    clipboard: v.optional(v.literal(true)),
  }),
  v.object({
    ...base,
    type: v.literal("file"),
    file: fileDescriptionSchema,
    manifest: v.optional(v.string()),
    sample: v.optional(v.string()),
    root: v.optional(v.string()),
    original: v.optional(messageKeySchema),
    withdrawn: v.optional(v.literal(true)),
    thumbnail: thumbnailSchema,
    offers: v.optional(recordOf(clientIdSchema, offerSchema)),
    // Of earlier versions.
    transfers: v.optional(recordOf(clientIdSchema, formerOfferSchema)),
  }),
  v.object({
    ...base,
    type: v.literal("call"),
    caller: clientIdSchema,
    video: v.boolean(),
    outcome: v.picklist(["ended", "declined", "unanswered", "missed"]),
    // Earlier versions stored fractions.
    durationMs: v.pipe(v.number(), v.finite(), v.minValue(0), v.transform(Math.round)),
  }),
]);
/** Records of earlier versions lack the later fields; these get a stranger's values. */
const storedContactSchema = v.object({
  clientId: clientIdSchema,
  name: displayNameSchema,
  avatar: v.nullable(v.string()),
  proven: v.fallback(v.boolean(), false),
  standing: v.fallback(v.picklist(["unverified", "invited", "verified", "blocked"]), "unverified"),
  autoAccept: v.fallback(v.boolean(), false),
  clipboardAllowed: v.fallback(v.boolean(), false),
  blockedByHand: v.fallback(v.optional(v.boolean()), undefined),
  // Earlier versions told strangers met nearby from those that were accepted.
  nearby: v.fallback(v.optional(v.union([v.literal(true), v.picklist(["stranger", "answered"])])), undefined),
  accepted: v.fallback(v.optional(v.boolean()), undefined),
  muted: v.fallback(v.boolean(), false),
  redirect: v.fallback(v.boolean(), false),
  createdAt: timestampSchema,
});
const storedUsageSchema = v.object({
  client: clientIdSchema,
  bytes: timestampSchema,
  // Earlier versions did not store it.
  roomBytes: v.fallback(timestampSchema, 0),
  refusedIn: v.array(conversationSchema),
});
const storedBodySchema = v.object({ body: v.string() });
const apartSchema = v.object({ bodyApart: v.literal(true) });
const headSchema = v.object({ head: v.looseObject({}) });
const storedReadSchema = v.object({ readUntil: timestampSchema });
const storedLayoutSchema = v.object({
  filesBySubject: v.literal(true),
  everyoneIs: v.fallback(v.optional(roomTagSchema), undefined),
  acceptanceReviewed: v.fallback(v.optional(v.literal(true)), undefined),
});

/** Whether a message is loaded in pages: nothing of it waits for anybody, unless somebody asks for its file again. */
export function isSettled(message: ChatMessage): boolean {
  if (Object.values(message.deliveries).some(isPending) || message.unsentChanges !== undefined) return false;
  if (message.type !== "file") return true;
  return !awaitsAnybody(message) && Object.values(message.offers).every(isSettledOffer);
}

function isSettledOffer(offer: Offer): boolean {
  // A question whether to offer it again is still open.
  if (isCancelled(offer) && offer.askedAgain) return false;
  return offer.state === "complete" || isTurnedDown(offer.state);
}

function groupOf(message: ChatMessage, stored: ConversationId): string {
  const { settled, unsent, files } = conversationGroups(stored);
  if (isSettled(message)) return settled;
  return message.type === "file" ? files : unsent;
}

/** What the records of a client's clipboard texts are about. */
export function clipboardSubject(client: ClientId): string {
  return `clipboard/${client}`;
}

/**
 * A message as a record, without a body that has a record of its own. Such a one is a field of its record, so that earlier versions,
 * which know of no bodies apart, leave it out: shown empty, it would be stored without its body after its next change there.
 */
export function messageRecord(message: ChatMessage, names: ConversationNames): StoredRecord {
  const { key, ...shown } = message.bodyApart ? withBody(message, "") : message;
  const conversation = names.toStored(message.conversation);
  const head = { ...shown, conversation };
  const value = message.bodyApart ? { head } : head;
  const subject =
    message.type === "file"
      ? { subject: message.file.fid }
      : message.type === "text" && message.clipboard && { subject: clipboardSubject(message.client) };
  return { key, group: groupOf(message, conversation), order: message.sortedAt, ...subject, value };
}

/** From this length on the body of a message has a record of its own: a reaction, or a receipt, does not write it again. */
const apartFrom = 2_048;

/** The long part of a message, which only an edit or a deletion changes. */
export function bodyOf(message: ChatMessage): string {
  if (message.type === "call") return "";
  return message.type === "text" ? message.data : (message.manifest ?? "");
}

function withBody(message: ChatMessage, body: string): ChatMessage {
  if (message.type === "call") return message;
  return message.type === "text" ? { ...message, data: body } : { ...message, manifest: body };
}

/** A message that says whether its body is stored apart. */
export function placed(message: ChatMessage): ChatMessage {
  const isApart = bodyOf(message).length >= apartFrom;
  if (isApart === (message.bodyApart === true)) return message;
  const { bodyApart: _, ...whole } = message;
  return isApart ? { ...whole, bodyApart: true } : whole;
}

/** The key of {@link bodyRecord}. */
export function bodyKeyOf(key: MessageKey): string {
  return `body/${key}`;
}

/** The body of a message as a record. */
export function bodyRecord(message: ChatMessage, names: ConversationNames): StoredRecord {
  const group = conversationGroups(names.toStored(message.conversation)).bodies;
  const value = { body: bodyOf(message) };
  return { key: bodyKeyOf(message.key), group, order: message.sortedAt, value };
}

/** What a {@link bodyRecord} holds; null if it does not pass its schema. */
export function parseBody(record: StoredRecord | undefined): string | null {
  const decoded = decodeValue(storedBodySchema, record?.value);
  return decoded.ok ? decoded.value.body : null;
}

/** The message in a {@link messageRecord}, unchecked. */
export function headOf({ value }: StoredRecord): unknown {
  return v.is(headSchema, value) ? value.head : value;
}

/** Whether the body of a stored message has a record of its own. */
export function isBodyApart(record: StoredRecord): boolean {
  return v.is(apartSchema, headOf(record));
}

/** The mark of the present layout, {@link layoutRecord}, or null for that of an earlier one. */
export function parseLayout(record: StoredRecord): v.InferOutput<typeof storedLayoutSchema> | null {
  const decoded = decodeValue(storedLayoutSchema, record.value);
  return decoded.ok ? decoded.value : null;
}

/**
 * Parses a stored message; null if it does not pass its schema (an older or damaged record).
 * @param body the one that it has apart, if any
 */
export function parseMessage(
  record: StoredRecord,
  names: ConversationNames,
  body: string | null = null,
): ChatMessage | null {
  const head = parseHead(record, names);
  if (!head?.bodyApart) return head;
  return body === null ? null : withBody(head, body);
}

function parseHead(record: StoredRecord, names: ConversationNames): ChatMessage | null {
  const decoded = decodeValue(storedMessageSchema, headOf(record));
  if (!decoded.ok) return null;
  const key = messageKeyOf(decoded.value.client, decoded.value.id);
  const conversation = names.toShown(decoded.value.conversation);
  if (decoded.value.type !== "file") return { ...decoded.value, key, conversation };
  const { transfers, ...message } = decoded.value;
  const offers = message.offers ?? transfers;
  return offers === undefined ? null : { ...message, key, conversation, offers };
}

/** A contact as a record. The trust level is stored as `standing`, the name that earlier versions gave it. */
export function contactRecord(contact: Contact): StoredRecord {
  const { trustLevel, ...value } = contact;
  return {
    key: `contact/${contact.clientId}`,
    group: groups.contacts,
    order: contact.createdAt,
    value: { ...value, standing: trustLevel },
  };
}

/**
 * Parses a stored contact; null if it does not pass its schema. A contact that never showed a key has no permissions.
 */
export function parseContact(record: StoredRecord): Contact | null {
  const decoded = decodeValue(storedContactSchema, record.value);
  if (!decoded.ok) return null;
  const { standing: trustLevel, nearby, accepted = nearby === "answered", ...stored } = decoded.value;
  const contact = { ...stored, accepted, ...(nearby && { nearby: true as const }) };
  if (contact.proven) return { ...contact, trustLevel };
  const unproven = { autoAccept: false, clipboardAllowed: false } as const;
  return { ...contact, ...unproven, trustLevel: trustLevel === "blocked" ? trustLevel : "unverified" };
}

/** The record of how far a conversation was read, by `sortedAt`. */
export function readRecord(stored: ConversationId, readUntil: number): StoredRecord {
  return { key: `read/${stored}`, group: groups.reads, order: 0, value: { readUntil } };
}

/** Parses a read mark; 0 if it does not pass its schema. */
export function parseReadUntil(record: StoredRecord): number {
  const decoded = decodeValue(storedReadSchema, record.value);
  return decoded.ok ? decoded.value.readUntil : 0;
}

/** The record of how much a client has stored here. */
export function usageRecord(client: string, usage: StorageUsage): StoredRecord {
  return { key: `intake/${client}`, group: groups.storageUsage, order: 0, value: { client, ...usage } };
}

/** Parses a {@link usageRecord}; null if it does not pass its schema. */
export function parseUsage(record: StoredRecord): ({ readonly client: string } & StorageUsage) | null {
  const decoded = decodeValue(storedUsageSchema, record.value);
  return decoded.ok ? decoded.value : null;
}
