import type { ChatState, KeyValueStorage, TransferState, Warren } from "@warren/core";
import { type TransferRows, transferRows } from "./transfer-rows.ts";

const storageKey = "transfers_done";
/** The latest of them outlive a reload. */
const keptMax = 100;

/** What was cleared stays so while the page lives, also when the tray is closed and opened. */
const cleared = new Set<string>();
let earlier: ReadonlySet<string> = new Set();
let recalledFrom: KeyValueStorage | null = null;

/** What the tray lists now. */
export function listedTransfers(
  chat: Pick<ChatState, "conversations">,
  transfers: TransferState,
): TransferRows {
  return transferRows(chat, transfers, { cleared, earlier });
}

/** Puts away what is done. */
export function clearTransfers(done: TransferRows["done"]): void {
  for (const { key } of done) cleared.add(key);
}

/** Takes back, once, what was done when this tab's page went, and from then on leaves it there for the next. */
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
