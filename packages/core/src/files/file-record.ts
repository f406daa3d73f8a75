import { clientIdSchema, decodeValue, fileDescriptionSchema, timestampSchema, z } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

const digest = z.custom<Bytes>((value) => value instanceof Uint8Array && value.byteLength === 32);

const fields = {
  description: fileDescriptionSchema,
  /** When the file came into this browser, ms since the epoch. */
  createdAt: timestampSchema,
  direction: z.enum(["sent", "received"]),
  /** The clients it was sent to or received from. */
  peers: z.array(clientIdSchema).check(z.maxLength(1_024)),
};
/** The digest of the whole file, equal on both sides; see `rootOf`. */
const root = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const storedFields = {
  ...fields,
  /** Whether everyone in the room may list and get it; missing in records of earlier versions. */
  shared: z.catch(z.boolean(), false),
  /** Whether a person has saved it to their disk; missing in records of earlier versions. */
  saved: z.catch(z.boolean(), false),
};

/**
 * The stored record of a file, beside its bytes. The list of durable chunks of an incomplete file, and their SHA-256,
 * are stored with the chunks (`FileStorage.readDigests`), so the two cannot disagree after a crash.
 */
export const fileRecordSchema = z.discriminatedUnion("state", [
  z.object({ ...storedFields, state: z.literal("incomplete") }),
  z.object({ ...storedFields, state: z.literal("complete"), root }),
  /** A complete file whose bytes have disappeared from storage or were truncated. */
  z.object({ ...storedFields, state: z.literal("missing"), root }),
  /** A file we offer whose bytes are on the person's disk. */
  z.object({
    ...fields,
    state: z.literal("offered"),
    /** The platform's handle of the file; null if a person has to choose it again. */
    handle: z.unknown(),
    /** SHA-256 of the chunks read for sending, which the file has to match when it is opened again. */
    leaves: z.map(z.int().check(z.gte(0)), digest),
  }),
]);
export type FileRecord = z.infer<typeof fileRecordSchema>;
/** The record of a file whose bytes are stored in this browser, or will be. */
export type KeptFileRecord = Exclude<FileRecord, { state: "offered" }>;

/** @returns the parsed record, or null if it is damaged or of another version. */
export function parseFileRecord(fid: string, stored: unknown): FileRecord | null {
  const decoded = decodeValue(fileRecordSchema, stored);
  return decoded.ok && decoded.value.description.fid === fid ? decoded.value : null;
}
