import { useSyncExternalStore } from "react";
import type { ForwardItem } from "../../dialogs/forward/forward-item.ts";

let items: readonly ForwardItem[] = [];
const listeners = new Set<() => void>();
let keeper: () => Promise<void> = async () => {};

function set(next: readonly ForwardItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

/** What came from other apps and waits for somebody to be chosen. What keeps it over a reload is app's. */
export const shareTray = {
  getItems: (): readonly ForwardItem[] => items,
  /** Puts in what was shared, from an address or by the service worker. */
  put: (shared: readonly ForwardItem[]): void => set([...items, ...shared]),
  /** Puts in what was left from before, ahead of what came since. */
  putBack: (left: readonly ForwardItem[]): void => set([...left, ...items]),
  /** Says how to tell that what is in the tray outlives the page. */
  keptBy(untilKept: () => Promise<void>): void {
    keeper = untilKept;
  },
  /** Resolves once what is in the tray now outlives the page, or cannot. */
  untilKept: (): Promise<void> => keeper(),
  remove: (item: ForwardItem): void => set(items.filter((other) => other !== item)),
  clear: (): void => set([]),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** What waits in the tray; draws again when that changes. */
export function useShareTray(): readonly ForwardItem[] {
  return useSyncExternalStore(shareTray.subscribe, shareTray.getItems);
}
