import { useEffect, useId, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
/** The requesters, latest last. */
let asking: readonly string[] = [];
let keeper: string | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}

/**
 * True for the latest of all requesters on the page; when it stops asking, for the one before.
 * @param isKept keeps it true against later requesters.
 */
export function useLatestRequester(isAsking: boolean, isKept: boolean): boolean {
  const id = useId();
  const isLatest = useSyncExternalStore(subscribe, () => (keeper ?? asking.at(-1)) === id);
  useEffect(() => {
    if (!isAsking) return;
    asking = [...asking, id];
    notify();
    return () => {
      asking = asking.filter((other) => other !== id);
      notify();
    };
  }, [id, isAsking]);
  useEffect(() => {
    if (!isKept) return;
    keeper = id;
    notify();
    return () => {
      if (keeper === id) keeper = null;
      notify();
    };
  }, [id, isKept]);
  return isAsking && isLatest;
}
