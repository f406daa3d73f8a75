import { useEffect } from "react";

/** Lower bars of a browser are no keyboard. */
const keyboardMinPx = 120;

/**
 * Where an on-screen keyboard lies over the page instead of making it lower, as in Safari, the page becomes as high as what is
 * seen of it: the field and the newest message stay above the keyboard, and the head where it is.
 */
export function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    const { style } = document.documentElement;
    const fit = (): void => {
      const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height >= keyboardMinPx;
      // The browser itself brings the field of a dialog into view, which is not inside the page.
      const isInPage = document.getElementById("root")?.contains(document.activeElement) === true;
      if (!isCovered || !isInPage) {
        style.removeProperty("--visible-height");
        return;
      }
      style.setProperty("--visible-height", `${viewport.height}px`);
      window.scrollTo(0, 0);
    };
    viewport.addEventListener("resize", fit);
    return () => {
      viewport.removeEventListener("resize", fit);
      style.removeProperty("--visible-height");
    };
  }, []);
}
