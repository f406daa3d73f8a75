import type { ChatState, KeyValueStorage, MessageKey, TransferSnapshots, Warren } from "@warren/core";
import { type TransferRows, transferRows } from "./transfer-rows.ts";

const storageKey = "transfers_done";
/** The latest of them survive a reload. */
const keptMax = 100;

/** Cleared transfers stay hidden until the page closes, even if the tray is reopened. */
const cleared = new Set<string>();
let earlier: ReadonlySet<string> = new Set();
let recalledFrom: KeyValueStorage | null = null;

/** The transfers listed in the tray. */
export function listedTransfers(
  chat: Pick<ChatState, "conversations">,
  transfers: TransferSnapshots,
): TransferRows {
  return transferRows(chat, transfers, { cleared, earlier });
}

/** Clears completed transfers. */
export function clearTransfers(done: TransferRows["done"]): void {
  for (const { key } of done) cleared.add(key);
}

/**
 * Restores, once, the completed transfers from when this tab's page last closed, and saves them on every
 * later close.
 */
export function recallDoneTransfers(
  { chat, transfers }: Pick<Warren, "chat" | "transfers">,
  tabStorage: KeyValueStorage,
): void {
  if (recalledFrom === tabStorage) return;
  recalledFrom = tabStorage;
  const keys = storedKeys(tabStorage);
  earlier = new Set(keys);
  // Without their messages they are not listed.
  const load = () => void chat.loadFiles(keys).catch(() => {});
  if (chat.store.getState().loaded) load();
  else {
    const stop = chat.store.subscribe(({ loaded }) => {
      if (!loaded) return;
      stop();
      load();
    });
  }
  addEventListener("pagehide", () => {
    const { done } = listedTransfers(chat.store.getState(), transfers.store.getState());
    const keys = done.slice(0, keptMax).map(({ key }) => key);
    if (keys.length > 0) tabStorage.write(storageKey, JSON.stringify(keys));
    else tabStorage.remove(storageKey);
  });
}

function storedKeys(tabStorage: KeyValueStorage): readonly MessageKey[] {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((key): key is MessageKey => typeof key === "string") : [];
  } catch {
    return [];
  }
}
