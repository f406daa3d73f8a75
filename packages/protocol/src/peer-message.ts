import { type Decoded, decodeFrame, encodeFrame } from "./decode.ts";
import { emojiSchema } from "./emoji.ts";
import { type ErrorCode, WarrenError } from "./errors.ts";
import { safeFileName } from "./file-name.ts";
import {
  clientIdSchema,
  displayNameSchema,
  fileIdSchema,
  laneIdSchema,
  messageIdSchema,
  messageNameSchema,
} from "./ids.ts";
import { limits } from "./limits.ts";
import { mediaSourcesSchema, viewSizeSchema } from "./media.ts";
import { permissionsSchema } from "./permissions.ts";
import { chunkCountOf } from "./ranges.ts";
import {
  authorKeySchema,
  entryNumberSchema,
  logEntrySchema,
  logHeadSchema,
  sinceSchema,
} from "./room-log.ts";
import { finiteNumber, integer, listUpTo, recordOf, textUpTo, unionBy, v } from "./schema.ts";
import { signalSchema } from "./signal.ts";
import { cleanLine, cleanText, toWellFormed, utf8Length, writtenOut } from "./text.ts";
import { timestampSchema } from "./timestamp.ts";
import { mimeTypeSchema, treeSummarySchema } from "./tree-summary.ts";

/** A base64 picture whose first bytes match its stated type, so that image decoders receive nothing else. */
const safePicture =
  /^data:image\/(?:png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|webp;base64,UklGR)[A-Za-z0-9+/]*={0,2}$/;

/** The subprotocol and label of the data channel that carries {@link PeerMessage}s. */
export const messageChannelProtocol = "message";

/** The subprotocol and label of the data channel that opens a lane; it carries no messages. */
export const laneChannelProtocol = "lane";

/** The fields of every message. The receiver drops one whose `client` or `target` is not that of the session. */
const envelope = {
  id: messageIdSchema,
  client: clientIdSchema,
  target: clientIdSchema,
  createdAt: timestampSchema,
};

const textSchema = v.pipe(
  v.string(),
  v.check((text) => utf8Length(text) <= limits.textBytes),
);
const bodySchema = v.pipe(textSchema, v.transform(toWellFormed));
/** Stripped of terminal control sequences, since it may be pasted unseen. */
const clipboardSchema = v.pipe(textSchema, v.transform(cleanText));

/** `room` marks a message for everyone in the room. */
const scope = v.optional(v.literal("room"));

const rawName = textUpTo(limits.rawNameLength);
const fileFields = {
  fid: fileIdSchema,
  fileName: v.pipe(rawName, v.transform(safeFileName)),
  /**
   * The name at the sender, for display only, with hidden characters written out. Present if it had to be changed to be safe on
   * every disk.
   */
  originalName: v.optional(v.pipe(rawName, v.transform(writtenOut))),
  fileSize: integer(0),
  mimeType: mimeTypeSchema,
  lastModified: timestampSchema,
  chunkSize: integer(limits.chunkSizeMin, limits.chunkSizeMax),
  /** Present if the bytes are a tree: its manifest, then its files one after the other. */
  tree: v.optional(treeSummarySchema),
  permissions: permissionsSchema,
};

type Sizes = Pick<
  v.InferOutput<v.ObjectSchema<typeof fileFields, undefined>>,
  "fileSize" | "chunkSize" | "tree"
>;

/** Describes a file, or a tree of files, before its bytes are sent. Sizes in bytes, times in ms since the epoch. */
export const fileDescriptionSchema = v.pipe(
  v.object(fileFields),
  v.check((file) => hasPossibleSizes(file)),
);
export type FileDescription = v.InferOutput<typeof fileDescriptionSchema>;

/** The size a person sees, in bytes: that of the file, or of all files of a tree without its manifest. */
export function contentSizeOf({ fileSize, tree }: Pick<Sizes, "fileSize" | "tree">): number {
  return fileSize - (tree?.manifestSize ?? 0);
}

const offeredManifestSchema = v.pipe(
  v.string(),
  v.check((text) => utf8Length(text) <= limits.offeredManifestBytes),
);

/** 32 bytes as base64url. */
const sha256AsBase64url = /^[A-Za-z0-9_-]{43}$/;

/** SHA-256 as hex. */
const digestSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** The preview of an offered picture. An invalid one is dropped and the offer is kept. */
export const thumbnailSchema = v.fallback(
  v.optional(v.pipe(v.string(), v.maxLength(limits.thumbnailBytes), v.regex(safePicture))),
  undefined,
);

const offerFields = {
  ...fileFields,
  /** The manifest of a tree if it is small enough, for inspection before accepting. */
  manifest: v.optional(offeredManifestSchema),
  /** A digest of some of its bytes; the receiver uses it to find a local file that may be identical. */
  sample: v.optional(digestSchema),
  /** The digest of all of it, which other bytes do not have, whoever sends them. */
  root: v.optional(digestSchema),
  thumbnail: thumbnailSchema,
};

/** A file offered to everyone in a room, now and later: the body of an entry of the author's log, as JSON. */
export const fileEntrySchema = v.pipe(
  v.object(offerFields),
  v.check((file) => hasPossibleSizes(file)),
);
export type FileEntry = v.InferOutput<typeof fileEntrySchema>;

const errorValuesSchema = v.pipe(
  // Count keys first: checking each of ten thousand values would take half a second.
  v.unknown(),
  v.check(hasFewKeys),
  recordOf(
    v.pipe(v.string(), v.regex(/^[a-zA-Z]{1,32}$/)),
    v.union([v.pipe(textUpTo(256), v.transform(cleanLine)), finiteNumber]),
  ),
);

const avatarSchema = v.pipe(
  v.nullable(textUpTo(limits.avatarBytes)),
  v.transform((url) => (url !== null && safePicture.test(url) ? url : null)),
);

/**
 * What a profile announces that its sender reads. Receivers drop a type that they do not know and count a violation, so a type that is
 * newer than `protocolVersion` may be sent only to those that announce it: whoever sends one asks `canRead` first.
 */
const announcements = {
  /** The log of the room. */
  roomLog: v.optional(v.literal(true)),
  /** Calls. */
  rings: v.optional(v.literal(true)),
  /** Edits, deletions and reactions, and who is writing. */
  changes: v.optional(v.literal(true)),
  /** `entries` of the sender's own log without `author` and `key`. */
  ownEntries: v.optional(v.literal(true)),
};
const announcementsSchema = v.object(announcements);
export type Announcements = Readonly<v.InferOutput<typeof announcementsSchema>>;

/**
 * All messages of the `message` channel. A new message type needs:
 *
 * - its schema here, with its limits; and a line in `announcedAs` below, unless `protocolVersion` is raised or it only answers a
 *   message or field that earlier versions never send;
 * - for a new announcement, its line in `announcements`, and in `RoomService`'s own profile, which does not compile without;
 * - its row in core's `chat/incoming-messages.ts`, which says what is loaded first and who handles it, and does not compile without;
 * - for tests, which fail without: an example in docs/protocol.md, and a sample in testing/samples.ts for hostile input.
 *
 * Any service sends it with `RoomService.send`, or with `sendInTurn` if it may be large.
 */
export const peerMessageSchema = unionBy("type", [
  v.object({
    ...envelope,
    type: v.literal("send-text"),
    data: bodySchema,
    scope,
    /** The message that it answers. */
    quote: v.optional(messageNameSchema),
  }),
  /** Replaces a text of the sender's; `createdAt` is when, and the latest holds. */
  v.object({ ...envelope, type: v.literal("edit-text"), text: messageIdSchema, data: bodySchema }),
  /** Deletes a text of the sender's. */
  v.object({ ...envelope, type: v.literal("delete-text"), text: messageIdSchema }),
  /** All reactions of the sender to a message; `createdAt` is since when, and the latest hold. */
  v.object({
    ...envelope,
    type: v.literal("react"),
    message: messageNameSchema,
    emoji: listUpTo(emojiSchema, limits.reactionsPerPerson),
  }),
  /** The sender is writing a text. */
  v.object({ ...envelope, type: v.literal("typing"), scope }),
  v.object({ ...envelope, type: v.literal("send-clipboard"), data: clipboardSchema, scope }),
  v.pipe(
    v.object({
      ...envelope,
      type: v.literal("send-file"),
      ...offerFields,
      scope,
    }),
    v.check((file) => hasPossibleSizes(file)),
  ),
  /** Requests a file that the other side shares, or has of the offer that its author made to everyone. */
  v.object({
    ...envelope,
    type: v.literal("request-file"),
    fid: fileIdSchema,
    original: v.optional(messageNameSchema),
  }),
  /**
   * Asks whether the receiver can give a file that somebody else offered to everyone. The file is not named: the receiver may be one
   * who was not given its entry.
   */
  v.object({
    ...envelope,
    type: v.literal("find-file"),
    original: messageNameSchema,
    /** That the sender knows the file's id. */
    proof: v.pipe(v.string(), v.regex(sha256AsBase64url)),
  }),
  /**
   * An answer about the message with the same `id`:
   *
   * - alone: that message is stored; of an offer, it is accepted, and its bytes may come;
   * - with `pending`: the offer is stored, and a person has yet to decide;
   * - with `pending` and `accepted`: it is accepted, and its bytes may not come yet.
   *
   * With `pending` it is itself answered with an error if there is no such message, which tells that the peer reads (credit).
   *
   * About a file it names that too: the ids of messages are also known to some who were not shown them.
   */
  v.object({
    ...envelope,
    type: v.literal("check-message"),
    pending: v.optional(v.literal(true)),
    accepted: v.optional(v.literal(true)),
    fid: v.optional(fileIdSchema),
  }),
  /** From the recipient: requests the bytes of an offer. From the sender: asks for the recipient's state. */
  v.object({ ...envelope, type: v.literal("resume-file"), fid: fileIdSchema }),
  /** `after` is the last file of the previous page. */
  v.object({ ...envelope, type: v.literal("request-storage"), after: v.optional(fileIdSchema) }),
  v.object({
    ...envelope,
    type: v.literal("storage"),
    data: listUpTo(fileDescriptionSchema, limits.storageEntries),
    /** The total number of shared files, and whether another page follows. */
    total: v.optional(integer(0)),
    more: v.optional(v.literal(true)),
  }),
  /** The message with the same `id` failed. `code` names an entry of the error catalogue; `values` fill its text. */
  v.object({
    ...envelope,
    type: v.literal("error"),
    error: v.pipe(textUpTo(limits.errorTextLength), v.transform(cleanLine)),
    code: v.optional(textUpTo(64)),
    values: v.optional(errorValuesSchema),
  }),
  /**
   * About the offer with the same `id`. From its receiver: the root of a local file that may be identical. From its
   * sender, in reply: the root of the offered file. If they are equal, no bytes are sent.
   */
  v.object({ ...envelope, type: v.literal("same-file"), root: digestSchema }),
  /** Proves that the connection belongs to the handshake (docs/security.md). The first message of each side. */
  v.object({
    ...envelope,
    type: v.literal("bind"),
    proof: v.pipe(v.string(), v.regex(sha256AsBase64url)),
  }),
  /** Name and picture of the sender: the second message of each side, sent again on every change. */
  v.object({
    ...envelope,
    type: v.literal("profile"),
    name: displayNameSchema,
    avatar: avatarSchema,
    ...announcements,
  }),
  /** What the sender can give of each author's log, and since when it has known each member; only what has changed. */
  v.object({
    ...envelope,
    type: v.literal("heads"),
    heads: listUpTo(logHeadSchema, limits.logAuthors),
    members: listUpTo(sinceSchema, limits.logAuthors),
    /** What the receiver said before has been lost: it is to say all of it again. */
    again: v.optional(v.literal(true)),
  }),
  /** Requests entries of an author, both numbers included. */
  v.object({
    ...envelope,
    type: v.literal("request-entries"),
    author: clientIdSchema,
    from: entryNumberSchema,
    until: entryNumberSchema,
  }),
  /** Entries of an author: the answer to a request, or unasked what the sender has just written. */
  v.object({
    ...envelope,
    type: v.literal("entries"),
    /** Absent if it is the sender, whose key the handshake has proven. */
    author: v.optional(clientIdSchema),
    /** The author's key; absent also if there are no entries. */
    key: v.optional(authorKeySchema),
    entries: listUpTo(logEntrySchema, limits.entriesPerPage),
    /** More of what was requested is left. */
    more: v.optional(v.literal(true)),
  }),
  /**
   * Pauses a transfer. `reason` is `source` while a person at the sender has to choose the file again, or
   * `storage` while the receiver is out of space.
   */
  v.object({
    ...envelope,
    type: v.literal("pause-file"),
    fid: fileIdSchema,
    reason: v.optional(v.picklist(["source", "storage"])),
  }),
  v.object({ ...envelope, type: v.literal("cancel-file"), fid: fileIdSchema }),
  /** A person ended the session: the other side does not reconnect automatically. */
  v.object({ ...envelope, type: v.literal("end") }),
  /** The sender's browser cannot apply an offer with the receiver's media: the last message on the connection. */
  v.object({ ...envelope, type: v.literal("media-refused") }),
  /** A signal of a lane, a further connection for blocks only. An offer with a new id opens one. */
  v.object({ ...envelope, type: v.literal("lane-signal"), lane: laneIdSchema, signal: signalSchema }),
  /** Declines or ends a lane: it accepts no more channels, and its connection closes within seconds. */
  v.object({ ...envelope, type: v.literal("lane-close"), lane: laneIdSchema }),
  /** Everything the sender shares in the call. `seq` increases with each list on a connection. */
  v.object({
    ...envelope,
    type: v.literal("media-sources"),
    seq: integer(0),
    sources: mediaSourcesSchema,
  }),
  /** The sender calls the receiver, or with a scope everyone in the room. Its `id` names the ring. */
  v.object({ ...envelope, type: v.literal("ring"), video: v.boolean(), scope }),
  /** The answer to the ring with the same `id`. */
  v.object({ ...envelope, type: v.literal("ring-answer"), answer: v.picklist(["join", "decline"]) }),
  /** The sender calls no longer, or has left the call between two, that began with the ring with the same `id`. */
  v.object({ ...envelope, type: v.literal("ring-end") }),
  /** The sizes at which the sender shows the receiver's sources; omitted sources are not shown. */
  v.object({
    ...envelope,
    type: v.literal("view-sizes"),
    sizes: listUpTo(viewSizeSchema, limits.mediaSources),
  }),
]);
export type PeerMessage = v.InferOutput<typeof peerMessageSchema>;
export type PeerMessageType = PeerMessage["type"];
export type PeerMessageOf<T extends PeerMessageType> = Extract<PeerMessage, { type: T }>;

/** The announcement without which a type is not sent. Answers to these are not listed: whoever sent one reads them. */
const announcedAs: Readonly<Partial<Record<PeerMessageType, keyof Announcements>>> = {
  "edit-text": "changes",
  "delete-text": "changes",
  react: "changes",
  typing: "changes",
  ring: "rings",
  heads: "roomLog",
  "request-entries": "roomLog",
  entries: "roomLog",
  "find-file": "roomLog",
};

/** Whether a message of this type may be sent to a client with these announcements. */
export function canRead(type: PeerMessageType, announced: Announcements | null | undefined): boolean {
  const needed = announcedAs[type];
  return needed === undefined || announced?.[needed] === true;
}

/** What a profile announces. */
export function announcementsIn(profile: Announcements): Announcements {
  return v.parse(announcementsSchema, profile);
}

/** The error for each field of a message about a file that is missing or of another type; the first issue decides. */
const missingFieldErrors: ReadonlyMap<string, ErrorCode> = new Map([
  ["fid", "fid-undefined"],
  ["chunkSize", "chunk-size-not-found"],
  ["fileName", "transfer-info-missing"],
  ["fileSize", "transfer-info-missing"],
  ["mimeType", "transfer-info-missing"],
  ["lastModified", "transfer-info-missing"],
]);

/** @returns a message of the peer; or `frame-too-large`, `frame-not-json`, `frame-invalid`, or a missing-field error */
export function decodePeerMessage(frame: unknown): Decoded<PeerMessage> {
  const decoded = decodeFrame(peerMessageSchema, frame, limits.peerFrameBytes);
  const issue = decoded.ok ? "" : String(decoded.error.values.issue);
  const [, field = ""] = /^(\w+): (?:missing|string|number|safe_integer)$/.exec(issue) ?? [];
  const code = missingFieldErrors.get(field);
  return code === undefined ? decoded : { ok: false, error: new WarrenError(code) };
}

/** @throws WarrenError `frame-too-large`. */
export function encodePeerMessage(message: PeerMessage): string {
  return encodeFrame(message, limits.peerFrameBytes);
}

function hasFewKeys(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length <= limits.errorValues;
}

/** Few enough chunks, and a tree is not smaller than its manifest. */
function hasPossibleSizes(file: Sizes): boolean {
  return chunkCountOf(file.fileSize, file.chunkSize) <= limits.chunksPerFile && contentSizeOf(file) >= 0;
}
