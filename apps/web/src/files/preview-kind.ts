import type { FileDescription } from "@warren/protocol";
import { sniffedBytes as pictureBytes, sniffPicture, textAt } from "../people/picture-type.ts";

/** How a file can be previewed. Other kinds are never handed to the browser to open. */
type PreviewKind =
  | { readonly kind: "image" | "video" | "audio"; readonly type: string }
  /** Rendered as plain text whatever its type says, never as a page. */
  | { readonly kind: "text"; readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252" }
  | { readonly kind: "pdf" }
  | { readonly kind: "none" };

/** The number of bytes that {@link previewKind} reads. */
export const sniffedBytes = 4_096;

type Sniff = (bytes: Uint8Array, at: (start: number, text: string) => boolean) => PreviewKind | null;

const media = (kind: "video" | "audio", type: string): PreviewKind => ({ kind, type });

/** The brands of ISO files (MP4 and related) that are audio only. */
const audioBrands = ["M4A ", "M4B "];
const videoBrands = [
  "isom",
  "iso2",
  "iso4",
  "iso5",
  "iso6",
  "mp41",
  "mp42",
  "avc1",
  "M4V ",
  "qt  ",
  "dash",
  "MSNV",
];

const sniffers: readonly Sniff[] = [
  (bytes) => {
    const picture = sniffPicture(bytes.subarray(0, pictureBytes));
    return picture && { kind: "image", type: picture.type };
  },
  (_, at) => (at(0, "%PDF-") ? { kind: "pdf" } : null),
  (_, at) => (at(4, "ftypavif") ? { kind: "image", type: "image/avif" } : null),
  (_, at) =>
    at(4, "ftyp") && audioBrands.some((brand) => at(8, brand)) ? media("audio", "audio/mp4") : null,
  (_, at) =>
    at(4, "ftyp") && videoBrands.some((brand) => at(8, brand)) ? media("video", "video/mp4") : null,
  // Matroska has the same structure; only files that declare WebM are accepted.
  (bytes) => (isEbml(bytes) && includes(bytes.subarray(0, 64), "webm") ? media("video", "video/webm") : null),
  (bytes, at) => {
    if (!at(0, "OggS")) return null;
    const isVideo = includes(bytes.subarray(0, 256), "theora");
    return isVideo ? media("video", "video/ogg") : media("audio", "audio/ogg");
  },
  (_, at) => (at(0, "RIFF") && at(8, "WAVE") ? media("audio", "audio/wav") : null),
  (_, at) => (at(0, "fLaC") ? media("audio", "audio/flac") : null),
  (bytes, at) => (at(0, "ID3") || isMpegAudio(bytes) ? media("audio", "audio/mpeg") : null),
];

/** Detects by a file's first bytes, regardless of its name and stated type, how it can be previewed. */
export function previewKind(bytes: Uint8Array, fileName: string): PreviewKind {
  const at = (start: number, text: string) => textAt(bytes, start, text);
  for (const sniff of sniffers) {
    const kind = sniff(bytes, at);
    if (kind !== null) return kind;
  }
  return textKind(bytes, fileName) ?? { kind: "none" };
}

const mediaName = /\.(png|jpe?g|webp|gif|avif|mp4|m4v|mov|webm|og[agv]|mp3|m4[ab]|wav|flac)$/i;

/** Whether a file's type or name claims a previewable kind; its bytes decide. */
export function claimsPreview({
  mimeType,
  fileName,
}: Pick<FileDescription, "mimeType" | "fileName">): boolean {
  return (
    /^(image\/(png|jpeg|webp|gif|avif)$|video\/|audio\/|text\/)/.test(mimeType) ||
    mediaName.test(fileName) ||
    textName.test(fileName)
  );
}

const textName =
  /\.(txt|md|csv|tsv|log|json|xml|html?|css|[cm]?[jt]sx?|ya?ml|ini|conf|sh|py|rs|go|c|h|srt|vtt|svg)$/i;

function textKind(bytes: Uint8Array, fileName: string): PreviewKind | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { kind: "text", encoding: "utf-16le" };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { kind: "text", encoding: "utf-16be" };
  // Control characters other than tab, line breaks and escape occur in binaries, never in text.
  if (bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))) return null;
  if (isUtf8(bytes)) return { kind: "text", encoding: "utf-8" };
  return textName.test(fileName) ? { kind: "text", encoding: "windows-1252" } : null;
}

/** Whether bytes are UTF-8; the last character may be cut. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function includes(bytes: Uint8Array, text: string): boolean {
  return bytes.some((_, start) => textAt(bytes, start, text));
}

function isEbml(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3;
}

/** Eleven set bits, then layer II or III, and a valid bit rate. */
function isMpegAudio([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  return first === 0xff && (second & 0xe0) === 0xe0 && [2, 4].includes(second & 0x06) && third >> 4 !== 0x0f;
}
