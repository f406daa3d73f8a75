import type { Bytes } from "@warren/core";

/** A ledger is a sequence of records: a chunk's index (u32, big-endian) and its SHA-256. */
export const ledgerRecordBytes = 36;
/** The index of the record that marks a complete file; no chunk has it. */
const wholeMark = 0xffff_ffff;

/** The contents of a ledger: the digests of the stored chunks, and whether the file is complete. */
export interface Ledger {
  readonly digests: Map<number, Bytes>;
  readonly whole: boolean;
}

/**
 * Parses a ledger. Ignores a truncated last record, left by a crash; the later of two records of a chunk
 * counts.
 */
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

/** The record that marks a complete file. */
export function wholeRecord(): Bytes {
  return ledgerRecord(wholeMark, new Uint8Array(ledgerRecordBytes - 4));
}
