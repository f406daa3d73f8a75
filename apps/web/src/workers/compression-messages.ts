import type { Bytes } from "@warren/core";
import { z } from "@warren/protocol";

const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array);
const id = z.int().check(z.gte(0));

/** What a thread that compresses is asked; without a level for zstd it deflates. */
export const compressionRequestSchema = z.object({ id, bytes, zstdLevel: z.nullable(z.int()) });

/** What it answers; null where it failed. */
export const compressionAnswerSchema = z.object({
  id,
  packed: z.nullable(z.object({ bytes, encoding: z.enum(["deflate", "zstd"]) })),
});
