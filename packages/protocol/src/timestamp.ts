import { z } from "./schema.ts";

const maxTimestamp = 8_640_000_000_000_000;

/**
 * A time in ms since the epoch: all that a `Date` can be. Before 1970 as well, since the clock of a machine may stand anywhere
 * and files may be as old as they like.
 */
export const timestampSchema = z.int().check(z.gte(-maxTimestamp), z.lte(maxTimestamp));
