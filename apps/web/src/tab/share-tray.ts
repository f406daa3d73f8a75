import type { ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";
import type { ForwardItem } from "./forward-item.ts";

/** A pending item, and the share it came with. */
export interface PendingItem {
  readonly item: ForwardItem;
  readonly shareId: string;
}

/** Which share is kept when another arrives while one is pending. */
type Choice = "both" | "old" | "new";

export interface TrayContent {
  /** The items of the earliest share. */
  readonly items: readonly ForwardItem[];
  /** The items that arrived while it was pending, before the user decided. */
  readonly newItems: readonly ForwardItem[];
}

export function trayContent(all: readonly PendingItem[]): TrayContent {
  const isOld = ({ shareId }: PendingItem): boolean => shareId === all[0]?.shareId;
  return {
    items: all.filter(isOld).map(({ item }) => item),
    newItems: all.filter((each) => !isOld(each)).map(({ item }) => item),
  };
}

function ofOneShare(shared: readonly ForwardItem[]): readonly PendingItem[] {
  // `randomUUID` is missing outside secure contexts.
  const shareId = crypto.getRandomValues(new Uint32Array(4)).join("-");
  return shared.map((item) => ({ item, shareId }));
}

/**
 * Items from other apps, pending until a recipient is chosen. They are of one share: items of another one are
 * held back until the user decides which to keep. `app` persists them over a reload.
 */
export class ShareTray {
  readonly #store = createStore<readonly PendingItem[]>(() => []);
  #whenPersisted: () => Promise<void> = async () => {};

  /** All pending items with the shares they belong to, oldest first. */
  get store(): ReadableStore<readonly PendingItem[]> {
    return this.#store;
  }

  content(): TrayContent {
    return trayContent(this.#store.getState());
  }

  /** Adds items shared by an address. */
  put(shared: readonly ForwardItem[]): void {
    this.#set([...this.#store.getState(), ...ofOneShare(shared)]);
  }

  /** Adds items stored by the service worker or another tab. */
  append(stored: readonly PendingItem[]): void {
    this.#set([...this.#store.getState(), ...stored]);
  }

  /** Adds items from an earlier visit before the current ones. */
  prepend(left: readonly PendingItem[]): void {
    this.#set([...left, ...this.#store.getState()]);
  }

  /** Sets how to find out that the tray has been persisted. */
  persistBy(whenPersisted: () => Promise<void>): void {
    this.#whenPersisted = whenPersisted;
  }

  /** Resolves once the tray has been persisted, or cannot be. */
  whenPersisted(): Promise<void> {
    return this.#whenPersisted();
  }

  /** Decides which of two shares is kept; both expire a day from now. */
  resolve(choice: Choice): void {
    const { items, newItems } = this.content();
    const chosen = choice === "both" ? [...items, ...newItems] : choice === "old" ? items : newItems;
    this.#set(ofOneShare(chosen));
  }

  remove(...gone: readonly ForwardItem[]): void {
    this.#set(this.#store.getState().filter(({ item }) => !gone.includes(item)));
  }

  #set(next: readonly PendingItem[]): void {
    this.#store.setState(next, true);
  }
}
