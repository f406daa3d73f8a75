import {
  clientIdSchema,
  type ErrorCode,
  fileDescriptionSchema,
  isErrorCode,
  laneIdSchema,
  z,
} from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

/** Names a run on both sides of the wire. */
const run = z.int().check(z.gte(0));
const bytes = z.number().check(z.gte(0));
const root = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const error = z.object({
  code: z.custom<ErrorCode>((value) => typeof value === "string" && isErrorCode(value)),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
/** SHA-256 by chunk. */
const leaves = z.map(
  z.int().check(z.gte(0)),
  z.custom<Bytes>((value) => value instanceof Uint8Array),
);
const channel = z.custom<RTCDataChannel>(
  (value) => typeof value === "object" && value !== null && "bufferedAmount" in value,
);

/** What a page tells the worker that moves bytes for it. Channels and files come along as they are. */
export const hostMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("send"),
    run,
    peerId: clientIdSchema,
    description: fileDescriptionSchema,
    place: z.enum(["page", "storage"]),
    root: z.nullable(root),
    /** Names the source: a file that was chosen again is another one. */
    source: z.int(),
    earlier: leaves,
    channels: z.array(channel).check(z.maxLength(8)),
    options: z.object({
      blockSize: z.int(),
      bufferedAmountLowThreshold: z.int(),
      compressionLevel: z.int(),
    }),
  }),
  /** The bytes of a file that is sent. */
  z.object({ type: z.literal("source"), run, blob: z.nullable(z.instanceof(Blob)) }),
  z.object({
    type: z.literal("receive"),
    run,
    description: fileDescriptionSchema,
    /** Whether the stored bytes are known to match their digests. */
    trusted: z.boolean(),
  }),
  z.object({ type: z.literal("channel"), run, channel, lane: z.nullable(laneIdSchema) }),
  z.object({ type: z.literal("leave-lane"), run, lane: laneIdSchema, isLost: z.boolean() }),
  /** The page noted that a file is whole, or could not. */
  z.object({ type: z.literal("kept"), run, error: z.nullable(error) }),
  z.object({ type: z.literal("close"), run }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;

/** What the worker tells the page of each run. */
export const runEventSchema = z.discriminatedUnion("type", [
  /** The file is open: channels may come. */
  z.object({ type: z.literal("receiving"), run, bytes }),
  /** The file could not be opened. */
  z.object({ type: z.literal("refused"), run, error }),
  z.object({ type: z.literal("open"), run }),
  /** A channel of a file that is received closed while others are left. */
  z.object({ type: z.literal("channel-closed"), run }),
  z.object({ type: z.literal("channels-closed"), run }),
  z.object({ type: z.literal("progress"), run, bytes }),
  /** Chunks that were read for sending since the last time. */
  z.object({ type: z.literal("leaves"), run, leaves }),
  z.object({ type: z.literal("finishing"), run }),
  z.object({ type: z.literal("merging"), run, share: z.number() }),
  /** The bytes are whole; the worker waits for `kept`. */
  z.object({ type: z.literal("finished"), run, root }),
  z.object({ type: z.literal("complete"), run }),
  z.object({ type: z.literal("error"), run, error }),
  /** The last of a run; `trusted` is null where nothing was received. */
  z.object({ type: z.literal("closed"), run, bytes, trusted: z.nullable(z.boolean()) }),
]);
export type RunEvent = z.infer<typeof runEventSchema>;
