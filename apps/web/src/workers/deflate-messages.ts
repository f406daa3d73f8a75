import type { Bytes } from "@warren/core";
import { z } from "@warren/protocol";

const bytes = z.custom<Bytes>((value) => value instanceof Uint8Array);

/** What a thread that deflates is asked. */
export const deflateRequestSchema = z.object({ id: z.int().check(z.gte(0)), bytes });

/** What it answers; null where it failed. */
export const deflateAnswerSchema = z.object({ id: z.int().check(z.gte(0)), deflated: z.nullable(bytes) });
