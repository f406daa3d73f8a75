import type { ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

/** Which message shows its actions: the one whose actions have the focus, or the latest of those that ask to show them. */
export class ShownRow {
  readonly #store = createStore<string | null>(() => null);
  /** Latest last. */
  readonly #asking = new Set<string>();
  #focused: string | null = null;

  get store(): ReadableStore<string | null> {
    return this.#store;
  }

  /** @returns a function that ends it. */
  ask(id: string): () => void {
    this.#asking.add(id);
    this.#update();
    return () => {
      this.#asking.delete(id);
      this.#update();
    };
  }

  /** Its actions have the focus, and keep it against later rows. @returns a function that ends it. */
  focus(id: string): () => void {
    this.#focused = id;
    this.#update();
    return () => {
      if (this.#focused === id) this.#focused = null;
      this.#update();
    };
  }

  #update(): void {
    this.#store.setState(this.#focused ?? [...this.#asking].at(-1) ?? null, true);
  }
}
