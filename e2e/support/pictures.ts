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

/** A drawn quay at dusk: a meaningful picture for screenshots of the app. */
export function drawQuay(width: number, height: number): Buffer {
  const horizon = height * 0.7;
  const [sunX, sunY] = [width * 0.66, horizon - height * 0.05];
  return drawPng(width, height, (x, y) => {
    const isLand = x < width * 0.34 && y > height * 0.62;
    const isCrane =
      (x > width * 0.08 && x < width * 0.1 && y > height * 0.3) ||
      (y > height * 0.3 && y < height * 0.32 && x > width * 0.02 && x < width * 0.24) ||
      (x > width * 0.14 && x < width * 0.28 && y > height * 0.5);
    const sailTop = height * 0.42;
    const isSail = y > sailTop && y < horizon && x > width * 0.47 && x - width * 0.47 < (y - sailTop) * 0.4;
    const isHull = y > horizon - 4 && y < horizon + height * 0.05 && x > width * 0.43 && x < width * 0.6;
    if (isLand || (isCrane && y < height * 0.7) || isSail || isHull) return [24, 34, 42];
    if (y < horizon && Math.hypot(x - sunX, y - sunY) < height * 0.07) return [252, 232, 196];
    const [upper, lower]: readonly [Rgb, Rgb] =
      y < horizon
        ? [
            [52, 84, 118],
            [238, 176, 134],
          ]
        : [
            [150, 140, 144],
            [62, 84, 104],
          ];
    const share = y < horizon ? y / horizon : (y - horizon) / (height - horizon);
    // In steps, which a PNG compresses well.
    const step = Math.round(share * 24) / 24;
    const mix = (from: number, to: number) => Math.round(from + (to - from) * step);
    return [mix(upper[0], lower[0]), mix(upper[1], lower[1]), mix(upper[2], lower[2])];
  });
}

/** Reads the PNG of a data URL. @throws Error for any other content. */
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

/** The text of the QR code on a canvas; null while none is readable. */
export async function readQrCanvas(canvas: Locator): Promise<string | null> {
  const address = await canvas.evaluate((element) =>
    element instanceof HTMLCanvasElement ? element.toDataURL("image/png") : null,
  );
  const png = readPngUrl(address);
  return readQr(new Uint8ClampedArray(png.data), png.width, png.height)?.data ?? null;
}
