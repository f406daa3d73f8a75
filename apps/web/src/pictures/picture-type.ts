import type { FileDescription } from "@warren/protocol";

/** The picture types that may be rendered. Never SVG: it can contain scripts and fetch external resources. */
export type PictureType = "image/png" | "image/jpeg" | "image/webp" | "image/gif";

/** What the first bytes of a file reveal about a picture. */
export interface SniffedPicture {
  readonly type: PictureType;
  readonly animated: boolean;
}

const pictureName = /\.(png|jpe?g|webp|gif)$/i;

/** Whether a file claims to be an allowed picture; its bytes decide. */
export function claimsPicture({
  mimeType,
  fileName,
}: Pick<FileDescription, "mimeType" | "fileName">): boolean {
  return /^image\/(png|jpeg|webp|gif)$/.test(mimeType) || pictureName.test(fileName);
}

/** The number of bytes that {@link sniffPicture} reads. */
export const sniffedBytes = 64;

/** Whether these ASCII characters stand at an index. */
export function textAt(bytes: Uint8Array, start: number, text: string): boolean {
  return [...text].every((character, i) => bytes[start + i] === character.charCodeAt(0));
}

function startsWith(bytes: Uint8Array, ...signature: readonly number[]): boolean {
  return signature.every((byte, i) => bytes[i] === byte);
}

/** Detects a picture by its first bytes, regardless of its name and stated type; null if it is none. */
export function sniffPicture(bytes: Uint8Array): SniffedPicture | null {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) {
    // An animated PNG is marked in the chunk after its 25-byte header chunk.
    return { type: "image/png", animated: textAt(bytes, 37, "acTL") };
  }
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return { type: "image/jpeg", animated: false };
  if (textAt(bytes, 0, "GIF87a") || textAt(bytes, 0, "GIF89a")) return { type: "image/gif", animated: true };
  if (textAt(bytes, 0, "RIFF") && textAt(bytes, 8, "WEBP")) {
    const animated = textAt(bytes, 12, "VP8X") && ((bytes[20] ?? 0) & 0x02) !== 0;
    return { type: "image/webp", animated };
  }
  return null;
}
