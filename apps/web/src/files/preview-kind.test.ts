import { describe, expect, test } from "vitest";
import { previewKind } from "./preview-kind.ts";

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
  );
const zeros = (count: number) => Array.from({ length: count }, () => 0);

describe("the preview kind", () => {
  test.each([
    ["a picture", bytes([0x89], "PNG\r\n", [0x1a, 0x0a], zeros(40)), { kind: "image", type: "image/png" }],
    ["an AVIF", bytes([0, 0, 0, 32], "ftypavif", zeros(9)), { kind: "image", type: "image/avif" }],
    ["an MP4", bytes([0, 0, 0, 32], "ftypisom", zeros(9)), { kind: "video", type: "video/mp4" }],
    ["an M4A", bytes([0, 0, 0, 32], "ftypM4A ", zeros(9)), { kind: "audio", type: "audio/mp4" }],
    ["a WebM", bytes([0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82], "webm"), { kind: "video", type: "video/webm" }],
    ["a Matroska", bytes([0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82], "matroska"), { kind: "none" }],
    ["an Ogg", bytes("OggS", zeros(20), "vorbis"), { kind: "audio", type: "audio/ogg" }],
    ["a WAV", bytes("RIFF", zeros(4), "WAVE"), { kind: "audio", type: "audio/wav" }],
    ["an MP3", bytes("ID3", [4, 0, 0]), { kind: "audio", type: "audio/mpeg" }],
    ["a PDF", bytes("%PDF-1.7\n"), { kind: "pdf" }],
    [
      "a page, as text",
      bytes("<!doctype html><script>alert(1)</script>"),
      { kind: "text", encoding: "utf-8" },
    ],
    ["an SVG, as text", bytes('<svg onload="alert(1)"/>'), { kind: "text", encoding: "utf-8" }],
    ["a text cut in a letter", bytes("Gr", [0xc3]), { kind: "text", encoding: "utf-8" }],
    ["UTF-16", bytes([0xff, 0xfe], "h", [0]), { kind: "text", encoding: "utf-16le" }],
    ["an empty file", bytes(), { kind: "text", encoding: "utf-8" }],
    ["a program", bytes("MZ", [0x90, 0, 3]), { kind: "none" }],
    ["an archive", bytes("PK", [3, 4, 20, 0]), { kind: "none" }],
  ])("of %s", (_, content, kind) => {
    // The sender chose the name, so it is not used.
    expect(previewKind(content, "holiday.png")).toEqual(kind);
  });

  test("of text in a legacy encoding depends on its name", () => {
    const old = bytes("Gr", [0xfc], "n");
    expect(previewKind(old, "notes.txt")).toEqual({ kind: "text", encoding: "windows-1252" });
    expect(previewKind(old, "notes.bin")).toEqual({ kind: "none" });
  });
});
