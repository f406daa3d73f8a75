import type { KeyValueStorage, Warren } from "@warren/core";

const storageKey = "room_of_tab";

/** The room this tab was in when its page went away; null when it was in none or had left. */
export function readRoomOfTab(tabStorage: KeyValueStorage): string | null {
  return tabStorage.read(storageKey);
}

/**
 * Keeps noting which room this tab is in, so that a reload can go back to it. A join that fails takes nothing back: a page
 * that is reloaded on its way into the room sees its requests fail, and where the server was gone the next reload tries again.
 */
export function noteRoomOfTab({ room }: Pick<Warren, "room">, tabStorage: KeyValueStorage): void {
  room.store.subscribe((now, before) => {
    if (now.status === "connected" && before.status !== "connected") tabStorage.write(storageKey, now.roomId);
    const isLeft = now.status === "disconnected" && (before.status === "connected" || now.error === null);
    if (isLeft) tabStorage.remove(storageKey);
  });
}
