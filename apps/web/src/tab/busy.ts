import type { ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

/**
 * Whether the user is in the middle of something: a picker, a drag, a draft, a dialog, a question. Meanwhile the page neither
 * switches the conversation by itself nor reloads.
 */
export class Busy {
  readonly #store = createStore(() => 0);

  /** @returns a function that ends it. */
  readonly begin = (): (() => void) => {
    this.#store.setState((count) => count + 1, true);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#store.setState((count) => count - 1, true);
    };
  };

  /** Wraps a function so that the user counts as busy until it settles, for example while a picker is open. */
  during<Args extends readonly unknown[], T>(
    work: (...args: Args) => Promise<T>,
  ): (...args: Args) => Promise<T> {
    return async (...args) => {
      const end = this.begin();
      try {
        return await work(...args);
      } finally {
        end();
      }
    };
  }

  /** Whether the user is busy, which includes a field with text in it. */
  isBusy(): boolean {
    return this.#store.getState() > 0 || isWriting();
  }

  /** Runs something once the user is not busy. */
  whenIdle(signal: AbortSignal, work: () => void): void {
    if (signal.aborted) return;
    if (!this.isBusy()) {
      work();
      return;
    }
    const stop = this.#store.subscribe((count) => {
      if (count > 0 || this.isBusy()) return;
      stop();
      work();
    });
    signal.addEventListener("abort", stop);
  }

  /** How many things have begun and not ended. */
  get store(): ReadableStore<number> {
    return this.#store;
  }
}

function isWriting(): boolean {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  return isField && activeElement.value !== "";
}
