import { useEffect, useId, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
/** Who asks, the last one last. */
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
 * Of all that ask for the turn, the one that asked last has it, and gives it back to the one before. There is one turn
 * in the page.
 * @param isKept holds it against those that ask later.
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
