import { pictureLengthMax } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { drawnFrom } from "../pictures/avatar-image.ts";
import { readableCanvas } from "../pictures/readable-canvas.ts";

/** Long edges in px and qualities, best first. */
const attempts = [
  { edge: 1_920, quality: 0.85 },
  { edge: 1_920, quality: 0.7 },
  { edge: 1_440, quality: 0.7 },
  { edge: 1_080, quality: 0.6 },
  { edge: 720, quality: 0.5 },
] as const;

/** A longer data URL makes us try a smaller picture: settings share a few MiB with all else that is stored this way. */
const lengthWanted = 768 * 1024;

/**
 * A picture file as a data URL (WebP, or JPEG if the browser cannot encode it) small enough to be stored with
 * the settings.
 * @throws WarrenError as `pictureFromFile`; `file-too-large` if no attempt is small enough.
 */
export function backgroundPictureFrom(file: File): Promise<string> {
  return drawnFrom(file, smallestOf, pictureLengthMax);
}

function smallestOf(image: HTMLImageElement): string {
  let smallest = "";
  for (const { edge, quality } of attempts) {
    smallest = encode(image, edge, quality);
    if (smallest.length <= lengthWanted) return smallest;
  }
  if (smallest.length <= pictureLengthMax) return smallest;
  throw new WarrenError("file-too-large");
}

/** The width and height that fit into a square of `edge`, never enlarged. */
export function fitInto(width: number, height: number, edge: number): { width: number; height: number } {
  const scale = Math.min(1, edge / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function encode(image: HTMLImageElement, edge: number, quality: number): string {
  // An image without an intrinsic size (some SVG) fills the square.
  const { width, height } = fitInto(image.naturalWidth || edge, image.naturalHeight || edge, edge);
  const { canvas, context } = readableCanvas(width, height);
  context.drawImage(image, 0, 0, width, height);
  const webp = canvas.toDataURL("image/webp", quality);
  return webp.startsWith("data:image/webp") ? webp : canvas.toDataURL("image/jpeg", quality);
}
