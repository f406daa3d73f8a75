import { createContext, use, useEffect } from "react";

/** Called when something opens under which the page must not change; returns a function called when it has closed. */
export const HoldPageContext = createContext<() => () => void>(() => () => {});

/** Keeps the page from changing by itself while something is open: an open menu would close with its trigger. */
export function useHoldPage(isOpen: boolean): void {
  const hold = use(HoldPageContext);
  useEffect(() => (isOpen ? hold() : undefined), [hold, isOpen]);
}
