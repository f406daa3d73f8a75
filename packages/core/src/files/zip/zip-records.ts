import type { Bytes } from "../../ports/file-storage.ts";

/** A zip entry, stored uncompressed. */
export interface ZipEntry {
  /** Relative, with `/` between names; a folder's path ends with `/`. */
  readonly path: string;
  readonly size: number;
  readonly crc: number;
  /** Ms since the epoch. */
  readonly lastModified: number;
}

/** A written entry and its offset in the zip, in bytes. */
export interface PlacedZipEntry extends ZipEntry {
  readonly offset: number;
}

/** Where 32 or 16 bits are not enough, these values mean "see ZIP64". */
const over32 = 0xffff_ffff;
const over16 = 0xffff;
/** Names are UTF-8. */
const flags = 0x0800;
const versionPlain = 20;
const versionZip64 = 45;
const madeOnUnix = 3 << 8;
const fileMode = 0o100644;
const folderMode = 0o040755;
const dosFolder = 0x10;

type Field = readonly [bytes: 1 | 2 | 4 | 8, value: number];

/** The header before an entry's bytes. */
export function localHeader(entry: ZipEntry): Bytes {
  const isLarge = entry.size >= over32;
  const name = new TextEncoder().encode(entry.path);
  const zip64: Field[] = isLarge ? [...extra(1, 16), [8, entry.size], [8, entry.size]] : [];
  const extras = join([...zip64, ...timeExtra(entry)]);
  const head = join([[4, 0x0403_4b50], ...shared(entry, isLarge), [2, name.length], [2, extras.length]]);
  return concat([head, name, extras]);
}

/** The central directory at the end of a zip, and the records that locate it. */
export function zipEnd(entries: readonly PlacedZipEntry[], directoryOffset: number): Bytes {
  const directory = concat(entries.map(directoryRecord));
  const count = entries.length;
  const size = directory.byteLength;
  const needsZip64 = count >= over16 || size >= over32 || directoryOffset >= over32;
  const zip64 = needsZip64 ? zip64End(count, size, directoryOffset) : new Uint8Array();
  const capped = (value: number, most: number) => (needsZip64 ? most : value);
  const end = join([
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, capped(count, over16)],
    [2, capped(count, over16)],
    [4, capped(size, over32)],
    [4, capped(directoryOffset, over32)],
    [2, 0],
  ]);
  return concat([directory, zip64, end]);
}

function directoryRecord(entry: PlacedZipEntry): Bytes {
  const isLarge = entry.size >= over32;
  const isFar = entry.offset >= over32;
  const name = new TextEncoder().encode(entry.path);
  const large: Field[] = [
    ...(isLarge
      ? ([
          [8, entry.size],
          [8, entry.size],
        ] as const)
      : []),
    ...(isFar ? ([[8, entry.offset]] as const) : []),
  ];
  const extras = join([
    ...(large.length > 0 ? extra(1, large.length * 8) : []),
    ...large,
    ...timeExtra(entry),
  ]);
  const isFolder = entry.path.endsWith("/");
  const head = join([
    [4, 0x0201_4b50],
    [2, madeOnUnix | versionZip64],
    ...shared(entry, isLarge || isFar),
    [2, name.length],
    [2, extras.length],
    [2, 0],
    [2, 0],
    [2, 0],
    // The upper half is the Unix mode, the lower half the DOS attributes.
    [2, isFolder ? dosFolder : 0],
    [2, isFolder ? folderMode : fileMode],
    [4, isFar ? over32 : entry.offset],
  ]);
  return concat([head, name, extras]);
}

function zip64End(count: number, size: number, directoryOffset: number): Bytes {
  return join([
    [4, 0x0606_4b50],
    [8, 44],
    [2, madeOnUnix | versionZip64],
    [2, versionZip64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, directoryOffset],
    [4, 0x0706_4b50],
    [4, 0],
    [8, directoryOffset + size],
    [4, 1],
  ]);
}

/** The fields that both records of an entry share. */
function shared({ crc, size, lastModified }: ZipEntry, needsZip64: boolean): Field[] {
  const length = size >= over32 ? over32 : size;
  return [
    [2, needsZip64 ? versionZip64 : versionPlain],
    [2, flags],
    [2, 0],
    ...dosTime(lastModified),
    [4, crc],
    [4, length],
    [4, length],
  ];
}

/** Local time, in steps of two seconds from 1980 to 2107. */
function dosTime(lastModified: number): Field[] {
  const at = new Date(Math.min(Math.max(lastModified, Date.UTC(1980, 0, 2)), Date.UTC(2107, 11, 30)));
  return [
    [2, (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)],
    [2, ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()],
  ];
}

/** UTC time, in seconds since 1970, as far as 31 bits allow. */
function timeExtra({ lastModified }: ZipEntry): Field[] {
  const seconds = Math.floor(lastModified / 1_000);
  return seconds > 0 && seconds < 2 ** 31 ? [...extra(0x5455, 5), [1, 1], [4, seconds]] : [];
}

function extra(id: number, bytes: number): Field[] {
  return [
    [2, id],
    [2, bytes],
  ];
}

function join(fields: readonly Field[]): Bytes {
  const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 1) view.setUint8(at, value);
    else if (length === 2) view.setUint16(at, value, true);
    else if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += length;
  }
  return bytes;
}

function concat(pieces: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

const crcTable = new Uint32Array(256).map((_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 as used by zip; `before` is the result for the preceding bytes. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}
