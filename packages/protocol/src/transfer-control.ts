import { type Decoded, decodeFrame, encodeFrame } from "./decode.ts";
import { limits } from "./limits.ts";
import { rangesSchema } from "./ranges.ts";
import { z } from "./schema.ts";

/** The subprotocol of the data channels that carry a file's blocks; their labels are `{fid}-{n}`. */
export const transferChannelProtocol = "transfer";

/** JSON text on a transfer channel, beside the binary blocks. */
export const transferControlSchema = z.discriminatedUnion("type", [
  /** The receiver requests these chunks. `encodings` lists those it reads besides plain and deflate, such as "zstd". */
  z.object({
    type: z.literal("request-content"),
    ranges: rangesSchema,
    encodings: z.optional(z.array(z.string().check(z.maxLength(16))).check(z.maxLength(16))),
  }),
  /** The receiver has these chunks and verified their digests. */
  z.object({ type: z.literal("received"), ranges: rangesSchema }),
  /** From the sender: all requested chunks are sent. From the receiver: the file is stored and its root matches. */
  z.object({ type: z.literal("complete"), root: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
]);
export type TransferControl = z.infer<typeof transferControlSchema>;

/** @returns a control frame; or `frame-too-large`, `frame-not-json` or `frame-invalid` */
export function decodeTransferControl(frame: unknown): Decoded<TransferControl> {
  return decodeFrame(transferControlSchema, frame, limits.peerFrameBytes);
}

/** @throws WarrenError `frame-too-large`. */
export function encodeTransferControl(control: TransferControl): string {
  return encodeFrame(control, limits.peerFrameBytes);
}
