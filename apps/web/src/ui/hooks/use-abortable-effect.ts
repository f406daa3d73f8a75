import { type DependencyList, useEffect } from "react";

/** An effect with a signal that aborts when it ends: for what it waits for, and what it listens to. */
export function useAbortableEffect(effect: (signal: AbortSignal) => void, deps: DependencyList): void {
  useEffect(() => {
    const ending = new AbortController();
    effect(ending.signal);
    return () => ending.abort();
    // biome-ignore lint/correctness/useExhaustiveDependencies: they are the caller's
  }, deps);
}
