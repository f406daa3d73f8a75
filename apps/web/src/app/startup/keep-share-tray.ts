import { cleanText, isBlank, limits, truncateUtf8 } from "@warren/protocol";
import type { ForwardItem } from "../../dialogs/forward/forward-item.ts";
import type { shareTray } from "../../features/share/share-tray.ts";
import type { KeptItems } from "../../platform/kept-items.ts";

/** What the tray may take of the disk; what is beyond lasts as long as the page. */
const keptBytesMax = 256 * 2 ** 20;

interface KeepingPorts {
  readonly tray: typeof shareTray;
  readonly store: Pick<KeptItems, "list" | "add" | "remove">;
  /** Tells the other tabs that the store has changed, and hears it from them. */
  readonly tabs: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
}

/**
 * Keeps what waits in the tray over a reload: brings back what was left, stores what comes, and deletes what was sent or
 * discarded, in this tab or another. A store that fails leaves the tray as it is.
 */
export function keepShareTray({ tray, store, tabs }: KeepingPorts): void {
  const keys = new Map<ForwardItem, number>();
  let work: Promise<void> = Promise.resolve();
  // One after the other: each step goes by what the one before has stored.
  const next = (step: () => Promise<void>): void => {
    work = work.then(step).catch(() => {}); // without a disk it is as it was before: until the page is closed
  };

  const read = async (): Promise<void> => {
    const stored = new Map(await store.list());
    for (const [item, key] of keys) {
      if (stored.has(key)) continue;
      keys.delete(item); // first, so that it is not deleted once more
      tray.remove(item);
    }
    const known = new Set(keys.values());
    const came: ForwardItem[] = [];
    for (const [key, value] of stored) {
      if (known.has(key)) continue;
      const item = keptItem(value);
      if (item === null) {
        await store.remove(key);
        continue;
      }
      keys.set(item, key);
      came.push(item);
    }
    if (came.length > 0) tray.putBack(came);
  };

  const write = async (): Promise<void> => {
    const items = tray.getItems();
    let hasChanged = false;
    for (const [item, key] of keys) {
      if (items.includes(item)) continue;
      keys.delete(item);
      await store.remove(key);
      hasChanged = true;
    }
    for (const item of items) {
      if (keys.has(item) || !isKeepable(item, [...keys.keys()])) continue;
      keys.set(item, await store.add(item));
      hasChanged = true;
    }
    if (hasChanged) tabs.postMessage("changed");
  };

  tabs.addEventListener("message", () => next(read));
  tray.subscribe(() => next(write));
  next(read);
  next(write);
}

function isKeepable(item: ForwardItem, others: readonly ForwardItem[]): boolean {
  return [item, ...others].reduce((sum, each) => sum + bytesOf(each), 0) <= keptBytesMax;
}

function bytesOf(item: ForwardItem): number {
  if (item.type === "file") return item.file.size;
  return item.type === "text" ? item.text.length * 2 : 0;
}

/** An item as it was stored; null for what is none, because anything may have written there. */
function keptItem(value: unknown): ForwardItem | null {
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  if (value.type === "file" && "file" in value && value.file instanceof File)
    return { type: "file", file: value.file };
  if (value.type !== "text" || !("text" in value) || typeof value.text !== "string") return null;
  const text = cleanText(truncateUtf8(value.text, limits.textBytes));
  return isBlank(text) ? null : { type: "text", text };
}
