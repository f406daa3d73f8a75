import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barePicture } from "./bare-picture.ts";

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
const secret = ascii("48.2082,16.3738");

/** The checksum is kept, not read. */
const chunk = (name: string, data: readonly number[] = [1, 2, 3]): number[] => [
  ...[0, 0, 0, data.length],
  ...ascii(name),
  ...data,
  ...[9, 9, 9, 9],
];
const pngStart = [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a];
const png = [...pngStart, ...chunk("IHDR"), ...chunk("tRNS"), ...chunk("IDAT"), ...chunk("IEND")];
const toldPng = [
  ...pngStart,
  ...chunk("IHDR"),
  ...chunk("eXIf", secret),
  ...chunk("tRNS"),
  ...chunk("acTL"),
  ...chunk("iTXt", secret),
  ...chunk("IDAT"),
  ...chunk("fdAT"),
  ...chunk("IEND"),
  ...secret,
];

const segment = (marker: number, data: readonly number[]): number[] => [
  0xff,
  marker,
  0,
  data.length + 2,
  ...data,
];
/** Compressed data with an escaped 0xff, a restart, and nothing that looks like an end. */
const scan = [...segment(0xda, [1]), 7, 0xff, 0, 0xd9, 0xff, 0xd3, 8];
/** A table that contains what an end looks like. */
const table = segment(0xc4, [0xff, 0xd9]);
const jpegEnd = [0xff, 0xd9];
const jpeg = [
  0xff,
  0xd8,
  ...segment(0xe0, ascii("JFIF")),
  ...segment(0xee, ascii("Adobe")),
  ...scan,
  ...table,
  ...scan,
];
const toldJpeg = [
  ...[0xff, 0xd8],
  ...segment(0xe0, ascii("JFIF")),
  ...segment(0xe1, secret),
  0xff,
  ...segment(0xed, secret),
  ...segment(0xee, ascii("Adobe")),
  ...segment(0xfe, secret),
  ...scan,
  ...table,
  ...scan,
  ...jpegEnd,
  ...secret,
];

const bareOf = async (bytes: readonly number[]) => {
  const bare = barePicture(Uint8Array.from(bytes));
  return bare && { type: bare.type, bytes: [...new Uint8Array(await bare.arrayBuffer())] };
};

describe("a picture that is sent as it is", () => {
  it.each([
    ["PNG", toldPng, "image/png", png],
    ["JPEG", toldJpeg, "image/jpeg", [...jpeg, ...jpegEnd]],
  ])("loses everything of a %s that is not the picture", async (_name, told, type, bare) => {
    expect(await bareOf(told)).toEqual({ type, bytes: bare });
    expect(await bareOf(bare)).toEqual({ type, bytes: bare });
  });

  it.each([
    ["a GIF", ascii("GIF89a, and more than a header")],
    ["a page", ascii("<html><body>not a picture</body></html>")],
    ["an SVG", ascii('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["nothing", []],
  ])("is not %s", async (_name, bytes) => {
    expect(await bareOf(bytes)).toBeNull();
  });

  it("is whole: of a file that ends early, nothing is left", async () => {
    for (const whole of [png, [...jpeg, ...jpegEnd]])
      for (let length = 0; length < whole.length; length++)
        expect(await bareOf(whole.slice(0, length))).toBeNull();
  });

  it("never fails, whatever follows the signature", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(pngStart, [0xff, 0xd8, 0xff]),
        fc.uint8Array({ maxLength: 400 }),
        (start, rest) => {
          const bytes = Uint8Array.from([...start, ...rest]);
          expect(barePicture(bytes)?.size ?? 0).toBeLessThanOrEqual(bytes.length);
        },
      ),
    );
  });
});
