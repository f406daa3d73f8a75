import { useEffect, useId, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
/** The requesters, latest last. */
let asking: readonly string[] = [];
let keeper: string | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
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
    tell();
    return () => {
      asking = asking.filter((other) => other !== id);
      tell();
    };
  }, [id, isAsking]);
  useEffect(() => {
    if (!isKept) return;
    keeper = id;
    tell();
    return () => {
      if (keeper === id) keeper = null;
      tell();
    };
  }, [id, isKept]);
  return isAsking && isLatest;
}
