import { sha256 } from "@noble/hashes/sha2.js";
import { lvCat } from "./crypto/encoding.ts";
import type { Party } from "./transcript.ts";

/**
 * The safety code that two people compare to rule out a man in the middle: 42 bits in 6 bytes, the last 6 bits zero.
 * It is safe to be this short only because A committed to its nonce before B chose one.
 */
export function safetyCodeOf(roomTag: Uint8Array, a: Party, b: Party): Uint8Array {
  const digest = sha256(
    lvCat("sas/1", roomTag, a.nonce, b.nonce, a.fingerprint, b.fingerprint, a.publicKey, b.publicKey),
  );
  const code = digest.slice(0, 6);
  code[5] = (code[5] ?? 0) & 0xc0;
  return code;
}

/** A safety code as 7 indexes, 0..63, into the table of emoji. */
export function safetyCodeIndexes(code: Uint8Array): readonly number[] {
  const value = code.reduce((sum, byte) => sum * 256 + byte, 0) / 64;
  return digits(value, 64, 7);
}

/** The same 42 bits, given as the 7 indexes, as 3 numbers of five digits, 10000..26383: easier to read out. */
export function safetyCodeNumbers(indexes: readonly number[]): readonly number[] {
  const value = indexes.reduce((sum, index) => sum * 64 + index, 0);
  return digits(value, 2 ** 14, 3).map((group) => 10_000 + group);
}

/** A number as `count` digits of a base that is a power of two, the highest first. */
function digits(value: number, base: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor(value / base ** (count - 1 - i)) % base);
}
