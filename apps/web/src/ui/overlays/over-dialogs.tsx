import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** Where it is rendered in the dialog that is open; null without one. */
const container = createStore<HTMLElement | null>(() => null);

/** The ref of a dialog's last element. */
export function holdOverDialogs(element: HTMLElement | null): () => void {
  container.setState(element, true);
  return () => container.setState((current) => (current === element ? null : current), true);
}

/**
 * Shows something fixed over every page and every dialog. A modal dialog hides all that is outside of it from the Tab key
 * and from screen readers, so this is inside of it while one is open.
 */
export function OverDialogs({ children }: { readonly children: ReactNode }) {
  const element = useStore(container);
  return element === null ? children : createPortal(children, element);
}
