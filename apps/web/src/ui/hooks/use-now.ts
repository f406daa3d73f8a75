import { useSyncExternalStore } from "react";

const minuteMs = 60_000;
const listeners = new Set<() => void>();
let now = startOfMinute();
let timer: ReturnType<typeof setTimeout> | undefined;

function startOfMinute(): number {
  return Date.now() - (Date.now() % minuteMs);
}

function tick(): void {
  now = startOfMinute();
  timer = setTimeout(tick, now + minuteMs - Date.now());
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

/** When the present minute began, in ms since the epoch: for "09:16" turning into "Yesterday". */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
