import type { ReadableStore } from "../shared/store.ts";

/** Resolves with the first state of a store, including the current one, that passes the check. */
export function until<S>(store: ReadableStore<S>, check: (state: S) => boolean): Promise<S> {
  const now = store.getState();
  if (check(now)) return Promise.resolve(now);
  return new Promise((resolve) => {
    const stop = store.subscribe((state) => {
      if (!check(state)) return;
      stop();
      resolve(state);
    });
  });
}

/** Resolves once the check passes, which reads several stores. */
export function untilAny(stores: readonly ReadableStore<unknown>[], check: () => boolean): Promise<void> {
  if (check()) return Promise.resolve();
  return new Promise((resolve) => {
    const stops = stores.map((store) =>
      store.subscribe(() => {
        if (!check()) return;
        for (const stop of stops) stop();
        resolve();
      }),
    );
  });
}
