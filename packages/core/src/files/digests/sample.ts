import { bytesToHex } from "@noble/hashes/utils.js";
import { digestOf } from "./digests.ts";

const partBytes = 64 * 1024;
const partCount = 16;

/**
 * A digest to find files that may be identical: SHA-256(0x02 ‖ u64 size ‖ parts) as hex. The parts are the whole file
 * up to 1 MiB; otherwise 16 pieces of 64 KiB, the first at the beginning, the last at the end, the others spread evenly
 * between. Only the roots prove that two files are identical.
 * @returns null for an empty or unreadable file.
 */
export async function sampleOf(file: Blob): Promise<string | null> {
  if (file.size === 0) return null;
  const head = new Uint8Array(9);
  const view = new DataView(head.buffer);
  view.setUint8(0, 2);
  view.setBigUint64(1, BigInt(file.size));
  try {
    const sampled = new Blob([head, ...partsOf(file)]);
    return bytesToHex(await digestOf(new Uint8Array(await sampled.arrayBuffer())));
  } catch {
    return null;
  }
}

function partsOf(file: Blob): Blob[] {
  if (file.size <= partCount * partBytes) return [file];
  return Array.from({ length: partCount }, (_, part) => {
    const start = Math.floor((part * (file.size - partBytes)) / (partCount - 1));
    return file.slice(start, start + partBytes);
  });
}
