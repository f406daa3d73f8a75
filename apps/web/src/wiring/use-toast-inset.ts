import { type RefObject, useEffect } from "react";
import { observeSize } from "../ui/observe-size.ts";

/** The heights of the bars at the foot of the window, in px: a call and the conversation beside it have one each. */
const heights = new Map<HTMLElement, number>();

/** Keeps toasts clear of a bar at the foot of the window while it is mounted. */
export function useToastInset(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const stop = observeSize(element, () => {
      heights.set(element, element.offsetHeight);
      setInset();
    });
    return () => {
      stop();
      heights.delete(element);
      setInset();
    };
  }, [bar]);
}

function setInset(): void {
  const { style } = document.documentElement;
  if (heights.size === 0) style.removeProperty("--toast-inset");
  else style.setProperty("--toast-inset", `${Math.max(...heights.values())}px`);
}
