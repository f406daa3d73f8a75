import type { KeyValueStorage, Warren } from "@warren/core";

const storageKey = "room_of_tab";
/** The page that this tab showed of its room last. */
const pageKey = "page_of_tab";

/** The room this tab was in when its page was closed; null if there was none or it had been left. */
export function readRoomOfTab(tabStorage: KeyValueStorage): string | null {
  return tabStorage.read(storageKey);
}

/** The page of its room that this tab showed when its page was closed. */
export function readPageOfTab(tabStorage: KeyValueStorage): string | null {
  return tabStorage.read(pageKey);
}

/** Records the page of its room that this tab shows. */
export function storePageOfTab(tabStorage: KeyValueStorage, pathname: string): void {
  tabStorage.write(pageKey, pathname);
}

/**
 * Keeps recording this tab's room, so that a reload can rejoin it. A failed join does not clear the record:
 * the requests of a page that is reloaded while joining fail too, and after a server outage the next reload
 * retries.
 */
export function followRoomOfTab({ room }: Pick<Warren, "room">, tabStorage: KeyValueStorage): void {
  room.store.subscribe((now, before) => {
    if (now.status === "connected" && before.status !== "connected") tabStorage.write(storageKey, now.roomId);
    const isLeft = now.status === "disconnected" && (before.status === "connected" || now.error === null);
    if (isLeft) tabStorage.remove(storageKey);
  });
}
