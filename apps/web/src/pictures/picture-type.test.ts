import { describe, expect, test } from "vitest";
import { sniffPicture } from "./picture-type.ts";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...text(part)] : part)));

const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const ihdr = [...new Array<number>(25).fill(0)];

describe("a picture type", () => {
  test.each([
    ["a PNG", bytes(pngHead, ihdr, [0, 0, 0, 0], "IDAT"), { type: "image/png", animated: false }],
    ["an animated PNG", bytes(pngHead, ihdr, [0, 0, 0, 8], "acTL"), { type: "image/png", animated: true }],
    ["a JPEG", bytes([0xff, 0xd8, 0xff, 0xe0]), { type: "image/jpeg", animated: false }],
    ["a GIF", bytes("GIF89a"), { type: "image/gif", animated: true }],
    ["a WebP", bytes("RIFF", [1, 2, 3, 4], "WEBPVP8 "), { type: "image/webp", animated: false }],
    [
      "an animated WebP",
      bytes("RIFF", [1, 2, 3, 4], "WEBPVP8X", [10, 0, 0, 0, 2]),
      { type: "image/webp", animated: true },
    ],
  ])("is detected by the first bytes: %s", (_name, head, picture) => {
    expect(sniffPicture(head)).toEqual(picture);
  });

  test.each([
    ["SVG", text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ["HTML", text("<!doctype html><img src=x>")],
    ["a WAV, which also begins with RIFF", bytes("RIFF", [1, 2, 3, 4], "WAVEfmt ")],
    ["nothing", new Uint8Array()],
    ["a PNG cut short", bytes(pngHead.slice(0, 6))],
  ])("is not detected for %s", (_name, head) => {
    expect(sniffPicture(head)).toBeNull();
  });
});
