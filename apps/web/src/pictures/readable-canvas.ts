import { WarrenError } from "@warren/protocol";

/** A canvas and its context, of a page that may read what it draws. */
export interface ReadableCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

/** Two halves of a canvas that no white placeholder and no noise resembles. */
const known = [
  [200, 90, 40],
  [10, 120, 220],
] as const;
/** Some browsers flip the last bits of a few pixels, which nobody sees. */
const tolerance = 8;
/** The corner of a canvas that is tried, in px. */
const triedEdge = 16;

/**
 * A new canvas, tried with known colours before each use: against fingerprinting, some browsers return noise or white
 * instead of what was drawn, and a person may permit or forbid reading at any moment.
 * @throws WarrenError `canvas-unreadable`, or `no-canvas-context` where there is no canvas at all.
 */
export function readableCanvas(width: number, height: number): ReadableCanvas {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new WarrenError("no-canvas-context");
  if (!readsKnown(context, Math.min(width, triedEdge), Math.min(height, triedEdge)))
    throw new WarrenError("canvas-unreadable");
  context.clearRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  return { canvas, context };
}

function readsKnown(context: CanvasRenderingContext2D, width: number, height: number): boolean {
  const half = Math.ceil(width / 2);
  known.forEach((colour, side) => {
    context.fillStyle = `rgb(${colour.join(" ")})`;
    context.fillRect(side * half, 0, half, height);
  });
  try {
    const { data } = context.getImageData(0, 0, width, height);
    for (let at = 0; at < data.length; at++) {
      const isLeft = Math.floor(at / 4) % width < half;
      const expected = known[isLeft ? 0 : 1][at % 4] ?? 255;
      if (Math.abs((data[at] ?? 0) - expected) > tolerance) return false;
    }
    return true;
  } catch {
    return false; // an extension may make reading throw
  }
}
