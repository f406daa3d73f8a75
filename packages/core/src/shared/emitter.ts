/** Stops listening; calling it again does nothing. */
export type Unsubscribe = () => void;

/** The listening side of an {@link Emitter}. `E` maps event names to the arguments of their listeners. */
export interface EventSource<E extends Record<keyof E, unknown[]>> {
  on<T extends keyof E>(type: T, listener: (...args: E[T]) => void): Unsubscribe;
}

type Listeners<E extends Record<keyof E, unknown[]>> = { [T in keyof E]: Set<(...args: E[T]) => void> };

/** Typed events. Only the owner emits; others hold it as an {@link EventSource}. */
export class Emitter<E extends Record<keyof E, unknown[]>> implements EventSource<E> {
  readonly #listeners: Partial<Listeners<E>> = {};

  on<T extends keyof E>(type: T, listener: (...args: E[T]) => void): Unsubscribe {
    // A new wrapper each time, so that a function subscribed twice is called twice and removed once.
    const own = (...args: E[T]) => listener(...args);
    const listeners = this.#listeners[type] ?? new Set();
    this.#listeners[type] = listeners;
    listeners.add(own);
    return () => listeners.delete(own);
  }

  emit<T extends keyof E>(type: T, ...args: E[T]): void {
    for (const listener of [...(this.#listeners[type] ?? [])]) listener(...args);
  }

  /** Removes every listener. */
  clear(): void {
    for (const type of Object.keys(this.#listeners) as (keyof E)[]) this.#listeners[type]?.clear();
  }
}
