import type { MessageKey, ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

/** What the rest of the page knows of the open log of messages, and asks of it. */
export class OpenLog {
  readonly #scrollTarget = createStore<MessageKey | null>(() => null);
  readonly #isOpen = createStore<boolean>(() => false);

  /** The message to scroll to as soon as its conversation is open; null once it is shown. */
  get scrollTarget(): ReadableStore<MessageKey | null> {
    return this.#scrollTarget;
  }

  /** Whether there is one: its newest message then stands on the composer. */
  get isOpen(): ReadableStore<boolean> {
    return this.#isOpen;
  }

  scrollTo(key: MessageKey): void {
    this.#scrollTarget.setState(key, true);
  }

  /** The target is shown, or is nowhere. */
  scrolled(): void {
    this.#scrollTarget.setState(null, true);
  }

  /** @returns what closes it again */
  opened(): () => void {
    this.#isOpen.setState(true, true);
    return () => this.#isOpen.setState(false, true);
  }
}
