import type { Bytes } from "@warren/core";
import { z } from "@warren/protocol";

const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array);
const id = z.int().check(z.gte(0));

/** A request to a compression thread; without a zstd level it uses deflate. */
export const compressionRequestSchema = z.object({ id, bytes, zstdLevel: z.nullable(z.int()) });

/** The reply; null if compressing failed. */
export const compressionAnswerSchema = z.object({
  id,
  packed: z.nullable(z.object({ bytes, encoding: z.enum(["deflate", "zstd"]) })),
});
