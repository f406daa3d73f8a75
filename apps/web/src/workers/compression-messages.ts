import type { Bytes } from "@warren/core";
import { integer, v } from "@warren/protocol";

const bytes = v.custom<Bytes>((value) => value instanceof Uint8Array);
const id = integer(0);

/** A request to a compression thread; without a zstd level it uses deflate. */
export const compressionRequestSchema = v.object({ id, bytes, zstdLevel: v.nullable(integer()) });

/** The reply; null if compressing failed. */
export const compressionAnswerSchema = v.object({
  id,
  packed: v.nullable(v.object({ bytes, encoding: v.picklist(["deflate", "zstd"]) })),
});
