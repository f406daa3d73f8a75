import { SerialQueue } from "@warren/core";
import type { SharedItems } from "../../platform/storage/shared-items.ts";
import { isCredible, isStale, type ShareStamp, stampOf } from "../../service-worker/shared-store.ts";
import { readStoredItem } from "../../share/read-stored-item.ts";
import type { ForwardItem } from "../../tab/forward-item.ts";
import type { PendingItem, ShareTray } from "../../tab/share-tray.ts";

/** Disk limit of the tray; anything beyond lasts as long as the page. */
const storedBytesMax = 256 * 2 ** 20;

interface TrayDeps {
  readonly tray: ShareTray;
  readonly store: Pick<SharedItems, "list" | "add" | "remove">;
  /** Channel to the other tabs for changes of the store, in both directions. */
  readonly tabs: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
}

/** Where an item is stored, and with which share; null if it needs a new stamp. */
interface Entry {
  readonly key: number;
  readonly shareId: string | null;
}

type Stored = Awaited<ReturnType<SharedItems["list"]>>[number];

/**
 * Persists the tray for a day: restores earlier items, stores new ones, and deletes those sent or discarded
 * in any tab. A failing store leaves the tray unchanged.
 */
export class PersistedShareTray {
  readonly #deps: TrayDeps;
  readonly #entries = new Map<ForwardItem, Entry>();
  /** Each step depends on what the previous one stored. */
  readonly #steps = new SerialQueue();
  #isFirstRead = true;

  constructor(deps: TrayDeps) {
    this.#deps = deps;
    deps.tabs.addEventListener("message", () => void this.reread());
    deps.tray.store.subscribe(() => void this.#enqueue(() => this.#write()));
    void this.reread();
    void this.#enqueue(() => this.#write());
  }

  /** Loads what other tabs have stored or deleted. */
  reread(): Promise<void> {
    return this.#enqueue(() => this.#read());
  }

  /** Resolves once the present content is stored, as far as possible. */
  settled(): Promise<void> {
    return this.#steps.settled();
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    return this.#steps.run(step).catch(() => {}); // without a disk, items last until the page closes
  }

  async #read(): Promise<void> {
    const { tray, store } = this.#deps;
    const all = await store.list();
    const fresh = all.filter(([, value]) => !isStale(value));
    for (const [key, value] of all) if (isStale(value)) await store.remove(key);
    this.#forgetDeleted(new Set(fresh.map(([key]) => key)));
    const added = await this.#unknownOf(fresh);
    if (added.length > 0 && this.#isFirstRead) tray.prepend(added);
    else if (added.length > 0) tray.append(added);
    this.#isFirstRead = false;
  }

  /** Removes from the tray what another tab has deleted. */
  #forgetDeleted(storedKeys: ReadonlySet<number>): void {
    for (const [item, { key }] of this.#entries) {
      if (storedKeys.has(key)) continue;
      this.#entries.delete(item); // first, so that it is not deleted once more
      this.#deps.tray.remove(item);
    }
  }

  /** The stored items that are not in the tray yet. */
  async #unknownOf(stored: readonly Stored[]): Promise<readonly PendingItem[]> {
    const known = new Set([...this.#entries.values()].map(({ key }) => key));
    const added: PendingItem[] = [];
    for (const [key, value] of stored) {
      if (known.has(key)) continue;
      const item = readStoredItem(value);
      if (item === null) {
        await this.#deps.store.remove(key);
        continue;
      }
      const stamp = stampOf(value);
      this.#entries.set(item, { key, shareId: stamp !== null && isCredible(stamp) ? stamp.id : null });
      added.push({ item, shareId: stamp?.id ?? "of an older version" });
    }
    return added;
  }

  async #write(): Promise<void> {
    const pending = this.#deps.tray.store.getState();
    const hasDeleted = await this.#deleteAllBut(new Set(pending.map(({ item }) => item)));
    const hasAdded = await this.#storeAll(pending);
    if (hasDeleted || hasAdded) this.#deps.tabs.postMessage("changed");
  }

  async #deleteAllBut(pending: ReadonlySet<ForwardItem>): Promise<boolean> {
    const gone = [...this.#entries].filter(([item]) => !pending.has(item));
    for (const [item, { key }] of gone) {
      this.#entries.delete(item);
      await this.#deps.store.remove(key);
    }
    return gone.length > 0;
  }

  /** Stores those that are new, or belong to another share by now. */
  async #storeAll(pending: readonly PendingItem[]): Promise<boolean> {
    const { store } = this.#deps;
    let hasChanged = false;
    for (const { item, shareId } of pending) {
      const before = this.#entries.get(item);
      if (before ? before.shareId === shareId : !fitsOnDisk(item, [...this.#entries.keys()])) continue;
      const share: ShareStamp = { id: shareId, at: Date.now() };
      this.#entries.set(item, { key: await store.add({ ...item, share }), shareId });
      if (before) await store.remove(before.key);
      hasChanged = true;
    }
    return hasChanged;
  }
}

function fitsOnDisk(item: ForwardItem, others: readonly ForwardItem[]): boolean {
  return [item, ...others].reduce((sum, each) => sum + bytesOf(each), 0) <= storedBytesMax;
}

function bytesOf(item: ForwardItem): number {
  if (item.type === "file") return item.file.size;
  return item.type === "text" ? item.text.length * 2 : 0;
}
