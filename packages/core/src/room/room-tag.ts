import { sha256 } from "@noble/hashes/sha2.js";
import { encodeBase64url, utf8 } from "../handshake/crypto/encoding.ts";

/** The tag by which the server knows a room: base64url of SHA-256("room/1" ‖ roomId). */
export function roomTagOf(roomId: string): string {
  return encodeBase64url(sha256(utf8(`room/1${roomId}`)));
}

/** The tag of the room in which the two devices of a short code meet: base64url of SHA-256("mailbox/1" ‖ word). */
export function mailboxTagOf(word: string): string {
  return encodeBase64url(sha256(utf8(`mailbox/1${word}`)));
}
