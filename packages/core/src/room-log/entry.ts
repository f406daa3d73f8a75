import { sha256 } from "@noble/hashes/sha2.js";
import { type ClientId, type LogEntry, type RoomTag, utf8Length } from "@warren/protocol";
import { decodeBase64url, encodeBase64url, lvCat } from "../handshake/crypto/encoding.ts";
import { clientIdOf, type Identity } from "../handshake/identity.ts";
import { type ImportedKeys, verifyIdentitySignature } from "../handshake/identity-signature.ts";

/** An entry of an author's log: what was signed, its signature, and its hash. */
export interface Entry extends LogEntry {
  /** The tag of its log, which its author signed. */
  readonly tag: RoomTag;
  readonly author: ClientId;
  /** SHA-256 over {@link signedBytes}. Without the signature: one text has many valid ones. */
  readonly hash: string;
}

/** The part of an entry that its author writes. */
export type EntryContent = Pick<LogEntry, "time" | "name" | "kind" | "about" | "body">;

/** Why an entry is not its author's: the key gives another client id, or did not sign this for this log. */
export type EntryFault = "author" | "signature";

/** Bytes counted for an entry beside its body. */
const overheadBytes = 512;

/** The size of an entry as it travels. */
export function wireBytes({ body }: Pick<LogEntry, "body">): number {
  return utf8Length(JSON.stringify(body)) + overheadBytes;
}

/** What an entry counts for in the bounds of a log. */
export function entryBytes({ body }: Pick<LogEntry, "body">): number {
  return utf8Length(body) + overheadBytes;
}

/**
 * `lv("entry/1", tag, author, n, prev, time, name, kind, about, body)`: the tag and `prev` as bytes, the numbers as 8 bytes,
 * `about` as its author, a slash and its id.
 */
export function signedBytes(
  tag: RoomTag,
  author: ClientId,
  { n, prev, time, name, kind, about, body }: Omit<LogEntry, "signature">,
): Uint8Array {
  const before = prev === undefined ? new Uint8Array(0) : bytesOf(prev);
  const subject = about === undefined ? "" : `${about.client}/${about.id}`;
  return lvCat("entry/1", bytesOf(tag), author, int64(n), before, int64(time), name, kind, subject, body);
}

/** An entry as read, not yet checked. */
export interface ReadEntry {
  readonly entry: Entry;
  /** What its author has signed if it is its author's. */
  readonly signed: Uint8Array;
}

export function readEntry(tag: RoomTag, author: ClientId, wire: LogEntry): ReadEntry {
  const signed = signedBytes(tag, author, wire);
  return { entry: { ...wire, tag, author, hash: encodeBase64url(sha256(signed)) }, signed };
}

/**
 * Checks that its author signed an entry for its log. Rejects if the code that verifies signatures cannot be fetched.
 * @param key the author's key: SubjectPublicKeyInfo as base64url
 */
export async function faultOfEntry(
  { entry, signed }: ReadEntry,
  key: string,
  keys?: ImportedKeys,
): Promise<EntryFault | null> {
  const keyBytes = decodeBase64url(key);
  if (keyBytes === null || clientIdOf(keyBytes) !== entry.author) return "author";
  const signature = decodeBase64url(entry.signature);
  const isSigned = signature !== null && (await verifyIdentitySignature(keyBytes, signed, signature, keys));
  return isSigned ? null : "signature";
}

/** Writes and signs our next entry. */
export async function writeEntry(
  { clientId, sign }: Pick<Identity, "clientId" | "sign">,
  tag: RoomTag,
  before: Pick<Entry, "n" | "hash"> | null,
  content: EntryContent,
): Promise<Entry> {
  const next = { n: (before?.n ?? 0) + 1, ...(before && { prev: before.hash }), ...content };
  const signed = signedBytes(tag, clientId, next);
  const signature = encodeBase64url(await sign(signed));
  return { ...next, signature, tag, author: clientId, hash: encodeBase64url(sha256(signed)) };
}

function bytesOf(base64url: string): Uint8Array {
  return decodeBase64url(base64url) ?? new Uint8Array(0);
}

function int64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}
