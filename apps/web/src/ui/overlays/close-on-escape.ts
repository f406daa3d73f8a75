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
