import type { Bytes } from "@warren/core";

/** A ledger is records of a chunk's index (u32, big-endian) and its SHA-256, one behind the other. */
export const ledgerRecordBytes = 36;
/** No chunk has this index: its record says that the file is whole. */
const wholeMark = 0xffff_ffff;

/** What a ledger says: the digests of the chunks that are stored, and whether the file is whole. */
export interface Ledger {
  readonly digests: Map<number, Bytes>;
  readonly whole: boolean;
}

/** Reads a ledger. A record that a crash cut off at the end is left out; of two about a chunk the later counts. */
export function readLedger(bytes: Bytes): Ledger {
  const digests = new Map<number, Bytes>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let whole = false;
  for (let start = 0; start + ledgerRecordBytes <= bytes.byteLength; start += ledgerRecordBytes) {
    const chunk = view.getUint32(start);
    if (chunk === wholeMark) whole = true;
    else digests.set(chunk, bytes.slice(start + 4, start + ledgerRecordBytes));
  }
  return { digests, whole };
}

/** The record of a stored chunk. */
export function ledgerRecord(chunk: number, digest: Bytes): Bytes {
  const record = new Uint8Array(ledgerRecordBytes);
  new DataView(record.buffer).setUint32(0, chunk);
  record.set(digest, 4);
  return record;
}

/** The record that says a file is whole. */
export function wholeRecord(): Bytes {
  return ledgerRecord(wholeMark, new Uint8Array(ledgerRecordBytes - 4));
}
