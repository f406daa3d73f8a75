import { sha256 } from "@noble/hashes/sha2.js";
import type { Bytes } from "../ports/file-storage.ts";

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
