import { createStore as createZustandStore, type StoreApi } from "zustand/vanilla";

/** A store without write access: only its owner writes. */
export type ReadableStore<S> = Pick<StoreApi<S>, "getState" | "getInitialState" | "subscribe">;

/** A store with write access. */
export type WritableStore<S> = StoreApi<S>;

/** Creates a store with an initial state. */
export function createStore<S>(initial: S): WritableStore<S> {
  return createZustandStore<S>()(() => initial);
}

/** Resolves once the state of a store passes a test, at once if it does now. */
export function untilState<S>(store: ReadableStore<S>, holds: (state: S) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = (state: S): void => {
      if (!holds(state)) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(check);
    check(store.getState());
  });
}
