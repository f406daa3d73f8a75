import { crc32 } from "node:zlib";
import type { Page } from "@playwright/test";
import { drawPng, type Rgb } from "./pictures.ts";

/** An animated PNG of two frames, each of one colour. */
export function animatedPng(size: number, first: Rgb, second: Rgb): Buffer {
  const [still, next] = [first, second].map((colour) => pngChunks(drawPng(size, size, () => colour)));
  const dataOf = (chunks: typeof still) =>
    Buffer.concat((chunks ?? []).filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const header = still?.find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(0);
  const frame = (sequence: number) =>
    pngChunk("fcTL", Buffer.concat([u32(sequence, size, size, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]));
  return Buffer.concat([
    pngSignature,
    pngChunk("IHDR", header),
    pngChunk("acTL", u32(2, 0)),
    frame(0),
    pngChunk("IDAT", dataOf(still)),
    frame(1),
    pngChunk("fdAT", Buffer.concat([u32(2), dataOf(next)])),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** An animated GIF of two frames of one pixel. */
export function animatedGif(): Buffer {
  const frame = "21f904000a0000002c00000000010001000002024401 00".replace(" ", "");
  const loop = "21ff0b4e45545343415045322e30030100000 0".replace(" ", "");
  return Buffer.from(`47494638396101000100800000ff0000000000${loop}${frame}${frame}3b`, "hex");
}

/** An animated WebP of two frames, each of one colour; the browser of the page encodes them. */
export async function animatedWebp(page: Page, size: number, colours: readonly string[]): Promise<Buffer> {
  const frames = await Promise.all(
    colours.map(async (colour) => {
      const still = await encodeInPage(page, "image/webp", size, colour);
      const frame = Buffer.concat([u24(0, 0, size - 1, size - 1, 100), Buffer.from([0]), pixelsOf(still)]);
      return riffChunk("ANMF", frame);
    }),
  );
  const hasAnimation = 0x02;
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    riffChunk("VP8X", Buffer.concat([Buffer.from([hasAnimation, 0, 0, 0]), u24(size - 1, size - 1)])),
    riffChunk("ANIM", Buffer.alloc(6)),
    ...frames,
  ]);
  return riffChunk("RIFF", body);
}

/** A single-coloured picture, encoded by the browser of the page. */
export async function encodeInPage(
  page: Page,
  type: "image/webp" | "image/jpeg",
  size: number,
  colour: string,
): Promise<Buffer> {
  const address = await page.evaluate(
    ([mime, edge, fill]) => {
      const canvas = document.createElement("canvas");
      canvas.width = edge;
      canvas.height = edge;
      const context = canvas.getContext("2d", { alpha: false });
      if (context === null) throw new Error("no canvas");
      context.fillStyle = fill;
      context.fillRect(0, 0, edge, edge);
      return canvas.toDataURL(mime);
    },
    [type, size, colour] as const,
  );
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

function pngChunks(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString("latin1", at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

/** The chunk of a still WebP that contains its pixels, without any surrounding chunks. */
function pixelsOf(webp: Buffer): Buffer {
  for (let at = 12; at < webp.length; ) {
    const end = at + 8 + webp.readUInt32LE(at + 4);
    if (/^VP8[ L]$/.test(webp.toString("latin1", at, at + 4))) return webp.subarray(at, end + (end % 2));
    at = end + (end % 2);
  }
  throw new Error("no pixels");
}

function pngChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
}

function riffChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)]);
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function u24(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(3 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUIntLE(value, 3 * index, 3);
  return bytes;
}
