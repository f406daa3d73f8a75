import { useEffect, useEffectEvent, useState } from "react";
import { madeThumbnail, wantThumbnail } from "./thumbnails.ts";

/** What only flies by is not worth opening. */
export const restMs = 150;

/**
 * The thumbnail of a picture as soon as there is one; null for none, and while nothing is asked for.
 * @param key what it is remembered by; null while it is not wanted.
 * @param edgePx how wide and high it is made.
 */
export function useThumbnail(
  key: string | null,
  edgePx: number,
  open: () => Promise<File | null>,
): string | null {
  const [, setDrawn] = useState<string | null>(null);
  const openNow = useEffectEvent(open);
  useEffect(() => {
    if (key === null || madeThumbnail(key) !== undefined) return;
    let takeBack = (): void => {};
    const timer = setTimeout(() => {
      takeBack = wantThumbnail({ key, edgePx, open: () => openNow(), done: setDrawn });
    }, restMs);
    return () => {
      clearTimeout(timer);
      takeBack();
    };
  }, [key, edgePx]);
  return key === null ? null : (madeThumbnail(key) ?? null);
}
