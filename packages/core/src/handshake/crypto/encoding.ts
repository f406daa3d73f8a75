import { concatBytes } from "@noble/hashes/utils.js";

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** `prepend_len` of the CPace draft: the length as LEB128, then the bytes. */
export function lv(bytes: Uint8Array): Uint8Array {
  const length: number[] = [];
  let rest = bytes.length;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    length.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return concatBytes(Uint8Array.from(length), bytes);
}

/** `lv_cat` of the CPace draft: every part is length-prefixed, so no two lists share an encoding. */
export function lvCat(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  return concatBytes(...parts.map((part) => lv(typeof part === "string" ? utf8(part) : part)));
}

/** Base64url without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** By how many characters follow the last group of four: the last characters whose unused bits are zero. */
const canonicalEnds = [null, "", "AQgw", "AEIMQUYcgkosw048"] as const;

/** @returns the bytes, or null for any text that {@link encodeBase64url} would not produce. */
export function decodeBase64url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  const ends = canonicalEnds[text.length % 4] ?? null;
  if (ends !== null && !ends.includes(text.at(-1) ?? " ")) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
