import { useCallback, useSyncExternalStore } from "react";

/** Whether a CSS media query matches, kept up to date. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Whether the window is as low as a phone's that lies on its side. */
export function useIsLow(): boolean {
  return useMediaQuery("(height < 30rem)");
}

/** One pane and a top bar; a rail and a narrow list; a rail and a wide list. */
export type Breakpoint = "phone" | "tablet" | "desktop";

/** Which layout the window's width calls for: below 768 px, below 1024 px, or wider. */
export function useBreakpoint(): Breakpoint {
  const isPhone = useMediaQuery("(width < 48rem)");
  const isDesktop = useMediaQuery("(width >= 64rem)");
  return isPhone ? "phone" : isDesktop ? "desktop" : "tablet";
}
