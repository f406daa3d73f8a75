import { createStore as createZustandStore, type StoreApi } from "zustand/vanilla";

/** A store as others see it: read and subscribe. Only its owner writes. */
export type ReadableStore<S> = Pick<StoreApi<S>, "getState" | "getInitialState" | "subscribe">;

/** A store as its owner holds it. */
export type WritableStore<S> = StoreApi<S>;

/** Makes a store with its first state. */
export function createStore<S>(initial: S): WritableStore<S> {
  return createZustandStore<S>()(() => initial);
}
