import { useMemo } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { ForwardItem } from "./forward-item.ts";

/** A pending item, and the share it came with. */
export interface Waiting {
  readonly item: ForwardItem;
  readonly shareId: string;
}

/** Which share is kept when another arrives while one is pending. */
type Choice = "both" | "old" | "new";

interface TrayContent {
  /** The items of the earliest share. */
  readonly items: readonly ForwardItem[];
  /** The items that arrived while it was pending, before the user decided. */
  readonly newItems: readonly ForwardItem[];
}

/** All pending items with the shares they belong to, oldest first. */
const waiting = createStore<readonly Waiting[]>(() => []);
let keeper: () => Promise<void> = async () => {};

function set(next: readonly Waiting[]): void {
  waiting.setState(next, true);
}

function contentOf(all: readonly Waiting[]): TrayContent {
  const isOld = ({ shareId }: Waiting): boolean => shareId === all[0]?.shareId;
  return {
    items: all.filter(isOld).map(({ item }) => item),
    newItems: all.filter((each) => !isOld(each)).map(({ item }) => item),
  };
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
  getItems: (): readonly ForwardItem[] => contentOf(waiting.getState()).items,
  getNewItems: (): readonly ForwardItem[] => contentOf(waiting.getState()).newItems,
  getWaiting: waiting.getState,
  /** Adds items shared by an address. */
  put: (shared: readonly ForwardItem[]): void => set([...waiting.getState(), ...ofOneShare(shared)]),
  /** Adds items stored by the service worker or another tab. */
  putStored: (stored: readonly Waiting[]): void => set([...waiting.getState(), ...stored]),
  /** Adds items from an earlier visit before the current ones. */
  putBack: (left: readonly Waiting[]): void => set([...left, ...waiting.getState()]),
  /** Sets how to find out that the tray has been persisted. */
  keptBy(untilKept: () => Promise<void>): void {
    keeper = untilKept;
  },
  /** Resolves once the tray has been persisted, or cannot be. */
  untilKept: (): Promise<void> => keeper(),
  /** Decides which of two shares is kept; both expire a day from now. */
  keep(choice: Choice): void {
    const { items, newItems } = contentOf(waiting.getState());
    const kept = choice === "both" ? [...items, ...newItems] : choice === "old" ? items : newItems;
    set(ofOneShare(kept));
  },
  remove: (...gone: readonly ForwardItem[]): void =>
    set(waiting.getState().filter(({ item }) => !gone.includes(item))),
  subscribe: waiting.subscribe,
};

/** The pending items; re-renders when they change. */
export function useShareTray(): TrayContent {
  const all = useStore(waiting);
  return useMemo(() => contentOf(all), [all]);
}
