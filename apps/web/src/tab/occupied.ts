import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

const occupations = createStore(() => 0);

/**
 * Marks the user as busy with the current view: a picker, a drag, a draft, a dialog, a question. Meanwhile
 * the page does not switch the conversation by itself.
 * @returns a function that ends it.
 */
export function occupy(): () => void {
  occupations.setState((count) => count + 1, true);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    occupations.setState((count) => count - 1, true);
  };
}

/** Wraps a function so that the user counts as busy until it settles, for example while a picker is open. */
export function occupying<Args extends readonly unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  return async (...args) => {
    const end = occupy();
    try {
      return await work(...args);
    } finally {
      end();
    }
  };
}

/** Whether the user is busy, which includes a field with text in it. */
export function isOccupied(): boolean {
  return occupations.getState() > 0 || isWriting();
}

/** Whether any {@link occupy} is active; re-renders when that changes. */
export function useOccupied(): boolean {
  return useStore(occupations, (count) => count > 0);
}

/** Calls back whenever the last {@link occupy} has ended. */
export function onUnoccupied(callback: () => void): () => void {
  return occupations.subscribe((count, before) => {
    if (count === 0 && before > 0) callback();
  });
}

function isWriting(): boolean {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  return isField && activeElement.value !== "";
}
