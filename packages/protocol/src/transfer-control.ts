import { type Decoded, decodeFrame, encodeFrame } from "./decode.ts";
import { limits } from "./limits.ts";
import { rangesSchema } from "./ranges.ts";
import { listUpTo, textUpTo, unionBy, v } from "./schema.ts";

/** The subprotocol of the data channels that carry a file's blocks; their labels are `{fid}-{n}`. */
export const transferChannelProtocol = "transfer";

/** JSON text on a transfer channel, beside the binary blocks. */
export const transferControlSchema = unionBy("type", [
  /** The receiver requests these chunks. `encodings` lists those it reads besides plain and deflate, such as "zstd". */
  v.object({
    type: v.literal("request-content"),
    ranges: rangesSchema,
    encodings: v.optional(listUpTo(textUpTo(16), 16)),
  }),
  /** The receiver has these chunks and verified their digests. */
  v.object({ type: v.literal("received"), ranges: rangesSchema }),
  /** From the sender: all requested chunks are sent. From the receiver: the file is stored and its root matches. */
  v.object({ type: v.literal("complete"), root: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)) }),
]);
export type TransferControl = v.InferOutput<typeof transferControlSchema>;

/** @returns a control frame; or `frame-too-large`, `frame-not-json` or `frame-invalid` */
export function decodeTransferControl(frame: unknown): Decoded<TransferControl> {
  return decodeFrame(transferControlSchema, frame, limits.peerFrameBytes);
}

/** @throws WarrenError `frame-too-large`. */
export function encodeTransferControl(control: TransferControl): string {
  return encodeFrame(control, limits.peerFrameBytes);
}
