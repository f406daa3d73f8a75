import type { KeyboardEvent } from "react";

/**
 * A handler that closes the layer which has the focus. Radix gives Escape to the newest layer alone, and a toast that appears
 * meanwhile is one.
 */
export function closeOnEscape(close: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
}

/** Closes the layer around an element as Escape does. */
export function pressEscape(inside: Element): void {
  inside.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
}
