import { sha256 } from "@noble/hashes/sha2.js";
import type { RoomTag } from "@warren/protocol";
import { encodeBase64url, utf8 } from "../handshake/crypto/encoding.ts";

/** The tag by which the server knows a room: base64url of SHA-256("room/1" ‖ roomId). */
export function roomTagOf(roomId: string): string {
  return encodeBase64url(sha256(utf8(`room/1${roomId}`)));
}

/** The tag that the handshakes of pages nearby have in place of their room's, which only the server knows: base64url of SHA-256("nearby/1"). */
export const nearbyTag: RoomTag = encodeBase64url(sha256(utf8("nearby/1")));

/** The tag of the room in which the two devices of a short code meet: base64url of SHA-256("mailbox/1" ‖ word). */
export function mailboxTagOf(word: string): string {
  return encodeBase64url(sha256(utf8(`mailbox/1${word}`)));
}
