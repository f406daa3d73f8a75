import { useSyncExternalStore } from "react";
import type { ForwardItem } from "../files/forward/forward-item.ts";

/** Something that waits, and the share that it came with. */
export interface Waiting {
  readonly item: ForwardItem;
  readonly shareId: string;
}

/** What is kept where more was shared while something waited. */
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
 * What came from other apps and waits for somebody to be chosen. It is of one share: what comes with another one
 * meanwhile stands apart until the person has said what to keep. What keeps it over a reload is app's.
 */
export const shareTray = {
  getItems: (): readonly ForwardItem[] => items,
  /** What was shared while something waited, and is not agreed to yet. */
  getNewItems: (): readonly ForwardItem[] => newItems,
  /** All of it with the shares it came with, the oldest first. */
  getWaiting: (): readonly Waiting[] => waiting,
  /** Puts in what was shared, from an address. */
  put(shared: readonly ForwardItem[]): void {
    set([...waiting, ...ofOneShare(shared)]);
  },
  /** Puts in what the service worker or another tab has stored. */
  putStored: (stored: readonly Waiting[]): void => set([...waiting, ...stored]),
  /** Puts in what was left from before, ahead of what came since. */
  putBack: (left: readonly Waiting[]): void => set([...left, ...waiting]),
  /** Says how to tell that what is in the tray outlives the page. */
  keptBy(untilKept: () => Promise<void>): void {
    keeper = untilKept;
  },
  /** Resolves once what is in the tray now outlives the page, or cannot. */
  untilKept: (): Promise<void> => keeper(),
  /** Answers which of two shares is kept; both wait for a day from now on. */
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

/** What waits in the tray; draws again when that changes. */
export function useShareTray(): readonly ForwardItem[] {
  return useSyncExternalStore(shareTray.subscribe, shareTray.getItems);
}

/** What was shared while something waited; draws again when that changes. */
export function useNewInShareTray(): readonly ForwardItem[] {
  return useSyncExternalStore(shareTray.subscribe, shareTray.getNewItems);
}
