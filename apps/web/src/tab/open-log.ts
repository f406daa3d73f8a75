import type { MessageKey, ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

/** What the rest of the page knows of the open log of messages, and asks of it. */
export class OpenLog {
  readonly #scrollTarget = createStore<MessageKey | null>(() => null);
  readonly #endPx = createStore<number | null>(() => 0);

  /** The message to scroll to as soon as its conversation is open; null once it is shown. */
  get scrollTarget(): ReadableStore<MessageKey | null> {
    return this.#scrollTarget;
  }

  /**
   * Where its newest message ends, in px below its top, while there is room for something that floats below it; null if the
   * log is full, 0 if none is open.
   */
  get endPx(): ReadableStore<number | null> {
    return this.#endPx;
  }

  scrollTo(key: MessageKey): void {
    this.#scrollTarget.setState(key, true);
  }

  /** The target is shown, or is nowhere. */
  scrolled(): void {
    this.#scrollTarget.setState(null, true);
  }

  endsAt(px: number | null): void {
    this.#endPx.setState(px, true);
  }

  closed(): void {
    this.#endPx.setState(0, true);
  }
}
