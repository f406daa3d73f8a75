import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

const occupations = createStore(() => 0);

/**
 * Marks that a person is in the middle of something that belongs to what is on the screen: a picker, a drag, a message
 * being written, a dialog, a question. The page does not change the conversation by itself meanwhile.
 * @returns what ends it.
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

/** The same work, marked for as long as it takes: a picker that is open, for example. */
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

/** Whether a person is in the middle of something, a field with words in it included. */
export function isOccupied(): boolean {
  return occupations.getState() > 0 || isWriting();
}

/** Whether {@link occupy} holds; re-renders when that changes. */
export function useOccupied(): boolean {
  return useStore(occupations, (count) => count > 0);
}

/** Calls back whenever the last of what {@link occupy} marked has ended. */
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
