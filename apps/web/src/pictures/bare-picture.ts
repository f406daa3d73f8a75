/**
 * The bytes of a PNG or JPEG without anything but the picture: neither place nor camera, comments, embedded previews
 * nor what follows its end. For a picture that cannot be redrawn. Null for another file, or a broken one.
 */
export function barePicture(bytes: Uint8Array<ArrayBuffer>): Blob | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    for (const { type, partsOf } of formats) {
      const parts = partsOf(view);
      if (parts !== null)
        return new Blob(
          parts.map(([start, end]) => bytes.subarray(start, end)),
          { type },
        );
    }
  } catch (thrown) {
    // The file ends before its picture does.
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return null;
}

/** From one byte up to another. */
type Part = readonly [start: number, end: number];

interface Format {
  readonly type: string;
  /** The parts to keep; null for another format. @throws RangeError if the file is truncated. */
  readonly partsOf: (view: DataView) => Part[] | null;
}

/** Chunks that change how a PNG looks, besides those that every decoder needs. */
const renderingChunks: readonly string[] = ["tRNS", "gAMA", "sRGB", "cHRM"];
/** The segments of a JPEG's decoding besides its tables: JFIF, and Adobe's choice of colours. */
const appsOfJpeg: readonly number[] = [0xe0, 0xee];

const formats: readonly Format[] = [
  {
    type: "image/png",
    partsOf(view) {
      if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
      const parts: Part[] = [[0, 8]];
      for (let at = 8; ; ) {
        const name = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
        const end = at + 12 + view.getUint32(at);
        view.getUint8(end - 1);
        // A critical chunk has a capital first.
        if (/^[A-Z]/.test(name) || renderingChunks.includes(name)) parts.push([at, end]);
        if (name === "IEND") return parts;
        at = end;
      }
    },
  },
  {
    type: "image/jpeg",
    partsOf(view) {
      if (view.getUint16(0) !== 0xffd8) return null;
      const parts: Part[] = [[0, 2]];
      for (let at = 2; ; ) {
        const marker = view.getUint8(at + 1);
        if (view.getUint8(at) !== 0xff) return null;
        if (marker === 0xff) {
          at += 1; // padding
          continue;
        }
        if (marker === 0xd9) return [...parts, [at, at + 2]];
        let end = at + 2 + view.getUint16(at + 2);
        if (marker === 0xda) end = endOfScan(view, end);
        view.getUint8(end - 1);
        const isMetadata =
          (marker >= 0xe0 && marker <= 0xef && !appsOfJpeg.includes(marker)) || marker === 0xfe;
        if (!isMetadata) parts.push([at, end]);
        at = end;
      }
    },
  },
];

/** The next marker that does not belong to the compressed data. */
function endOfScan(view: DataView, from: number): number {
  for (let at = from; ; at++) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    const isData = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isData && next !== 0xff) return at;
  }
}
