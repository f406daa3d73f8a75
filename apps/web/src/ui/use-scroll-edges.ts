import { type RefObject, useEffect, useState } from "react";

/** At which edges of a row that scrolls sideways more of it is out of sight. */
export interface ScrollEdges {
  readonly isMoreBefore: boolean;
  readonly isMoreAfter: boolean;
}

/** Follows a row that scrolls sideways, as it is scrolled and as room or content change. */
export function useScrollEdges(row: RefObject<HTMLElement | null>): ScrollEdges {
  const [isMoreBefore, setMoreBefore] = useState(false);
  const [isMoreAfter, setMoreAfter] = useState(false);
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const look = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      // Positions may be fractions of a pixel.
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
