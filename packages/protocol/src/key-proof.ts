import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { clientIdInput, formatClientId } from "./client-id.ts";
import type { ClientId } from "./ids.ts";

/** The client id of an identity key: the first 122 bits of SHA-256("id/1" ‖ SPKI), written as a v4 UUID. */
export function clientIdOf(publicKey: Uint8Array): ClientId {
  return formatClientId(sha256(clientIdInput(publicKey)));
}

/**
 * The bytes signed by the `proof` of a `hello`: `lv("hello/3", nonce, clientId, server)`, each part length-prefixed.
 * @param nonce the 32 bytes of the server's `challenge`
 * @param server the origin that the client connected to, which makes the proof useless to any other server, and useless over
 * https to one that received it over http
 */
export function helloProofInput(nonce: Uint8Array, clientId: ClientId, server: string): Uint8Array {
  return concatBytes(
    lv(utf8ToBytes("hello/3")),
    lv(nonce),
    lv(utf8ToBytes(clientId)),
    lv(utf8ToBytes(server)),
  );
}

/** The length as LEB128 (one byte up to 127, two up to 16,383), then the bytes. */
function lv(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const prefix = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
  return concatBytes(Uint8Array.from(prefix), bytes);
}
