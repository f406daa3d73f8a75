import { type RefObject, useEffect, useState } from "react";

/** The edges of a horizontally scrolling row beyond which there is more content. */
export interface ScrollEdges {
  readonly isMoreBefore: boolean;
  readonly isMoreAfter: boolean;
}

/** Follows a horizontally scrolling row through scrolling, resizing and content changes. */
export function useScrollEdges(row: RefObject<HTMLElement | null>): ScrollEdges {
  const [isMoreBefore, setMoreBefore] = useState(false);
  const [isMoreAfter, setMoreAfter] = useState(false);
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const look = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      // Scroll positions may be fractional.
      setMoreBefore(scrollLeft >= 1);
      setMoreAfter(scrollWidth - clientWidth - scrollLeft >= 1);
    };
    look();
    const resizes = new ResizeObserver(look);
    for (const sized of [element, ...element.children]) resizes.observe(sized);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      resizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [row]);
  return { isMoreBefore, isMoreAfter };
}
