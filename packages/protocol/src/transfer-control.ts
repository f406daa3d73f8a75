import { type Decoded, decodeFrame, encodeFrame } from "./decode.ts";
import { limits } from "./limits.ts";
import { rangesSchema } from "./ranges.ts";
import { z } from "./schema.ts";

/** The subprotocol of a data channel that carries a file's blocks; its label is `{fileId}-{n}`. */
export const transferChannelProtocol = "transfer";

/** JSON text on a transfer channel, beside the binary blocks. */
export const transferControlSchema = z.discriminatedUnion("type", [
  /** The receiver asks for these chunks. Beside plain and deflated ones it reads those of `encodings`, as "zstd". */
  z.object({
    type: z.literal("request-content"),
    ranges: rangesSchema,
    encodings: z.optional(z.array(z.string().check(z.maxLength(16))).check(z.maxLength(16))),
  }),
  /** The receiver has these chunks, and their digests are right. */
  z.object({ type: z.literal("received"), ranges: rangesSchema }),
  /**
   * From the sender: everything asked for is sent, and `root` is the file's digest.
   * From the receiver: everything is stored and `root` was found equal.
   */
  z.object({ type: z.literal("complete"), root: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
]);
export type TransferControl = z.infer<typeof transferControlSchema>;

/** @returns a control frame, or a typed error. */
export function decodeTransferControl(frame: unknown): Decoded<TransferControl> {
  return decodeFrame(transferControlSchema, frame, limits.peerFrameBytes);
}

/** @throws WarrenError `frame-too-large`. */
export function encodeTransferControl(control: TransferControl): string {
  return encodeFrame(control, limits.peerFrameBytes);
}
