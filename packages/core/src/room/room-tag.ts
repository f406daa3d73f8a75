import { sha256 } from "@noble/hashes/sha2.js";
import type { ClientId, RoomTag } from "@warren/protocol";
import { encodeBase64url, lvCat, utf8 } from "../handshake/crypto/encoding.ts";
import type { Profile } from "../profile/profile.ts";

/** The tag by which the server knows a room: base64url of SHA-256("room/1" ‖ roomId). */
export function roomTagOf(roomId: string): string {
  return encodeBase64url(sha256(utf8(`room/1${roomId}`)));
}

/** The room of two pages that met by code, named after both: each of their meetings gives it another password. */
export function roomOfTwo(one: ClientId, other: ClientId): string {
  const digest = sha256(utf8(`here-room/2${[one, other].sort().join("")}`));
  return `here-${encodeBase64url(digest.slice(0, 16))}`;
}

/** Whether a room is the same one with each password. */
export function isRoomOfTwo(roomId: string): boolean {
  return /^here-[\w-]{22}$/.test(roomId);
}

/**
 * The tag under which this browser keeps a room: groups that use one name with different passwords are in different rooms. It
 * stays in this browser, beside the password, which could be guessed from it.
 */
export function localTagOf({ roomId, password }: Pick<Profile, "roomId" | "password">): RoomTag {
  if (password === null || isRoomOfTwo(roomId)) return roomTagOf(roomId);
  return encodeBase64url(sha256(lvCat("kept-room/1", roomId, password.normalize("NFC"))));
}

/** The tag that the handshakes of pages nearby have in place of their room's, which only the server knows: base64url of SHA-256("nearby/1"). */
export const nearbyTag: RoomTag = encodeBase64url(sha256(utf8("nearby/1")));

/** The tag of the room in which the two devices of a short code meet: base64url of SHA-256("mailbox/1" ‖ word). */
export function mailboxTagOf(word: string): string {
  return encodeBase64url(sha256(utf8(`mailbox/1${word}`)));
}
