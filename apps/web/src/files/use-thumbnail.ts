import { useEffect, useEffectEvent, useState } from "react";
import { thumbnailOf } from "../pictures/avatar-image.ts";
import { judgePicture } from "../pictures/picture-size.ts";
import { useTab } from "../tab/tab-context.ts";

/** A tile that is scrolled past quickly is not opened. */
export const restMs = 150;

/**
 * The thumbnail of a picture once there is one; null if there is none, and while none is requested.
 * @param key the cache key; null while it is not wanted.
 * @param edgePx its width and height.
 */
export function useThumbnail(
  key: string | null,
  edgePx: number,
  open: () => Promise<File | null>,
): string | null {
  const { thumbnails } = useTab();
  const [, setLoaded] = useState<string | null>(null);
  const make = useEffectEvent(async () => thumbnailOfFile(await open(), edgePx));
  useEffect(() => {
    if (key === null || thumbnails.cached(key) !== undefined) return;
    let cancel = (): void => {};
    const timer = setTimeout(() => {
      cancel = thumbnails.request({ key, make: () => make(), done: setLoaded });
    }, restMs);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [thumbnails, key]);
  return key === null ? null : (thumbnails.cached(key) ?? null);
}

/** Larger files are not read for a thumbnail. */
const fileBytesMax = 24_000_000;

/** Its bytes decide whether it is a picture, and of which type; the result is re-encoded. */
export async function thumbnailOfFile(file: File | null, edgePx: number): Promise<string | null> {
  if (file === null || file.size > fileBytesMax) return null;
  const judged = await judgePicture(file);
  return judged.status === "drawable" ? thumbnailOf(new Blob([file], { type: judged.type }), edgePx) : null;
}
