import { avifBytesMax, isAvif, pixelsOfAvif, textAt } from "./avif-size.ts";
import { type SniffedPicture, sniffedBytes, sniffPicture } from "./picture-type.ts";

/** Pixel limit for decoding a picture: 160 MB in memory, and more than most phone cameras produce. */
export const picturePixelsMax = 40_000_000;

/** How much of a file is read to find its size. JPEGs may state it after colour profiles and thumbnails. */
const headerBytes = 1024 * 1024;

/** Whether a file is a picture that may be rendered: judged by its header, before decoding. */
export type DrawablePicture =
  /** Not an allowed picture, or its header does not state the size. */
  | { readonly status: "none" }
  | { readonly status: "too-large" }
  | ({ readonly status: "drawable" } & SniffedPicture);

/** Judges a file by its header. Every view calls this before it renders a received picture. */
export async function judgePicture(file: Blob): Promise<DrawablePicture> {
  const sniffed = sniffPicture(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()));
  if (sniffed === null) return { status: "none" };
  const pixels = await pixelsOf(file);
  if (pixels === null) return { status: "none" };
  return pixels > picturePixelsMax ? { status: "too-large" } : { status: "drawable", ...sniffed };
}

/**
 * The number of pixels of a PNG, JPEG, GIF, WebP, AVIF or BMP according to its header; null if it does not
 * state it.
 */
export async function pixelsOf(file: Blob): Promise<number | null> {
  const start = new DataView(await file.slice(0, sniffedBytes).arrayBuffer());
  const readBytes = isAvif(start) ? avifBytesMax : headerBytes;
  const header = new DataView(await file.slice(0, readBytes).arrayBuffer());
  try {
    for (const read of readers) {
      const pixels = read(header);
      if (pixels !== null) return pixels > 0 ? pixels : null;
    }
  } catch (thrown) {
    // The header ends before its size.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return null;
}

/**
 * Width times height; null for another format.
 * @throws RangeError if the header is truncated.
 */
type Reader = (header: DataView) => number | null;

const readers: readonly Reader[] = [
  function png(view) {
    return textAt(view, 1, "PNG\r\n") ? view.getUint32(16) * view.getUint32(20) : null;
  },

  function gif(view) {
    if (!textAt(view, 0, "GIF8")) return null;
    const screen = view.getUint16(6, true) * view.getUint16(8, true);
    // Browsers enlarge the canvas if the first frame is larger than the logical screen.
    return Math.max(screen, firstFrameOfGif(view));
  },

  function webp(view) {
    if (!textAt(view, 0, "RIFF") || !textAt(view, 8, "WEBP")) return null;
    if (textAt(view, 12, "VP8X")) return (1 + uint24(view, 24)) * (1 + uint24(view, 27));
    if (textAt(view, 12, "VP8L")) {
      const sides = view.getUint32(21, true);
      return (1 + (sides & 0x3fff)) * (1 + ((sides >> 14) & 0x3fff));
    }
    return textAt(view, 12, "VP8 ")
      ? (view.getUint16(26, true) & 0x3fff) * (view.getUint16(28, true) & 0x3fff)
      : null;
  },

  function bmp(view) {
    if (!textAt(view, 0, "BM")) return null;
    // The oldest variant has two bytes per side; a negative height means that rows are stored top to bottom.
    return view.getUint32(14, true) === 12
      ? view.getUint16(18, true) * view.getUint16(20, true)
      : Math.abs(view.getInt32(18, true) * view.getInt32(22, true));
  },

  function jpeg(view) {
    if (view.getUint16(0) !== 0xffd8) return null;
    let at = 2;
    for (;;) {
      // Any number of 0xff may precede a marker.
      if (view.getUint8(at) !== 0xff) return null;
      const marker = view.getUint8(at + 1);
      if (marker === 0xff) at += 1;
      else if (isFrameOfJpeg(marker)) return view.getUint16(at + 5) * view.getUint16(at + 7);
      else at += 2 + Math.max(2, view.getUint16(at + 2));
    }
  },

  pixelsOfAvif,
];

/** The markers 0xc0 to 0xcf start a frame, except for tables and the definition of arithmetic coding. */
function isFrameOfJpeg(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The far corner of the first frame, which follows the colour table and extensions; 0 without a frame. */
function firstFrameOfGif(view: DataView): number {
  let at = 13 + coloursOfGif(view.getUint8(10));
  while (view.getUint8(at) === 0x21) {
    at += 2;
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
    at += 1;
  }
  if (view.getUint8(at) !== 0x2c) return 0;
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true));
  return ((left ?? 0) + (width ?? 0)) * ((top ?? 0) + (height ?? 0));
}

function coloursOfGif(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}
