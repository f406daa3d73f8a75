import { describe, expect, test } from "vitest";
import { judgePicture, pixelsOf } from "./picture-size.ts";

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const be = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** (bytes - 1 - i)) % 256);
const le = (value: number, bytes: number) => be(value, bytes).reverse();
const box = (type: string, ...content: readonly number[]) => [
  ...be(content.length + 8, 4),
  ...ascii(type),
  ...content,
];

const png = (width: number, height: number) => [
  ...[0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a, 0, 0, 0, 13],
  ...[...ascii("IHDR"), ...be(width, 4), ...be(height, 4), 8, 6, 0, 0, 0],
];
const jpeg = (width: number, height: number) => [
  // The EXIF thumbnail has its own size.
  ...[0xff, 0xd8, 0xff, 0xe1, ...be(13, 2), 0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 1, 0, 1],
  ...[0xff, 0xc4, 0, 4, 1, 1, 0xff, 0xff, 0xc2, 0, 17, 8, ...be(height, 2), ...be(width, 2), 3],
];
const gifScreen = (width: number, height: number) => [
  ...[...ascii("GIF89a"), ...le(width, 2), ...le(height, 2), 0x80, 0, 0, 1, 2, 3, 4, 5, 6],
  ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
];
const gif = (width: number, height: number) => [
  ...gifScreen(1, 1),
  ...[0x2c, 0, 0, 0, 0, ...le(width, 2), ...le(height, 2), 0],
];
const webp = (...chunk: readonly number[]) => [...ascii("RIFF"), ...le(99, 4), ...ascii("WEBP"), ...chunk];
const webpExtended = (width: number, height: number) =>
  webp(...ascii("VP8X"), ...le(10, 4), 0, 0, 0, 0, ...le(width - 1, 3), ...le(height - 1, 3));
const webpLossless = (width: number, height: number) =>
  webp(...ascii("VP8L"), ...le(99, 4), 0x2f, ...le((width - 1) | ((height - 1) << 14), 4));
const webpLossy = (width: number, height: number) =>
  webp(...ascii("VP8 "), ...le(99, 4), 0, 0, 0, 0x9d, 1, 0x2a, ...le(width, 2), ...le(height, 2));
/** The header of an AV1 sequence, given as a string of bits, in a unit with a length. */
const sequence = (bits: string) => {
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0").match(/.{8}/g) ?? [];
  return [0x0a, bytes.length, ...bytes.map((byte) => Number.parseInt(byte, 2))];
};
const sized = (width: number, height: number, sizeBits = 16) =>
  [sizeBits - 1, sizeBits - 1].map((count) => count.toString(2).padStart(4, "0")).join("") +
  [width - 1, height - 1].map((side) => side.toString(2).padStart(sizeBits, "0")).join("");
const reduced = (width: number, height: number) => sequence(`0001100000${sized(width, height)}`);
/** A non-reduced header with one layer and no timing information. */
const full = (width: number, height: number, sizeBits: number, layers = 0, timed = 0) =>
  sequence(
    `00010${timed}0${layers.toString(2).padStart(5, "0")}${"0".repeat(12)}01001${"0"}${sized(width, height, sizeBits)}`,
  );
/** @param items the data of each; `locate` says where the item table locates it. */
const avifOf = (
  stated: readonly [number, number],
  items: readonly (readonly number[])[],
  locate: (start: number, length: number) => readonly number[] = (start, length) => [
    ...[...be(1, 2), ...be(start, 4), ...be(length, 4)],
  ],
  before: readonly number[] = [],
) => {
  const head = [...box("ftyp", ...ascii("avif"), 0, 0, 0, 0), ...before];
  const metaOf = (start: number) => {
    let at = start;
    const entries = items.flatMap((data, index) => {
      at += data.length;
      return [...be(index + 1, 2), 0, 0, ...locate(at - data.length, data.length)];
    });
    return box(
      "meta",
      ...[0, 0, 0, 0],
      ...box("iloc", 0, 0, 0, 0, 0x44, 0, ...be(items.length, 2), ...entries),
      ...box("ispe", 0, 0, 0, 0, ...be(16, 4), ...be(16, 4)),
      ...box("ispe", 0, 0, 0, 0, ...be(stated[0], 4), ...be(stated[1], 4)),
    );
  };
  const start = head.length + metaOf(0).length + 8;
  return [...head, ...metaOf(start), ...box("mdat", ...items.flat())];
};
const avif = (width: number, height: number) => avifOf([width, height], [reduced(width, height)]);
/** 8×8 px of red, written by libheif. */
const realAvif =
  "AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAACUAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAAAgAAAAIAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAtbWRhdBIACgg4CL9pAQ0GkDIXGUJjBMAANAAAkEDJHGFLjRrWEFSx+yA=";
const bmp = (width: number, height: number) => [
  ...[...ascii("BM"), ...new Array(12).fill(0), 40, 0, 0, 0],
  ...[...le(width, 4), ...le(2 ** 32 - height, 4), 1, 0, 24, 0],
];

const blob = (bytes: readonly number[]) => new Blob([Uint8Array.from(bytes)]);

describe("the number of pixels of a picture", () => {
  test.each([
    ["PNG", png],
    ["JPEG", jpeg],
    ["GIF", gif],
    ["extended WebP", webpExtended],
    ["lossless WebP", webpLossless],
    ["lossy WebP", webpLossy],
    ["AVIF", avif],
    ["BMP", bmp],
  ])("is read from the header: %s", async (_, headerOf) => {
    expect(await pixelsOf(blob(headerOf(12_000, 9_000)))).toBe(108_000_000);
  });

  test.each([
    ["a GIF with a large screen and no frame", blob([...gifScreen(9_000, 9_000), 0x3b]), 81_000_000],
    ["a truncated header", blob(png(10, 10).slice(0, 19)), null],
    ["a JPEG that states its height later", blob(jpeg(10, 0)), null],
    ["an AVIF without a size", blob(box("ftyp", ...ascii("avif"), 0, 0, 0, 0)), null],
    ["another file", blob(ascii("%PDF-1.7")), null],
    ["an empty file", new Blob(), null],
  ])("is unknown for %s", async (_, file, pixels) => {
    expect(await pixelsOf(file)).toBe(pixels);
  });

  test("is unknown for an AVIF sequence, whose tracks have their own sizes", async () => {
    const bytes = avif(16, 16);
    for (const [brand, at] of [
      ["avis", 8],
      ["avis", 16],
    ] as const) {
      const hostile = [...bytes.slice(0, at), ...ascii(brand), ...bytes.slice(at + 4)];
      expect(await pixelsOf(blob(hostile))).toBeNull();
    }
  });

  describe("of an AVIF whose coded picture differs from the size in its container", () => {
    const huge = reduced(60_000, 60_000);
    const frame = [0x32, 3, 0, 0, 0];
    test.each<[string, readonly number[], number | null]>([
      ["is that of a larger coded picture", avifOf([16, 16], [huge]), 3_600_000_000],
      ["is the stated one, if larger", avifOf([9_000, 9_000], [reduced(16, 16)]), 81_000_000],
      ["includes each coded picture", avifOf([16, 16], [reduced(50, 20), reduced(30, 10)]), 1_300],
      [
        "uses the largest header of an item",
        avifOf([16, 16], [[...reduced(8, 8), ...frame, ...huge]]),
        3_600_000_000,
      ],
      [
        "skips other units before the header",
        avifOf([16, 16], [[0x12, 0, 0x7a, 0x81, 0, 9, ...huge]]),
        3_600_000_000,
      ],
      ["is the maximum if frames may state their own size", avifOf([16, 16], [full(16, 16, 16)]), 2 ** 32],
      ["is exact for a size that uses all its bits", avifOf([16, 16], [full(64, 32, 6)]), 4_096],
      ["ignores other items", avifOf([16, 16], [reduced(16, 16), [0, 0, 0, 0, ...ascii("II*"), 0x0a]]), 256],
      ["is unknown with several layers", avifOf([16, 16], [full(16, 16, 16, 1)]), null],
      ["is unknown with timing information", avifOf([16, 16], [full(16, 16, 16, 0, 1)]), null],
      ["is unknown without a coded picture", avifOf([16, 16], [[0x12, 0]]), null],
      [
        "is unknown without a stated size",
        avifOf([0, 0], [reduced(16, 16)]).map((byte) => (byte === 0x70 ? 0x71 : byte)),
        null,
      ],
      [
        "is unknown if an item has no stated length",
        avifOf([16, 16], [huge], (start) => [...be(1, 2), ...be(start, 4), ...be(0, 4)]),
        null,
      ],
      [
        "is unknown if an item is beyond the end of the file",
        avifOf([16, 16], [huge], () => [...be(1, 2), ...be(99_999, 4), ...be(12, 4)]),
        null,
      ],
      [
        "is unknown if one part is read repeatedly",
        avifOf([16, 16], [reduced(8, 8)], (start) => [
          ...be(400, 2),
          ...new Array(400).fill([...be(start, 4), ...be(12, 4)]).flat(),
        ]),
        null,
      ],
      [
        "is unknown if an earlier box has a 64-bit length, which could hide another header",
        avifOf([16, 16], [reduced(16, 16)], undefined, [
          ...be(1, 4),
          ...ascii("free"),
          ...be(0, 4),
          ...be(16, 4),
        ]),
        null,
      ],
    ])("%s", async (_, bytes, pixels) => {
      expect(await pixelsOf(blob(bytes))).toBe(pixels);
    });

    test("adds up the parts of an item", async () => {
      const bytes = avifOf([16, 16], [huge], (start, length) => [
        ...[...be(2, 2), ...be(start, 4), ...be(3, 4)],
        ...[...be(start + 3, 4), ...be(length - 3, 4)],
      ]);
      expect(await pixelsOf(blob(bytes))).toBe(3_600_000_000);
    });

    test("is that of a real file", async () => {
      const bytes = Uint8Array.from(atob(realAvif), (character) => character.charCodeAt(0));
      expect(await pixelsOf(new Blob([bytes]))).toBe(64);
    });
  });

  const hostile: readonly (readonly [string, readonly number[]])[] = [
    [
      "an SVG whose viewBox is huge",
      ascii('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e9 1e9"/>'),
    ],
    ["an SVG after the signature of a GIF", ascii('GIF89a<svg viewBox="0 0 99999 99999"/>')],
    [
      "an animated PNG of 60,000 px a side",
      [...png(60_000, 60_000), 0, 0, 0, 0, ...be(8, 4), ...ascii("acTL")],
    ],
    ["an animated WebP of 16,384 px a side", webpExtended(16_384, 16_384)],
    ["a WebP without a known chunk", webp(...ascii("ICCP"), ...le(16, 4), 0, 0, 0, 0)],
    ["a PNG of no width", png(0, 60_000)],
    ["a PNG whose size overflows 32 bits", png(2 ** 31, 2 ** 31)],
    ["a JPEG of endless segments", [0xff, 0xd8, ...new Array(4_000).fill([0xff, 0xe1, 0, 2]).flat()]],
    ["a TIFF", [...ascii("II"), 42, 0, ...le(8, 4)]],
    ["an icon", [0, 0, 1, 0, 1, 0, 0, 0]],
    ["a JPEG XL", [0xff, 0x0a, 0xff, 0xff]],
  ];
  test.each(hostile)("prevents rendering of %s", async (_, header) => {
    expect((await judgePicture(blob(header))).status).not.toBe("drawable");
    for (let length = 0; length <= Math.min(header.length, 64); length++)
      expect((await judgePicture(blob(header.slice(0, length)))).status).not.toBe("drawable");
  });

  test("decides whether a picture is rendered", async () => {
    expect(await judgePicture(blob(png(8_000, 5_000)))).toMatchObject({
      status: "drawable",
      type: "image/png",
    });
    expect(await judgePicture(blob(png(8_001, 5_000)))).toEqual({ status: "too-large" });
    expect(await judgePicture(blob(png(60_000, 60_000)))).toEqual({ status: "too-large" });
    expect(await judgePicture(blob(png(8_000, 5_000).slice(0, 20)))).toEqual({ status: "none" });
    expect(await judgePicture(blob(ascii("<svg/>")))).toEqual({ status: "none" });
  });
});
