import { type ComponentType, createElement, lazy, useState } from "react";

const preloads = new Set<() => Promise<unknown>>();

/**
 * React's `lazy` for a component that {@link preloadAll} loads as well: from then on it renders at once, where React's own would
 * show the fallback for up to 300 ms.
 */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  const preload = async () => {
    const code = await load();
    loaded = code.default;
    return code;
  };
  preloads.add(preload);
  const Late = lazy(preload);
  return function Lazy(props) {
    // React would discard the state if the component type changed, so an instance that began as `Late` remains `Late`.
    const [Shown] = useState(() => loaded ?? Late);
    return createElement(Shown, props);
  };
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
