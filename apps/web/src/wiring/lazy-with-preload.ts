import { lazy } from "react";

const preloads = new Set<() => Promise<unknown>>();

/**
 * React's `lazy` for a component that {@link preloadAll} loads as well: from then on it renders at once, where React's own would
 * show the fallback for up to 300 ms.
 */
export const lazyWithPreload: typeof lazy = (load) => {
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  const preload = async () => {
    loaded ??= await load();
    return loaded;
  };
  preloads.add(preload);
  return lazy(() => (loaded === undefined ? preload() : settled(loaded)));
};

/** A thenable that calls back before `then` returns: React accepts it, and does not wait. */
function settled<T>(value: T): Promise<T> {
  // biome-ignore lint/suspicious/noThenProperty: it is what makes it a thenable
  return { then: (onFulfilled: (value: T) => void) => onFulfilled(value) } as unknown as Promise<T>;
}

/** Evaluates the code of all lazy components, so that using them does not wait. Rejects if some cannot be fetched. */
export async function preloadAll(): Promise<void> {
  // Loaded code may bring lazy components of its own.
  for (let started = 0; started < preloads.size; ) {
    const next = [...preloads].slice(started);
    started = preloads.size;
    await Promise.all(next.map((preload) => preload()));
  }
}
