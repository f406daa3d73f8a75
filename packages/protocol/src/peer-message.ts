import { type Decoded, decodeFrame, encodeFrame } from "./decode.ts";
import { type ErrorCode, WarrenError } from "./errors.ts";
import { safeFileName } from "./file-name.ts";
import { clientIdSchema, displayNameSchema, fileIdSchema, laneIdSchema, messageIdSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { mediaSourcesSchema, viewSizeSchema } from "./media.ts";
import { chunkCountOf } from "./ranges.ts";
import { z } from "./schema.ts";
import { signalSchema } from "./signal.ts";
import { cleanLine, cleanText, toWellFormed, utf8Length } from "./text.ts";
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

const textSchema = z
  .string()
  .check(z.refine((text) => utf8Length(text) <= limits.textBytes, { error: "too long" }));
const bodySchema = z.pipe(textSchema, z.transform(toWellFormed));
/** Stripped of terminal control sequences, since it may be pasted unseen. */
const clipboardSchema = z.pipe(textSchema, z.transform(cleanText));

/** `room` marks a message for everyone in the room. */
const scope = z.optional(z.literal("room"));

const rawName = z.string().check(z.maxLength(4_096));
const fileFields = {
  fid: fileIdSchema,
  fileName: z.pipe(rawName, z.transform(safeFileName)),
  /** The name at the sender, for display only. Present if it had to be changed to be safe on every disk. */
  originalName: z.optional(z.pipe(rawName, z.transform(cleanLine))),
  fileSize: z.int().check(z.gte(0)),
  mimeType: mimeTypeSchema,
  lastModified: timestampSchema,
  chunkSize: z.int().check(z.gte(limits.chunkSizeMin), z.lte(limits.chunkSizeMax)),
  /** Present if the bytes are a tree: its manifest, then its files one after the other. */
  tree: z.optional(treeSummarySchema),
};

type Sizes = Pick<z.infer<z.ZodMiniObject<typeof fileFields>>, "fileSize" | "chunkSize" | "tree">;
const fileChecks = [
  z.refine<Sizes>(hasFewEnoughChunks, { error: "too many chunks" }),
  z.refine<Sizes>((file) => contentSizeOf(file) >= 0, { error: "smaller than its manifest" }),
] as const;

/** Describes a file, or a tree of files, before its bytes are sent. Sizes in bytes, times in ms since the epoch. */
export const fileDescriptionSchema = z.object(fileFields).check(...fileChecks);
export type FileDescription = z.infer<typeof fileDescriptionSchema>;

/** The size a person sees, in bytes: that of the file, or of all files of a tree without its manifest. */
export function contentSizeOf({ fileSize, tree }: Pick<FileDescription, "fileSize" | "tree">): number {
  return fileSize - (tree?.manifestSize ?? 0);
}

const offeredManifestSchema = z
  .string()
  .check(z.refine((text) => utf8Length(text) <= limits.offeredManifestBytes, { error: "too long" }));

/** SHA-256 as hex. */
const digestSchema = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const errorValuesSchema = z.pipe(
  // Count keys first: checking each of ten thousand values would take half a second.
  z.unknown().check(z.refine(hasFewKeys, { error: "too many values" })),
  z.record(
    z.string().check(z.regex(/^[a-zA-Z]{1,32}$/)),
    z.union([z.pipe(z.string().check(z.maxLength(256)), z.transform(cleanLine)), z.number()]),
  ),
);

const avatarSchema = z.pipe(
  z.nullable(z.string().check(z.maxLength(limits.avatarBytes))),
  z.transform((url) => (url !== null && safePicture.test(url) ? url : null)),
);

/** The preview of an offered picture. An invalid one is dropped and the offer is kept. */
export const thumbnailSchema = z.catch(
  z.optional(z.string().check(z.maxLength(limits.thumbnailBytes), z.regex(safePicture))),
  undefined,
);

/**
 * All messages of the `message` channel. A new type needs a handler in core's `IncomingMessages`, which does not compile
 * without (an empty one if `PeerSession` or `RoomCall` handles the type), and an example in docs/protocol.md, which a test
 * compares with this. A receiver drops a type it does not know and counts a violation. Clients do not announce which types
 * they know, so a new type needs a new `protocolVersion`, unless it only answers a message or field that earlier versions
 * never send.
 */
export const peerMessageSchema = z.discriminatedUnion("type", [
  z.object({ ...envelope, type: z.literal("send-text"), data: bodySchema, scope }),
  z.object({ ...envelope, type: z.literal("send-clipboard"), data: clipboardSchema }),
  z
    .object({
      ...envelope,
      type: z.literal("send-file"),
      ...fileFields,
      /** The manifest of a tree if it is small enough, for inspection before accepting. */
      manifest: z.optional(offeredManifestSchema),
      /** A digest of some of its bytes; the receiver uses it to find a local file that may be identical. */
      sample: z.optional(digestSchema),
      thumbnail: thumbnailSchema,
      scope,
    })
    .check(...fileChecks),
  /** Requests a file that the other side shares. */
  z.object({ ...envelope, type: z.literal("request-file"), fid: fileIdSchema }),
  /**
   * Acknowledges the message with the same `id`. With `pending`, a file offer arrived and a person has yet to decide; the
   * same message without `pending` accepts it. With `accepted` as well, it was accepted and is queued at the receiver,
   * which sends the message without `pending` when it is ready.
   */
  z.object({
    ...envelope,
    type: z.literal("check-message"),
    pending: z.optional(z.literal(true)),
    accepted: z.optional(z.literal(true)),
  }),
  /** From the recipient: requests the bytes of an offer. From the sender: asks for the recipient's state. */
  z.object({ ...envelope, type: z.literal("resume-file"), fid: fileIdSchema }),
  /** `after` is the last file of the previous page. */
  z.object({ ...envelope, type: z.literal("request-storage"), after: z.optional(fileIdSchema) }),
  z.object({
    ...envelope,
    type: z.literal("storage"),
    data: z.array(fileDescriptionSchema).check(z.maxLength(limits.storageEntries)),
    /** The total number of shared files, and whether another page follows. */
    total: z.optional(z.int().check(z.gte(0))),
    more: z.optional(z.literal(true)),
  }),
  /** The message with the same `id` failed. `code` names an entry of the error catalogue; `values` fill its text. */
  z.object({
    ...envelope,
    type: z.literal("error"),
    error: z.pipe(z.string().check(z.maxLength(limits.errorTextLength)), z.transform(cleanLine)),
    code: z.optional(z.string().check(z.maxLength(64))),
    values: z.optional(errorValuesSchema),
  }),
  /**
   * About the offer with the same `id`. From its receiver: the root of a local file that may be identical. From its
   * sender, in reply: the root of the offered file. If they are equal, no bytes are sent.
   */
  z.object({ ...envelope, type: z.literal("same-file"), root: digestSchema }),
  /** Proves that the connection belongs to the handshake (docs/security.md). The first message of each side. */
  z.object({ ...envelope, type: z.literal("bind"), proof: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) }),
  /** Name and picture of the sender: the second message of each side, sent again on every change. */
  z.object({ ...envelope, type: z.literal("profile"), name: displayNameSchema, avatar: avatarSchema }),
  /**
   * Pauses a transfer. `reason` is `source` while a person at the sender has to choose the file again, or
   * `storage` while the receiver is out of space.
   */
  z.object({
    ...envelope,
    type: z.literal("pause-file"),
    fid: fileIdSchema,
    reason: z.optional(z.enum(["source", "storage"])),
  }),
  z.object({ ...envelope, type: z.literal("cancel-file"), fid: fileIdSchema }),
  /** A person ended the session: the other side does not reconnect automatically. */
  z.object({ ...envelope, type: z.literal("end") }),
  /** The sender's browser cannot apply an offer with the receiver's media: the last message on the connection. */
  z.object({ ...envelope, type: z.literal("media-refused") }),
  /** A signal of a lane, a further connection for blocks only. An offer with a new id opens one. */
  z.object({ ...envelope, type: z.literal("lane-signal"), lane: laneIdSchema, signal: signalSchema }),
  /** Declines or ends a lane: it accepts no more channels, and its connection closes within seconds. */
  z.object({ ...envelope, type: z.literal("lane-close"), lane: laneIdSchema }),
  /** Everything the sender shares in the call. `seq` increases with each list on a connection. */
  z.object({
    ...envelope,
    type: z.literal("media-sources"),
    seq: z.int().check(z.gte(0)),
    sources: mediaSourcesSchema,
  }),
  /** The sizes at which the sender shows the receiver's sources; omitted sources are not shown. */
  z.object({
    ...envelope,
    type: z.literal("view-sizes"),
    sizes: z.array(viewSizeSchema).check(z.maxLength(limits.mediaSources)),
  }),
]);
export type PeerMessage = z.infer<typeof peerMessageSchema>;
export type PeerMessageType = PeerMessage["type"];
export type PeerMessageOf<T extends PeerMessageType> = Extract<PeerMessage, { type: T }>;

/** The error for each missing field of a message about a file; the first issue found decides. */
const missingFieldErrors: ReadonlyMap<string, ErrorCode> = new Map([
  ["fid: invalid_type", "fid-undefined"],
  ["chunkSize: invalid_type", "chunk-size-not-found"],
  ["fileName: invalid_type", "transfer-info-missing"],
  ["fileSize: invalid_type", "transfer-info-missing"],
  ["mimeType: invalid_type", "transfer-info-missing"],
  ["lastModified: invalid_type", "transfer-info-missing"],
]);

/** @returns a message of the peer; or `frame-too-large`, `frame-not-json`, `frame-invalid`, or a missing-field error */
export function decodePeerMessage(frame: unknown): Decoded<PeerMessage> {
  const decoded = decodeFrame(peerMessageSchema, frame, limits.peerFrameBytes);
  const code = decoded.ok ? undefined : missingFieldErrors.get(String(decoded.error.values.issue));
  return code === undefined ? decoded : { ok: false, error: new WarrenError(code) };
}

/** @throws WarrenError `frame-too-large`. */
export function encodePeerMessage(message: PeerMessage): string {
  return encodeFrame(message, limits.peerFrameBytes);
}

function hasFewKeys(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length <= limits.errorValues;
}

function hasFewEnoughChunks(file: { fileSize: number; chunkSize: number }): boolean {
  return chunkCountOf(file.fileSize, file.chunkSize) <= limits.chunksPerFile;
}
