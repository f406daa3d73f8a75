import { integer } from "./schema.ts";

const maxTimestamp = 8_640_000_000_000_000;

/**
 * A time in ms since the epoch, within the range of `Date`. Negative times are valid: clocks may be wrong and files
 * old.
 */
export const timestampSchema = integer(-maxTimestamp, maxTimestamp);
