import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ClientId } from "./ids.ts";

/** The client id of an identity key: the first 122 bits of SHA-256("id/1" ‖ SPKI), written as a v4 UUID. */
export function clientIdOf(publicKey: Uint8Array): ClientId {
  return formatClientId(sha256(concatBytes(utf8ToBytes("id/1"), publicKey)));
}

/** The first 122 bits of `bytes` in order, with the version (4) and the variant (binary 10) put in between. */
export function formatClientId(bytes: Uint8Array): ClientId {
  const bits = BigInt(`0x${bytesToHex(bytes.subarray(0, 16))}`) >> 6n;
  const uuid =
    ((bits >> 74n) << 80n) |
    (4n << 76n) |
    (((bits >> 62n) & 0xfffn) << 64n) |
    (2n << 62n) |
    (bits & ((1n << 62n) - 1n));
  const hex = uuid.toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * What the `proof` of a `hello` signs: `lv("hello/2", nonce, clientId, server)`, each part behind its length.
 * @param nonce the 32 bytes of the server's `challenge`
 * @param server the server's name as its client reached it, so that the proof is worth nothing to another one
 */
export function helloProofInput(nonce: Uint8Array, clientId: ClientId, server: string): Uint8Array {
  return concatBytes(
    lv(utf8ToBytes("hello/2")),
    lv(nonce),
    lv(utf8ToBytes(clientId)),
    lv(utf8ToBytes(server)),
  );
}

/** The length as LEB128, which is one byte up to 127 and two up to 16,383, then the bytes. */
function lv(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const prefix = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
  return concatBytes(Uint8Array.from(prefix), bytes);
}
