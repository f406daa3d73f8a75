import { type RefObject, useEffect } from "react";

/** Keeps toasts clear of a bar at the foot of the window while it is mounted. */
export function useToastInset(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty("--toast-inset", `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty("--toast-inset");
    };
  }, [bar]);
}
