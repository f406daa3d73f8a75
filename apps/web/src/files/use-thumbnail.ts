import { useEffect, useEffectEvent, useState } from "react";
import { cachedThumbnail, requestThumbnail } from "./thumbnails.ts";

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
  const [, setLoaded] = useState<string | null>(null);
  const openNow = useEffectEvent(open);
  useEffect(() => {
    if (key === null || cachedThumbnail(key) !== undefined) return;
    let cancel = (): void => {};
    const timer = setTimeout(() => {
      cancel = requestThumbnail({ key, edgePx, open: () => openNow(), done: setLoaded });
    }, restMs);
    return () => {
      clearTimeout(timer);
      cancel();
    };
  }, [key, edgePx]);
  return key === null ? null : (cachedThumbnail(key) ?? null);
}
