import { describe, expect, test } from "vitest";
import { claimsText, previewKind } from "./preview-kind.ts";

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
    ["a Matroska", bytes([0x1a, 0x45, 0xdf, 0xa3, 0x42, 0x82], "matroska"), { kind: "other" }],
    ["an Ogg", bytes("OggS", zeros(20), "vorbis"), { kind: "audio", type: "audio/ogg" }],
    ["a WAV", bytes("RIFF", zeros(4), "WAVE"), { kind: "audio", type: "audio/wav" }],
    ["an MP3", bytes("ID3", [4, 0, 0]), { kind: "audio", type: "audio/mpeg" }],
    ["a PDF", bytes("%PDF-1.7\n"), { kind: "pdf" }],
    ["a page", bytes("<!doctype html><script>alert(1)</script>"), { kind: "other" }],
    ["an SVG", bytes('<svg onload="alert(1)"/>'), { kind: "other" }],
    ["an empty file", bytes(), { kind: "other" }],
    ["an archive", bytes("PK", [3, 4, 20, 0]), { kind: "other" }],
  ])("of %s", (_, content, kind) => {
    expect(previewKind(content)).toEqual(kind);
  });
});

test.each([
  ["notes.txt", "", true],
  ["sales", "text/csv", true],
  ["holiday.png", "image/png", false],
  ["archive", "", false],
])("%s of type %j claims that it is a text: %s", (fileName, mimeType, expected) => {
  expect(claimsText({ fileName, mimeType })).toBe(expected);
});
