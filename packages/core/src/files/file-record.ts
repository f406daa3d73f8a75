import {
  clientIdSchema,
  decodeValue,
  fileDescriptionSchema,
  integer,
  listUpTo,
  timestampSchema,
  unionBy,
  v,
} from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

const digest = v.custom<Bytes>((value) => value instanceof Uint8Array && value.byteLength === 32);

const fields = {
  description: fileDescriptionSchema,
  /** When the file came into this browser, ms since the epoch. */
  createdAt: timestampSchema,
  direction: v.picklist(["sent", "received"]),
  /** The clients it was sent to or received from. */
  peers: listUpTo(clientIdSchema, 1_024),
};
/** The digest of the whole file, equal on both sides; see `rootOf`. */
const root = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const storedFields = {
  ...fields,
  /** Whether everyone in the room may list and get it; missing in records of earlier versions. */
  shared: v.fallback(v.boolean(), false),
  /** Whether a person has saved it to their disk; missing in records of earlier versions. */
  saved: v.fallback(v.boolean(), false),
  /** The name that the browser gave it there, if not its own. */
  savedAs: v.fallback(v.nullable(v.string()), null),
};

/**
 * The stored record of a file, beside its bytes. The list of durable chunks of an incomplete file, and their SHA-256,
 * are stored with the chunks (`FileStorage.readDigests`), so the two cannot disagree after a crash.
 */
export const fileRecordSchema = unionBy("state", [
  v.object({ ...storedFields, state: v.literal("incomplete") }),
  v.object({ ...storedFields, state: v.literal("complete"), root }),
  /** A complete file whose bytes have disappeared from storage or were truncated. */
  v.object({ ...storedFields, state: v.literal("missing"), root }),
  /** A file we offer whose bytes are on the person's disk. */
  v.object({
    ...fields,
    state: v.literal("offered"),
    /** The platform's handle of the file; null if a person has to choose it again. */
    handle: v.unknown(),
    /** SHA-256 of the chunks read for sending, which the file has to match when it is opened again. */
    leaves: v.map(integer(0), digest),
  }),
]);
export type FileRecord = v.InferOutput<typeof fileRecordSchema>;
/** The record of a file whose bytes are stored in this browser, or will be. */
export type KeptFileRecord = Exclude<FileRecord, { state: "offered" }>;

/** @returns the parsed record, or null if it is damaged or of another version. */
export function parseFileRecord(fid: string, stored: unknown): FileRecord | null {
  const decoded = decodeValue(fileRecordSchema, stored);
  return decoded.ok && decoded.value.description.fid === fid ? decoded.value : null;
}
