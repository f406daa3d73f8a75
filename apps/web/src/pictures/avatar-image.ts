import { limits, WarrenError } from "@warren/protocol";
import { barePicture } from "./bare-picture.ts";
import { judgePicture, picturePixelsMax, pixelsOf } from "./picture-size.ts";
import { claimsPicture } from "./picture-type.ts";
import { type ReadableCanvas, readableCanvas } from "./readable-canvas.ts";

/** Edge of a stored picture in px. */
export const avatarSize = 128;

/** Largest edge of a received picture that is drawn, in px. */
const drawnEdgeMax = 2_048;

/** The largest centred square of an image. */
export function centredSquare(width: number, height: number): { x: number; y: number; size: number } {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

/**
 * The centre of a picture file as a PNG data URL of 128×128.
 * @throws WarrenError as {@link drawnFrom}.
 */
export function pictureFromFile(file: File): Promise<string> {
  return drawnFrom(file, toPng, limits.avatarBytes);
}

/**
 * The data URL that `draw` makes of a picture file. Where no canvas can be read, the file's own picture if its data URL
 * is at most `lengthMax` long.
 * @throws WarrenError `invalid-avatar` for a file that is no image, `image-read-failed`, `image-too-large`,
 * `image-load-failed`, `no-canvas-context`, `canvas-unreadable`, and what `draw` throws.
 */
export async function drawnFrom(
  file: File,
  draw: (image: HTMLImageElement) => string,
  lengthMax: number,
): Promise<string> {
  if (!file.type.startsWith("image/")) throw new WarrenError("invalid-avatar");
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch((cause: unknown) => {
      throw new WarrenError("image-read-failed", {}, { cause });
    });
  // An SVG header has no pixel size: it is drawn no larger than needed.
  if (((await pixelsOf(file)) ?? 0) > picturePixelsMax) throw new WarrenError("image-too-large");
  const address = URL.createObjectURL(file);
  try {
    return draw(await loadUndecoded(address));
  } catch (thrown) {
    const own = isUnreadable(thrown) ? await ownPicture(file, lengthMax) : null;
    if (own === null) throw thrown;
    return own;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof WarrenError && thrown.code === "canvas-unreadable";
}

/** The picture of a file as it is; null if its data URL would be longer, or it may contain more than a picture. */
async function ownPicture(file: File, lengthMax: number): Promise<string | null> {
  if (file.size > lengthMax) return null;
  const bare = barePicture(new Uint8Array(await file.arrayBuffer()));
  if (bare === null) return null;
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new WarrenError("image-read-failed"));
  });
  reader.readAsDataURL(bare);
  const address = await read;
  return typeof address === "string" && address.length <= lengthMax ? address : null;
}

/**
 * A picture from an address: a PNG data URL if its host allows that, otherwise the address itself, which only
 * this browser shows.
 * @throws WarrenError `image-load-failed` when it cannot be shown at all, `image-too-large`; `canvas-unreadable` for a
 * data URL, which would be sent to others as it is.
 */
export async function pictureFromAddress(address: string): Promise<string> {
  if (!/^(?:https?:\/\/|data:image\/)/i.test(address)) throw new WarrenError("image-load-failed");
  try {
    return toPng(await loadUndecoded(address, "anonymous"));
  } catch (thrown) {
    if (/^data:/i.test(address)) throw thrown;
    await loadUndecoded(address);
    return address;
  }
}

/**
 * A received picture, redrawn: a still PNG data URL of 128×128 without any bytes of the original file. Null
 * for an invalid picture, or one so large that decoding it would take excessive memory, and where no canvas can be read.
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

/** Thumbnail of an offer: of one picture, or a row of the first of many; in px, sharp on a card of 400. */
const offered = { edge: 240, rowWidth: 480, rowPictures: 4, rowGap: 4 } as const;

/** A larger file is offered without a thumbnail, which would delay the offer. */
const offeredBytesMax = 24_000_000;

/**
 * The thumbnail of an offer's files: a single one in its own aspect ratio, otherwise the first pictures in a
 * row. Null without pictures.
 * @throws WarrenError `no-canvas-context` or `canvas-unreadable`: there is no thumbnail then.
 */
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
    // Its address may be revoked once it is decoded; decoding is asynchronous and does not block the page.
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A received thumbnail, redrawn in its aspect ratio. Null if it is invalid, or no canvas can be read. */
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
  // Scaling a thin line must not give an edge of 0.
  const [width, height] = [naturalWidth, naturalHeight].map((side) => Math.max(1, Math.round(side * scale)));
  const drawn = readableCanvas(width ?? 1, height ?? 1);
  drawn.context.drawImage(image, 0, 0, drawn.canvas.width, drawn.canvas.height);
  return smallThumbnail(drawn);
}

function drawnInRow(images: readonly HTMLImageElement[]): string | null {
  const { rowWidth, rowPictures, rowGap } = offered;
  const edge = (rowWidth + rowGap) / rowPictures - rowGap;
  const drawn = readableCanvas(images.length * (edge + rowGap) - rowGap, edge);
  images.forEach((image, index) => {
    const { x, y, size } = centredSquare(image.naturalWidth, image.naturalHeight);
    drawn.context.drawImage(image, x, y, size, size, index * (edge + rowGap), 0, edge, edge);
  });
  return smallThumbnail(drawn);
}

/** A thumbnail within the size limit; the quality is reduced if needed. */
function smallThumbnail({ canvas, context }: ReadableCanvas): string | null {
  // Safari cannot encode WebP, and a JPEG would turn transparency black.
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
 * A whole picture as a PNG, redrawn unless it already is one.
 * @throws WarrenError `image-load-failed`, `image-too-large`, `no-canvas-context`, `canvas-unreadable`.
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
    const { canvas, context } = readableCanvas(image.naturalWidth, image.naturalHeight);
    context.drawImage(image, 0, 0);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (png === null) throw new WarrenError("image-load-failed");
    return png;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * The centre of a picture as a still data URL of `edge`×`edge`, redrawn, as WebP if the browser can encode
 * it. Null for an invalid picture, or one with too many pixels, and where no canvas can be read.
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
 * Loads an image until its size is known; it is not decoded before it is drawn.
 * @throws WarrenError `image-load-failed`, or `image-too-large` if it has more pixels than are decoded.
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
  return smallEnough(drawSquare(image, avatarSize));
}

/** Draws the centre of an image. @throws as {@link readableCanvas}. */
function drawSquare(image: HTMLImageElement, edge: number): ReadableCanvas {
  const drawn = readableCanvas(edge, edge);
  // A drawing without an intrinsic size (some SVG) fills the square.
  const { x, y, size } = centredSquare(image.naturalWidth || edge, image.naturalHeight || edge);
  drawn.context.drawImage(image, x, y, size, size, 0, 0, edge, edge);
  return drawn;
}

/** A noisy PNG is too large for the wire; fewer shades per channel reduce its size and preserve its look. */
function smallEnough({ canvas, context }: ReadableCanvas): string {
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

/** Keeps `bits` of each 8-bit channel, rescaled to the full range. */
export function keepBits(channels: Uint8ClampedArray, bits: number): void {
  const steps = 2 ** bits - 1;
  for (let i = 0; i < channels.length; i++) {
    channels[i] = Math.round((Math.round(((channels[i] ?? 0) / 255) * steps) / steps) * 255);
  }
}
