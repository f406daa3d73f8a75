import { useSyncExternalStore } from "react";

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  now = Date.now();
  timer = setTimeout(tick, minuteMs - (now % minuteMs));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) tick();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

/**
 * The time in ms since the epoch, updated at the start of each minute: for "09:16" turning into "Yesterday".
 */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
