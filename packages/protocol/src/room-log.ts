import { clientIdSchema, messageNameSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { integer, v } from "./schema.ts";
import { cleanLine, isBlank, toWellFormed, utf8Length } from "./text.ts";
import { timestampSchema } from "./timestamp.ts";

/** The SHA-256 of an entry, as base64url. */
export const entryHashSchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/));

/** Counts the entries of an author from 1. */
export const entryNumberSchema = integer(1, limits.entryNumber);

/** The public key of an author: 91 bytes as base64url. */
export const authorKeySchema = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{122}$/));

/**
 * One entry of an author's log of a room. The room and the author are signed too, and follow from where it is. A body that
 * is not well formed is refused, because it could not be signed as it is; so is a name that {@link cleanLine} would change.
 */
export const logEntrySchema = v.object({
  n: entryNumberSchema,
  /** The hash of the author's entry before; absent for the first. */
  prev: v.optional(entryHashSchema),
  /** When it was written, by the author's clock. */
  time: timestampSchema,
  /** What the author was called when it wrote this. */
  name: v.pipe(
    v.string(),
    v.check((name) => [...name].length <= limits.nameLength && cleanLine(name) === name && !isBlank(name)),
  ),
  kind: v.pipe(v.string(), v.regex(/^[a-z][a-z-]{0,15}$/)),
  /** The message that it is about: which one a text answers. */
  about: v.optional(messageNameSchema),
  body: v.pipe(
    v.string(),
    v.check((body) => utf8Length(body) <= limits.textBytes && toWellFormed(body) === body),
  ),
  /** r ‖ s, 64 bytes as base64url. */
  signature: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{86}$/)),
});
export type LogEntry = v.InferOutput<typeof logEntrySchema>;

/**
 * What a member has of an author's log: so many entries from number `from` to number `n`, which has this hash, and none
 * missing from number `whole` on. Fewer than there are numbers if some are missing, more if the author sent some in two
 * versions.
 */
export const logHeadSchema = v.pipe(
  v.object({
    author: clientIdSchema,
    from: entryNumberSchema,
    whole: entryNumberSchema,
    n: entryNumberSchema,
    count: entryNumberSchema,
    hash: entryHashSchema,
    /** The last number of what a newcomer is shown of the time before it came. */
    earlier: v.optional(entryNumberSchema),
  }),
  v.check(({ from, whole, n }) => from <= whole && whole <= n),
);
export type LogHead = v.InferOutput<typeof logHeadSchema>;

/** Since when a client has been a member, as far as the sender knows. */
export const sinceSchema = v.object({ client: clientIdSchema, since: timestampSchema });
export type MemberSince = v.InferOutput<typeof sinceSchema>;
