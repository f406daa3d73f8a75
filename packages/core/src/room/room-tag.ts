import { sha256 } from "@noble/hashes/sha2.js";

/** The tag by which the server knows a room: base64url of SHA-256("room/1" ‖ roomId). */
export function roomTagOf(roomId: string): string {
  const digest = sha256(new TextEncoder().encode(`room/1${roomId}`));
  return btoa(String.fromCharCode(...digest))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
