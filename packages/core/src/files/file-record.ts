import { clientIdSchema, decodeValue, fileDescriptionSchema, timestampSchema, z } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

const digest = z.custom<Bytes>((value) => value instanceof Uint8Array && value.byteLength === 32);

const fields = {
  description: fileDescriptionSchema,
  /** When the file came into this browser, ms since the epoch. */
  createdAt: timestampSchema,
  direction: z.enum(["sent", "received"]),
  /** Who it was sent to or came from. */
  peers: z.array(clientIdSchema).check(z.maxLength(1_024)),
};
/** The digest over the whole file that both sides held; see `rootOf`. */
const root = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const storedFields = {
  ...fields,
  /** Whether everyone in the room may list and get it; records of earlier versions say nothing of it. */
  shared: z.catch(z.boolean(), false),
  /** Whether a person has saved it to their disk; the same. */
  saved: z.catch(z.boolean(), false),
};

/**
 * What storage keeps of a file beside its bytes. Which chunks of an incomplete file are durable, and their SHA-256,
 * is stored with the chunks themselves (`FileStorage.readDigests`), so the two can not disagree after a crash.
 */
export const fileRecordSchema = z.discriminatedUnion("state", [
  z.object({ ...storedFields, state: z.literal("incomplete") }),
  z.object({ ...storedFields, state: z.literal("complete"), root }),
  /** It was complete, and its bytes have disappeared from storage or were cut short there. */
  z.object({ ...storedFields, state: z.literal("missing"), root }),
  /** A file we offer whose bytes rest on the person's disk. */
  z.object({
    ...fields,
    state: z.literal("offered"),
    /** What the platform finds the file by; null where a person has to choose it again. */
    handle: z.unknown(),
    /** SHA-256 of the chunks that were read for sending: what the file has to match when it is opened again. */
    leaves: z.map(z.int().check(z.gte(0)), digest),
  }),
]);
export type FileRecord = z.infer<typeof fileRecordSchema>;
/** The record of a file whose bytes rest in this browser, or are to. */
export type StoredRecord = Exclude<FileRecord, { state: "offered" }>;

/** @returns a record read back from storage, or null when it is not one: damaged, or of another version. */
export function parseFileRecord(fid: string, stored: unknown): FileRecord | null {
  const decoded = decodeValue(fileRecordSchema, stored);
  return decoded.ok && decoded.value.description.fid === fid ? decoded.value : null;
}
