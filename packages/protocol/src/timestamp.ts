import { z } from "./schema.ts";

const maxTimestamp = 8_640_000_000_000_000;

/** A time in ms since the epoch, within what a `Date` can hold. Clocks may be wrong and files old, so 1970 is no limit. */
export const timestampSchema = z.int().check(z.gte(-maxTimestamp), z.lte(maxTimestamp));
