import type { ChatState, KeyValueStorage, TransferState, Warren } from "@warren/core";
import { type TransferRows, transferRows } from "./transfer-rows.ts";

const storageKey = "transfers_done";
/** The latest of them survive a reload. */
const keptMax = 100;

/** Cleared transfers stay hidden for the page's lifetime, also when the tray is reopened. */
const cleared = new Set<string>();
let earlier: ReadonlySet<string> = new Set();
let recalledFrom: KeyValueStorage | null = null;

/** The transfers listed in the tray. */
export function listedTransfers(
  chat: Pick<ChatState, "conversations">,
  transfers: TransferState,
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
  earlier = new Set(storedKeys(tabStorage));
  addEventListener("pagehide", () => {
    const { done } = listedTransfers(chat.store.getState(), transfers.store.getState());
    const keys = done.slice(0, keptMax).map(({ key }) => key);
    if (keys.length > 0) tabStorage.write(storageKey, JSON.stringify(keys));
    else tabStorage.remove(storageKey);
  });
}

function storedKeys(tabStorage: KeyValueStorage): readonly string[] {
  try {
    const stored: unknown = JSON.parse(tabStorage.read(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((key) => typeof key === "string") : [];
  } catch {
    return [];
  }
}
