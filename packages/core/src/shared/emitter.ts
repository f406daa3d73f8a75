/** Stops listening; calling it again does nothing. */
export type Unsubscribe = () => void;

/** The listening side of an emitter. `E` maps event names to the arguments of their listeners. */
export interface EventSource<E extends Record<keyof E, unknown[]>> {
  on<T extends keyof E>(type: T, listener: (...args: E[T]) => void): Unsubscribe;
}

type Listeners<E extends Record<keyof E, unknown[]>> = { [T in keyof E]: Set<(...args: E[T]) => void> };

/** An object with typed events, which only it emits. */
export abstract class Emitting<E extends Record<keyof E, unknown[]>> implements EventSource<E> {
  readonly #listeners: Partial<Listeners<E>> = {};

  on<T extends keyof E>(type: T, listener: (...args: E[T]) => void): Unsubscribe {
    // A new wrapper each time, so that a function subscribed twice is called twice and removed once.
    const own = (...args: E[T]) => listener(...args);
    const listeners = this.#listeners[type] ?? new Set();
    this.#listeners[type] = listeners;
    listeners.add(own);
    return () => listeners.delete(own);
  }

  protected emit<T extends keyof E>(type: T, ...args: E[T]): void {
    for (const listener of [...(this.#listeners[type] ?? [])]) listener(...args);
  }

  /** Removes every listener. */
  protected clear(): void {
    for (const type of Object.keys(this.#listeners) as (keyof E)[]) this.#listeners[type]?.clear();
  }
}

/** An emitter that several objects share, such as the parts of a room. */
export class Emitter<E extends Record<keyof E, unknown[]>> extends Emitting<E> {
  override emit<T extends keyof E>(type: T, ...args: E[T]): void {
    super.emit(type, ...args);
  }

  override clear(): void {
    super.clear();
  }
}
