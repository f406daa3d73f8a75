import type { Locator } from "@playwright/test";
import readQr from "jsqr";
import { PNG } from "pngjs";

/** A colour as red, green and blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A PNG file of a size, with the colour that `colourAt` gives each pixel. */
export function drawPng(width: number, height: number, colourAt: (x: number, y: number) => Rgb): Buffer {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) png.data.set([...colourAt(x, y), 255], (y * width + x) * 4);
  }
  return PNG.sync.write(png);
}

/** Reads the PNG of a data URL. @throws Error when it is something else. */
export function readPngUrl(address: string | null): PNG {
  const [, base64] = /^data:image\/png;base64,(.+)$/.exec(address ?? "") ?? [];
  if (base64 === undefined) throw new Error(`No PNG data URL: ${address?.slice(0, 40)}`);
  return PNG.sync.read(Buffer.from(base64, "base64"));
}

/** The colour of one pixel. */
export function pixelAt({ data, width }: PNG, x: number, y: number): Rgb {
  const [red = 0, green = 0, blue = 0] = data.subarray((y * width + x) * 4);
  return [red, green, blue];
}

/** What the QR code on a canvas says; null while there is none to be read. */
export async function readQrCanvas(canvas: Locator): Promise<string | null> {
  const address = await canvas.evaluate((element) =>
    element instanceof HTMLCanvasElement ? element.toDataURL("image/png") : null,
  );
  const png = readPngUrl(address);
  return readQr(new Uint8ClampedArray(png.data), png.width, png.height)?.data ?? null;
}
