import { useSyncExternalStore } from "react";
import type { ForwardItem } from "../files/forward/forward-item.ts";

/** A pending item, and the share it came with. */
export interface Waiting {
  readonly item: ForwardItem;
  readonly shareId: string;
}

/** Which share is kept when another arrives while one is pending. */
type Choice = "both" | "old" | "new";

let waiting: readonly Waiting[] = [];
let items: readonly ForwardItem[] = [];
let newItems: readonly ForwardItem[] = [];
const listeners = new Set<() => void>();
let keeper: () => Promise<void> = async () => {};

function set(next: readonly Waiting[]): void {
  waiting = next;
  const isOld = ({ shareId }: Waiting): boolean => shareId === waiting[0]?.shareId;
  items = waiting.filter(isOld).map(({ item }) => item);
  newItems = waiting.filter((each) => !isOld(each)).map(({ item }) => item);
  for (const listener of listeners) listener();
}

function ofOneShare(shared: readonly ForwardItem[]): readonly Waiting[] {
  // `randomUUID` is missing outside secure contexts.
  const shareId = crypto.getRandomValues(new Uint32Array(4)).join("-");
  return shared.map((item) => ({ item, shareId }));
}

/**
 * Items from other apps, pending until a recipient is chosen. They are of one share: items of another one are
 * held back until the user decides which to keep. `app` persists them over a reload.
 */
export const shareTray = {
  getItems: (): readonly ForwardItem[] => items,
  /** A share that arrived while another is pending, before the user decided. */
  getNewItems: (): readonly ForwardItem[] => newItems,
  /** All pending items with the shares they belong to, oldest first. */
  getWaiting: (): readonly Waiting[] => waiting,
  /** Adds items shared by an address. */
  put(shared: readonly ForwardItem[]): void {
    set([...waiting, ...ofOneShare(shared)]);
  },
  /** Adds items stored by the service worker or another tab. */
  putStored: (stored: readonly Waiting[]): void => set([...waiting, ...stored]),
  /** Adds items from an earlier visit before the current ones. */
  putBack: (left: readonly Waiting[]): void => set([...left, ...waiting]),
  /** Sets how to find out that the tray has been persisted. */
  keptBy(untilKept: () => Promise<void>): void {
    keeper = untilKept;
  },
  /** Resolves once the tray has been persisted, or cannot be. */
  untilKept: (): Promise<void> => keeper(),
  /** Decides which of two shares is kept; both expire a day from now. */
  keep(choice: Choice): void {
    const kept = choice === "both" ? [...items, ...newItems] : choice === "old" ? items : newItems;
    set(ofOneShare(kept));
  },
  remove: (...gone: readonly ForwardItem[]): void => set(waiting.filter(({ item }) => !gone.includes(item))),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** The pending items; re-renders when they change. */
export function useShareTray(): readonly ForwardItem[] {
  return useSyncExternalStore(shareTray.subscribe, shareTray.getItems);
}

/** The second share; re-renders when it changes. */
export function useNewInShareTray(): readonly ForwardItem[] {
  return useSyncExternalStore(shareTray.subscribe, shareTray.getNewItems);
}
