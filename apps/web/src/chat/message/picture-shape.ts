import type { FileId } from "@warren/protocol";
import type { PictureShape } from "../../tab/picture-shapes.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useStore } from "../../wiring/warren-context.ts";

/** Size limits of an inline picture in px. */
const widthMin = 256;
const sideMax = 340;
/** From this ratio on a picture is as wide as it may be: on a phone as wide as bubbles and cards. */
const landscapeRatio = 1.2;

export const unknownShape: PictureShape = { width: sideMax, height: Math.round((sideMax * 2) / 3) };

/** The width of a picture in px, for its caption. */
export function usePictureWidth(fid: FileId): number {
  return useStore(useTab().pictureShapes.store, (known) => known.get(fid) ?? unknownShape).width;
}

export function shapeOf({ naturalWidth, naturalHeight }: HTMLImageElement): PictureShape {
  const ratio = naturalWidth / Math.max(1, naturalHeight);
  const width = ratio < landscapeRatio ? widthMin : sideMax;
  return { width, height: Math.round(Math.min(sideMax, Math.max(72, width / ratio))) };
}
