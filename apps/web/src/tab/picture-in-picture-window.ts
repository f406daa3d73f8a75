import type { ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

interface ShownItem {
  readonly window: Window;
  readonly itemId: string;
}

/** The open picture-in-picture window and the tile in it. */
export class PictureInPictureWindow {
  readonly #store = createStore<ShownItem | null>(() => null);

  /** Null while it is closed. */
  get store(): ReadableStore<ShownItem | null> {
    return this.#store;
  }

  /** A window has opened, for this tile. */
  opened(window: Window, itemId: string): void {
    window.addEventListener("pagehide", () => this.#store.setState(null, true), { once: true });
    this.#store.setState({ window, itemId }, true);
  }

  /** Shows another tile in the open window. */
  show(itemId: string): void {
    this.#store.setState((shown) => shown && { ...shown, itemId }, true);
  }
}
