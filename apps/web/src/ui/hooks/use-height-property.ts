import { type RefObject, useEffect } from "react";
import { observeSize } from "../observe-size.ts";

/** Writes the height of an element, and a gap, to a property of the root element while both are there. */
export function useHeightProperty(
  box: RefObject<HTMLElement | null>,
  property: string | undefined,
  gapPx = 0,
): void {
  useEffect(() => {
    const element = box.current;
    if (element === null || property === undefined) return;
    const { style } = document.documentElement;
    const stop = observeSize(element, () => style.setProperty(property, `${element.offsetHeight + gapPx}px`));
    return () => {
      stop();
      style.removeProperty(property);
    };
  }, [box, property, gapPx]);
}
