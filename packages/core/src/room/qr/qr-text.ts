import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";

/** The letters and digits of RFC 4648's base32: a QR code stores them in 5.5 bits each, and no chat program alters them. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const prefix = "WARREN:";
const checksumBytes = 4;
/** The most bytes of a frame. */
export const frameBytesMax = 300;
const textLengthMax = prefix.length + Math.ceil(((frameBytesMax + checksumBytes) * 8) / 5);

/** The text of a code: base32 of the frame and its checksum, because text that is copied may be cut. */
export function qrTextOf(frame: Uint8Array): string {
  const bytes = concatBytes(frame, checksumOf(frame));
  let text = prefix;
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) text += alphabet.charAt((bits >>> (count - 5)) & 31);
    bits &= 0x1f;
  }
  return count > 0 ? text + alphabet.charAt((bits << (5 - count)) & 31) : text;
}

/** The frame of a code's text, in any case and with white space; null for any other text. */
export function frameOfQrText(text: string): Uint8Array | null {
  // Before anything that takes longer for a longer text.
  if (text.length > 2 * textLengthMax) return null;
  const plain = text.replace(/\s+/g, "").toUpperCase();
  if (!plain.startsWith(prefix) || plain.length > textLengthMax) return null;
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of plain.slice(prefix.length)) {
    const value = alphabet.indexOf(character);
    if (value === -1) return null;
    bits = ((bits << 5) | value) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >>> count) & 0xff);
  }
  const all = Uint8Array.from(bytes);
  const frame = all.subarray(0, Math.max(0, all.length - checksumBytes));
  const isWhole = equalBytes(all.subarray(frame.length), checksumOf(frame));
  return isWhole && frame.length <= frameBytesMax ? frame : null;
}

function checksumOf(frame: Uint8Array): Uint8Array {
  return sha256(frame).subarray(0, checksumBytes);
}
