import { useState } from "react";
import { usePlatform } from "../../wiring/platform-context.ts";

const storageKey = "list_width";

/** The width of the people list in px. */
export const listWidth = { min: 240, default: 300, max: 420 } as const;

/** The width of the people list, kept between visits. */
export function useListWidth(): readonly [widthPx: number, set: (widthPx: number) => void] {
  const { storage } = usePlatform();
  const [width, setWidth] = useState(() => within(Number(storage.read(storageKey) ?? listWidth.default)));
  const set = (next: number): void => {
    setWidth(within(next));
    storage.write(storageKey, String(within(next)));
  };
  return [width, set];
}

function within(width: number): number {
  return Number.isFinite(width)
    ? Math.round(Math.min(listWidth.max, Math.max(listWidth.min, width)))
    : listWidth.default;
}
