import { limits, WarrenError } from "@warren/protocol";
import { judgePicture, picturePixelsMax, pixelsOf } from "./picture-size.ts";
import { claimsPicture } from "./picture-type.ts";

/** Edge of a stored picture in px (SPEC §9). */
export const avatarSize = 128;

/** Edge in px of the largest picture of somebody else that is drawn. */
const drawnEdgeMax = 2_048;

/** The largest square in the middle of an image. */
export function centredSquare(width: number, height: number): { x: number; y: number; size: number } {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

/**
 * The middle of a picture file as a PNG data URL of 128×128.
 * @throws WarrenError `invalid-avatar` for a file that is no image, `image-read-failed`, `image-too-large`,
 * `image-load-failed` or `no-canvas-context`.
 */
export function pictureFromFile(file: File): Promise<string> {
  return withImageOf(file, toPng);
}

/** What `draw` makes of a picture file. @throws WarrenError as {@link pictureFromFile}, and what `draw` throws. */
export async function withImageOf<T>(file: File, draw: (image: HTMLImageElement) => T): Promise<T> {
  if (!file.type.startsWith("image/")) throw new WarrenError("invalid-avatar");
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause: unknown) => {
      throw new WarrenError("image-read-failed", {}, { cause });
    });
  // Of a drawing (SVG) no header tells a size: it is drawn no larger than it is wanted.
  if (((await pixelsOf(file)) ?? 0) > picturePixelsMax) throw new WarrenError("image-too-large");
  const address = URL.createObjectURL(file);
  try {
    return draw(await loadUndecoded(address));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * A picture by its address: as a PNG data URL where its host allows that, otherwise the address itself, which only
 * this browser shows.
 * @throws WarrenError `image-load-failed` when it cannot be shown at all, `image-too-large`.
 */
export async function pictureFromAddress(address: string): Promise<string> {
  if (!/^(?:https?:\/\/|data:image\/)/i.test(address)) throw new WarrenError("image-load-failed");
  try {
    return toPng(await loadUndecoded(address, "anonymous"));
  } catch {
    await loadUndecoded(address);
    return address;
  }
}

/**
 * The picture of somebody else, drawn anew: a still PNG data URL of 128×128 with nothing left of the file it came in.
 * Null for what is no picture, or so large that drawing it would take memory out of all proportion.
 */
export async function redrawnPicture(dataUrl: string): Promise<string | null> {
  try {
    const image = await loadUndecoded(dataUrl);
    if (Math.max(image.naturalWidth, image.naturalHeight) > drawnEdgeMax) return null;
    const png = toPng(image);
    return png.length <= limits.avatarBytes ? png : null;
  } catch {
    return null;
  }
}

/** The thumbnail that goes with an offer: of one picture, or a row of the first of many; in px, sharp on a card of 400. */
const offered = { edge: 240, rowWidth: 480, rowPictures: 4, rowGap: 4 } as const;

/** A file of more bytes is offered without a thumbnail: it would keep the offer waiting. */
const offeredBytesMax = 24_000_000;

/** How the files of an offer look: the only one in its own shape, of many the first pictures in a row. Null for no picture. */
export async function offerThumbnail(files: readonly File[]): Promise<string | null> {
  const images: HTMLImageElement[] = [];
  for (const file of files) {
    if (images.length === offered.rowPictures) break;
    const image = await drawableImage(file).catch(() => null);
    if (image !== null) images.push(image);
  }
  const [only] = images;
  if (only === undefined) return null;
  return files.length === 1 ? drawnWhole(only, offered.edge) : drawnInRow(images);
}

async function drawableImage(file: File): Promise<HTMLImageElement | null> {
  const claims = claimsPicture({ mimeType: file.type, fileName: file.name });
  if (!claims || file.size > offeredBytesMax) return null;
  const judged = await judgePicture(file);
  if (judged.status !== "drawable") return null;
  const address = URL.createObjectURL(new Blob([file], { type: judged.type }));
  try {
    const image = await loadUndecoded(address);
    // Its address may go once it is decoded, which does not keep the page waiting.
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The thumbnail of somebody else's offer, redrawn in its shape. Null for what is none. */
export async function redrawnThumbnail(dataUrl: string): Promise<string | null> {
  try {
    const image = await loadUndecoded(dataUrl);
    const isThumbnail = Math.max(image.naturalWidth, image.naturalHeight) <= offered.rowWidth;
    return isThumbnail ? drawnWhole(image, offered.rowWidth) : null;
  } catch {
    return null;
  }
}

function drawnWhole(image: HTMLImageElement, edge: number): string | null {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, edge / Math.max(naturalWidth, naturalHeight));
  // A line is a picture too.
  const [width, height] = [naturalWidth, naturalHeight].map((side) => Math.max(1, Math.round(side * scale)));
  const { canvas, context } = emptyCanvas(width ?? 1, height ?? 1);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return smallThumbnail(canvas, context);
}

function drawnInRow(images: readonly HTMLImageElement[]): string | null {
  const { rowWidth, rowPictures, rowGap } = offered;
  const edge = (rowWidth + rowGap) / rowPictures - rowGap;
  const { canvas, context } = emptyCanvas(images.length * (edge + rowGap) - rowGap, edge);
  images.forEach((image, index) => {
    const { x, y, size } = centredSquare(image.naturalWidth, image.naturalHeight);
    context.drawImage(image, x, y, size, size, index * (edge + rowGap), 0, edge, edge);
  });
  return smallThumbnail(canvas, context);
}

/** A thumbnail as it may travel: of less quality where it would be too large. */
function smallThumbnail(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): string | null {
  // Safari writes no WebP, and in a JPEG what is transparent would turn black.
  const writesWebp = canvas.toDataURL("image/webp").startsWith("data:image/webp");
  if (!writesWebp) {
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  for (const quality of [0.8, 0.6, 0.4, 0.2, 0.05]) {
    const address = canvas.toDataURL(writesWebp ? "image/webp" : "image/jpeg", quality);
    if (address.length <= limits.thumbnailBytes) return address;
  }
  return null;
}

/**
 * A whole picture as a PNG, redrawn unless it is one.
 * @throws WarrenError `image-load-failed`, `image-too-large`, `no-canvas-context`.
 */
export async function pictureAsPng(file: File): Promise<Blob> {
  const judged = await judgePicture(file);
  if (judged.status === "too-large") throw new WarrenError("image-too-large");
  if (judged.status === "none") throw new WarrenError("image-load-failed");
  const picture = new Blob([file], { type: judged.type });
  if (judged.type === "image/png") return picture;
  const address = URL.createObjectURL(picture);
  try {
    const image = await loadUndecoded(address);
    const { canvas, context } = emptyCanvas(image.naturalWidth, image.naturalHeight);
    context.drawImage(image, 0, 0);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (png === null) throw new WarrenError("image-load-failed");
    return png;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * The middle of a picture as a still data URL of `edge`×`edge`, redrawn, as WebP where the browser writes it. Null for what
 * is no picture, or has too many pixels.
 */
export async function thumbnailOf(picture: Blob, edge: number): Promise<string | null> {
  const address = URL.createObjectURL(picture);
  try {
    return drawSquare(await loadUndecoded(address), edge).canvas.toDataURL("image/webp", 0.8);
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * Loads an image so far that its size is known; it is decoded no sooner than it is drawn.
 * @throws WarrenError `image-load-failed`, or `image-too-large` where it has more pixels than are decoded.
 */
async function loadUndecoded(address: string, crossOrigin?: "anonymous"): Promise<HTMLImageElement> {
  const image = new Image();
  if (crossOrigin !== undefined) image.crossOrigin = crossOrigin;
  const loaded = new Promise<void>((resolve, reject) => {
    image.onload = () => resolve();
    image.onerror = () => reject(new WarrenError("image-load-failed"));
  });
  image.src = address;
  await loaded;
  if (image.naturalWidth * image.naturalHeight > picturePixelsMax) throw new WarrenError("image-too-large");
  return image;
}

function toPng(image: HTMLImageElement): string {
  const { canvas, context } = drawSquare(image, avatarSize);
  return smallEnough(canvas, context);
}

/** Draws the middle of an image. @throws WarrenError `no-canvas-context`. */
function drawSquare(image: HTMLImageElement, edge: number) {
  const { canvas, context } = emptyCanvas(edge, edge);
  // A drawing without a size of its own (some SVG) fills the square.
  const { x, y, size } = centredSquare(image.naturalWidth || edge, image.naturalHeight || edge);
  context.drawImage(image, x, y, size, size, 0, 0, edge, edge);
  return { canvas, context };
}

/** @throws WarrenError `no-canvas-context`. */
function emptyCanvas(width: number, height: number) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new WarrenError("no-canvas-context");
  context.imageSmoothingQuality = "high";
  return { canvas, context };
}

/** A PNG of noise is too large for the wire; fewer shades per channel make it smaller and keep its look. */
function smallEnough(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): string {
  let address = canvas.toDataURL("image/png");
  for (const bits of [6, 5, 4, 3]) {
    if (address.length <= limits.avatarBytes) break;
    const pixels = context.getImageData(0, 0, avatarSize, avatarSize);
    keepBits(pixels.data, bits);
    context.putImageData(pixels, 0, 0);
    address = canvas.toDataURL("image/png");
  }
  return address;
}

/** Leaves `bits` of each 8-bit channel, spread over the whole range again. */
export function keepBits(channels: Uint8ClampedArray, bits: number): void {
  const steps = 2 ** bits - 1;
  for (let i = 0; i < channels.length; i++) {
    channels[i] = Math.round((Math.round(((channels[i] ?? 0) / 255) * steps) / steps) * 255);
  }
}
