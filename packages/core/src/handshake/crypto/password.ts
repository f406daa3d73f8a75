import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import type { RoomTag } from "@warren/protocol";
import { decodeRoomTag } from "../transcript.ts";
import { encodeBase64url, utf8 } from "./encoding.ts";
import { loadPortableCrypto } from "./platform-crypto.ts";

const iterations = 600_000;
const prsBytes = 32;
const logTagBytes = 32;

/**
 * The password-related string of a room: 32 bytes, or none without a password. Slow, so called once per join.
 * @param subtle `crypto.subtle`; undefined on a page without a secure context, where it takes some seconds instead.
 */
export async function passwordRelatedString(
  password: string | null,
  roomTag: RoomTag,
  subtle: SubtleCrypto | undefined,
): Promise<Uint8Array> {
  if (password === null || password === "") return new Uint8Array(0);
  // Systems compose accents differently, so normalize the typed password.
  const secret = new Uint8Array(utf8(password.normalize("NFC")));
  const salt = new Uint8Array(sha256(concatBytes(utf8("app/prs/1"), decodeRoomTag(roomTag))));
  if (subtle === undefined) {
    const { pbkdf2Async } = await loadPortableCrypto();
    return pbkdf2Async(sha256, secret, salt, { c: iterations, dkLen: prsBytes });
  }
  const key = await subtle.importKey("raw", secret, "PBKDF2", false, ["deriveBits"]);
  const bits = await subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations },
    key,
    8 * prsBytes,
  );
  return new Uint8Array(bits);
}

/** The tag for which the entries of a room's log are signed where the room has a password: only its members can tell it. */
export function logTagOf(roomTag: RoomTag, prs: Uint8Array): RoomTag {
  return encodeBase64url(hkdf(sha256, prs, decodeRoomTag(roomTag), utf8("room-log/1"), logTagBytes));
}
