/**
 * How much of an AVIF is read. Its coded pictures, which may be anywhere in it, state their own sizes; a
 * larger file has an unknown size.
 */
export const avifBytesMax = 32 * 1024 * 1024;

/** "ispe", the name of the property with an item's size. */
const ispe = 0x69_73_70_65;

/** Longer data inside the header is not a list of tiles, but may be a coded picture. */
const gridBytesMax = 12;

export function isAvif(view: DataView): boolean {
  return textAt(view, 4, "ftyp");
}

/**
 * The maximum number of pixels that a decoder may allocate for an AVIF: the size its container states, or the
 * total of its coded pictures, whichever is larger. The two can differ, and decoders follow the coded ones.
 * @returns null for another format, and for unsupported ones: sequences, whose tracks have their own sizes,
 * layered pictures, and data that cannot be located with certainty.
 * @throws RangeError if the file is truncated.
 */
export function pixelsOfAvif(view: DataView): number | null {
  if (!isAvif(view)) return null;
  const boxes = boxesIn(view, 0, view.byteLength, "meta");
  const [brands, meta] = [boxes?.[0], boxes?.find(({ type }) => type === "meta")];
  if (!brands || !meta) return null;
  for (let at = brands.start; at + 4 <= brands.end; at += 4) if (textAt(view, at, "avis")) return null;
  const inMeta = boxesIn(view, meta.start + 4, meta.end);
  const locations = inMeta?.filter(({ type }) => type === "iloc");
  if (locations?.length !== 1 || !locations[0]) return null;
  const coded = codedPixels(view, locations[0].start);
  const stated = statedPixels(view, meta);
  // Browsers do not render a file without either of them.
  return coded && stated && Math.max(coded, stated);
}

interface Box {
  readonly type: string;
  /** Start of its content. */
  readonly start: number;
  readonly end: number;
}

/**
 * The boxes in a range of the file, up to and including the first of type `last`. Null if the length of one
 * is not stated in the usual 32 bits, because its end would then be ambiguous.
 */
function boxesIn(view: DataView, from: number, end: number, last?: string): readonly Box[] | null {
  const boxes: Box[] = [];
  for (let at = from; at < end; ) {
    const length = view.getUint32(at);
    if (length < 8) return null;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    boxes.push({ type, start: at + 8, end: at + length });
    if (type === last) break;
    at += length;
  }
  return boxes;
}

/** A picture may consist of several items; each states its size in a property, and the largest counts. */
function statedPixels(view: DataView, { start, end }: Box): number {
  let largest = 0;
  for (let at = start; at + 16 <= end; at++) {
    if (view.getUint32(at) !== ispe) continue;
    largest = Math.max(largest, view.getUint32(at + 8) * view.getUint32(at + 12));
  }
  return largest;
}

/** The total pixels of all coded pictures in an item table (`iloc`); null if it cannot be followed. */
function codedPixels(view: DataView, start: number): number | null {
  const version = view.getUint8(start);
  const [lengths, moreLengths] = [view.getUint8(start + 4), view.getUint8(start + 5)];
  const offsetBytes = lengths >> 4;
  const lengthBytes = lengths & 15;
  const baseBytes = moreLengths >> 4;
  const indexBytes = version === 0 ? 0 : moreLengths & 15;
  if (version > 2 || [offsetBytes, lengthBytes, baseBytes, indexBytes].some((n) => ![0, 4, 8].includes(n)))
    return null;
  let at = start + 6;
  const next = (bytes: number): number => {
    at += bytes;
    if (bytes === 8) return Number(view.getBigUint64(at - 8));
    if (bytes === 4) return view.getUint32(at - 4);
    return bytes === 2 ? view.getUint16(at - 2) : 0;
  };
  const idBytes = version === 2 ? 4 : 2;
  let pixels = 0;
  let walkedBytes = 0;
  for (let items = next(idBytes); items > 0; items--) {
    next(idBytes);
    const isInHeader = version > 0 && (next(2) & 15) > 0;
    next(2);
    const base = next(baseBytes);
    const parts: Uint8Array[] = [];
    for (let extents = next(2); extents > 0; extents--) {
      next(indexBytes);
      const from = base + next(offsetBytes);
      const length = next(lengthBytes);
      walkedBytes += length;
      // Zero means up to the end. More than the file's length means that parts of it are read twice.
      if (length === 0 || walkedBytes > view.byteLength || (isInHeader && length > gridBytesMax)) return null;
      if (!isInHeader) parts.push(new Uint8Array(view.buffer, view.byteOffset + from, length));
    }
    const ofItem = pixelsOfItem(concatenate(parts));
    if (ofItem === null) return null;
    pixels += ofItem;
  }
  return pixels;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0];
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The largest picture in an item's AV1 units (OBUs); 0 for other data; null for a layered one. */
function pixelsOfItem(data: Uint8Array): number | null {
  let largest = 0;
  for (let at = 0; at < data.length; ) {
    const head = data[at] ?? 0;
    at += head & 0b100 ? 2 : 1;
    let length = data.length - at;
    if (head & 0b10) {
      length = 0;
      for (let shift = 0; shift < 56; shift += 7) {
        const byte = data[at++] ?? 0;
        length += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) break;
      }
    }
    if (((head >> 3) & 15) === 1) {
      const pixels = pixelsOfSequence(data.subarray(at, at + length));
      if (pixels === null) return null;
      largest = Math.max(largest, pixels);
    }
    at += length;
  }
  return largest;
}

/** Parses the header of an AV1 sequence (AV1 specification, 5.5.1) up to its size. */
function pixelsOfSequence(data: Uint8Array): number | null {
  let at = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (const end = at + count; at < end; at++)
      value = value * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  bits(4);
  const isReduced = bits(1) === 1;
  if (isReduced) bits(5);
  else {
    const [timing, delay, furtherLayers] = [bits(1), bits(1), bits(5)];
    if (timing || furtherLayers) return null;
    bits(12);
    if (bits(5) > 7) bits(1);
    if (delay && bits(1)) bits(4);
  }
  const [widthBits, heightBits] = [bits(4) + 1, bits(4) + 1];
  const [width, height] = [bits(widthBits) + 1, bits(heightBits) + 1];
  // Without the reduced header a frame may override the size, up to the maximum of these bits.
  return isReduced ? width * height : 2 ** (widthBits + heightBits);
}

/** Whether the bytes at `start` are these ASCII characters; false if the data ends before. */
export function textAt(view: DataView, start: number, text: string): boolean {
  return (
    start + text.length <= view.byteLength &&
    [...text].every((character, i) => view.getUint8(start + i) === character.charCodeAt(0))
  );
}
