import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Bytes } from "../../ports/file-storage.ts";

/** SHA-256, by the platform if available; insecure contexts have none. */
export async function digestOf(bytes: Bytes): Promise<Bytes> {
  // The types promise `subtle` everywhere, but insecure contexts lack it.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (subtle) return new Uint8Array(await subtle.digest("SHA-256", bytes));
  return new Uint8Array(sha256(bytes));
}

/** Whether two digests are equal. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);
}

/**
 * The chunk digest sent with a chunk: SHA-256(0x00 ‖ u32 chunk ‖ leaf). It includes the chunk's number, because a
 * digest of only the bytes would be valid for another chunk number.
 */
export function chunkDigestOf(chunk: number, leaf: Uint8Array): Bytes {
  const sealed = new Uint8Array(5 + leaf.byteLength);
  new DataView(sealed.buffer).setUint32(1, chunk);
  sealed.set(leaf, 5);
  // For so few bytes this is faster than calling the platform.
  return new Uint8Array(sha256(sealed));
}

/**
 * A file's root: SHA-256(0x01 ‖ u64 fileSize ‖ u32 chunkSize ‖ leaves) as hex, numbers big-endian.
 * @param leaves SHA-256 of each chunk, in order.
 */
export async function rootOf(
  file: { readonly fileSize: number; readonly chunkSize: number },
  leaves: readonly Uint8Array[],
): Promise<string> {
  const headBytes = 13;
  const manifest = new Uint8Array(headBytes + leaves.length * 32);
  const view = new DataView(manifest.buffer);
  view.setUint8(0, 1);
  view.setBigUint64(1, BigInt(file.fileSize));
  view.setUint32(9, file.chunkSize);
  leaves.forEach((leaf, index) => {
    manifest.set(leaf, headBytes + index * 32);
  });
  return bytesToHex(await digestOf(manifest));
}
