import { SerialQueue } from "@warren/core";
import { cleanText, isBlank, limits, safeFileName, truncateUtf8 } from "@warren/protocol";
import type { SharedItems } from "../../platform/storage/shared-items.ts";
import { isCredible, isStale, type ShareStamp, stampOf } from "../../service-worker/shared-store.ts";
import { sharedText } from "../../share/read-shared.ts";
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

/** The persisted tray. */
export interface PersistedTray {
  /** Loads what other tabs have stored or deleted. */
  reread(): Promise<void>;
  /** Resolves once the present content is stored, as far as possible. */
  settled(): Promise<void>;
}

/**
 * Persists the tray for a day: restores earlier items, stores new ones, and deletes those sent or discarded
 * in any tab. A failing store leaves the tray unchanged.
 */
export function persistShareTray({ tray, store, tabs }: TrayDeps): PersistedTray {
  /** Where each item is stored, and with which share; null for items that need a new stamp. */
  const entries = new Map<ForwardItem, { readonly key: number; readonly shareId: string | null }>();
  let isFirstRead = true;
  // Each step depends on what the previous one stored.
  const steps = new SerialQueue();
  const next = (step: () => Promise<void>): Promise<void> => steps.run(step).catch(() => {}); // without a disk, items last until the page closes

  const read = async (): Promise<void> => {
    const stored = new Map(await store.list());
    for (const [key, value] of stored) {
      if (!isStale(value)) continue;
      stored.delete(key);
      await store.remove(key);
    }
    for (const [item, { key }] of entries) {
      if (stored.has(key)) continue;
      entries.delete(item); // first, so that it is not deleted once more
      tray.remove(item);
    }
    const known = new Set([...entries.values()].map(({ key }) => key));
    const added: PendingItem[] = [];
    for (const [key, value] of stored) {
      if (known.has(key)) continue;
      const item = readItem(value);
      if (item === null) {
        await store.remove(key);
        continue;
      }
      const stamp = stampOf(value);
      entries.set(item, { key, shareId: stamp !== null && isCredible(stamp) ? stamp.id : null });
      added.push({ item, shareId: stamp?.id ?? "of an older version" });
    }
    if (added.length > 0 && isFirstRead) tray.prepend(added);
    else if (added.length > 0) tray.append(added);
    isFirstRead = false;
  };

  const write = async (): Promise<void> => {
    const waiting = tray.store.getState();
    let hasChanged = false;
    for (const [item, { key }] of entries) {
      if (waiting.some((each) => each.item === item)) continue;
      entries.delete(item);
      await store.remove(key);
      hasChanged = true;
    }
    for (const { item, shareId } of waiting) {
      const before = entries.get(item);
      if (before ? before.shareId === shareId : !fitsOnDisk(item, [...entries.keys()])) continue;
      const share: ShareStamp = { id: shareId, at: Date.now() };
      entries.set(item, { key: await store.add({ ...item, share }), shareId });
      if (before) await store.remove(before.key);
      hasChanged = true;
    }
    if (hasChanged) tabs.postMessage("changed");
  };

  tabs.addEventListener("message", () => void next(read));
  tray.store.subscribe(() => void next(write));
  void next(read);
  void next(write);
  return {
    reread: () => next(read),
    settled: () => steps.settled(),
  };
}

function fitsOnDisk(item: ForwardItem, others: readonly ForwardItem[]): boolean {
  return [item, ...others].reduce((sum, each) => sum + bytesOf(each), 0) <= storedBytesMax;
}

function bytesOf(item: ForwardItem): number {
  if (item.type === "file") return item.file.size;
  return item.type === "text" ? item.text.length * 2 : 0;
}

/**
 * A stored item, from here or from the service worker; null if it is invalid, because anything may have
 * written to the store.
 */
function readItem(value: unknown): ForwardItem | null {
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  switch (value.type) {
    case "file":
      return "file" in value && value.file instanceof File
        ? { type: "file", file: namedSafely(value.file) }
        : null;
    case "text":
      return textItem(cleanText(truncateUtf8(stringOf(value, "text"), limits.textBytes)));
    case "fields":
      return textItem(
        sharedText({
          title: stringOf(value, "title"),
          text: stringOf(value, "text"),
          url: stringOf(value, "url"),
        }),
      );
    default:
      return null;
  }
}

function textItem(text: string): ForwardItem | null {
  return isBlank(text) ? null : { type: "text", text };
}

function stringOf(value: object, field: string): string {
  const found: unknown = Reflect.get(value, field);
  return typeof found === "string" ? found : "";
}

/** A file with a name that is safe to show and send; other apps may use any name. */
function namedSafely(file: File): File {
  const name = safeFileName(file.name);
  return name === file.name
    ? file
    : new File([file], name, { type: file.type, lastModified: file.lastModified });
}
