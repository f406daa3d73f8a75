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
 * Gives the turn to the latest of all requesters; when it stops asking, the one before gets it back. There is
 * one turn per page.
 * @param isKept holds the turn against later requesters.
 */
export function useTurn(isAsking: boolean, isKept: boolean): boolean {
  const id = useId();
  const hasTurn = useSyncExternalStore(subscribe, () => (keeper ?? asking.at(-1)) === id);
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
  return isAsking && hasTurn;
}
