import { useLayoutEffect, useState } from "react";
import { usePlatform } from "../../wiring/platform-context.ts";

const storageKey = "list_width";

/** The width of the people list in px. */
export const listWidth = { min: 240, default: 300, max: 420 } as const;

/** The width of the people list, kept between visits; `--list-width` of the root element, for what begins beside the list. */
export function useListWidth(): readonly [widthPx: number, set: (widthPx: number) => void] {
  const { storage } = usePlatform();
  const [width, setWidth] = useState(() => within(Number(storage.read(storageKey) ?? listWidth.default)));
  const set = (next: number): void => {
    setWidth(within(next));
    storage.write(storageKey, String(within(next)));
  };
  useLayoutEffect(() => document.documentElement.style.setProperty("--list-width", `${width}px`), [width]);
  return [width, set];
}

function within(width: number): number {
  return Number.isFinite(width)
    ? Math.round(Math.min(listWidth.max, Math.max(listWidth.min, width)))
    : listWidth.default;
}
