import { useSyncExternalStore } from "react";

function subscribe(changed: () => void): () => void {
  const listening = new AbortController();
  window.addEventListener("online", changed, { signal: listening.signal });
  window.addEventListener("offline", changed, { signal: listening.signal });
  return () => listening.abort();
}

/** Whether the device reports a network. False is certain; true only means that there is some network. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}
