import type { FileDescription } from "@warren/protocol";
import { sniffedBytes as pictureBytes, sniffPicture, textAt } from "../../pictures/picture-type.ts";

/** How a file can be previewed, as far as its first bytes tell. */
type PreviewKind =
  | { readonly kind: "image" | "video" | "audio"; readonly type: string }
  | { readonly kind: "pdf" }
  /** Plain text if it has an encoding, otherwise without a preview. Never handed to the browser to open. */
  | { readonly kind: "other" };

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
export function previewKind(bytes: Uint8Array): PreviewKind {
  const at = (start: number, text: string) => textAt(bytes, start, text);
  for (const sniff of sniffers) {
    const kind = sniff(bytes, at);
    if (kind !== null) return kind;
  }
  return { kind: "other" };
}

const mediaName = /\.(png|jpe?g|webp|gif|avif|mp4|m4v|mov|webm|og[agv]|mp3|m4[ab]|wav|flac)$/i;

type Claim = Pick<FileDescription, "mimeType" | "fileName">;

/** Whether a file's type or name claims a previewable kind; its bytes decide. */
export function claimsPreview(file: Claim): boolean {
  const { mimeType, fileName } = file;
  return (
    /^(image\/(png|jpeg|webp|gif|avif)$|video\/|audio\/)/.test(mimeType) ||
    mediaName.test(fileName) ||
    claimsText(file)
  );
}

/** Whether a file's type or name claims that it is a text. */
export function claimsText({ mimeType, fileName }: Claim): boolean {
  return mimeType.startsWith("text/") || textName.test(fileName);
}

const textName =
  /\.(txt|md|csv|tsv|log|json|xml|html?|css|[cm]?[jt]sx?|ya?ml|ini|conf|sh|py|rs|go|c|h|srt|vtt|svg)$/i;

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
