import { type KeyValueStorage, optionTable, type Servers } from "@warren/core";
import { roomIdSchema, v } from "@warren/protocol";
import { readJson } from "../../platform/storage/read-json.ts";

const storageKey = "room_servers";
const storedSchema = v.object({ roomId: roomIdSchema, servers: optionTable.servers.schema });

/**
 * Servers that came with a link and were accepted by the user: for one room, in this tab, never in the
 * settings.
 */
export class RoomServers {
  readonly #storage: KeyValueStorage;
  #last: { readonly own: Servers; readonly text: string; readonly merged: Servers } | null = null;

  /** @param storage storage of this tab; survives reloads. */
  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  /** Allows additional servers for a room. */
  allow(roomId: string, servers: Servers): void {
    this.#storage.write(storageKey, JSON.stringify({ roomId, servers }));
  }

  /** The servers for a room: our own plus the allowed ones. The same object while nothing changes. */
  merge(own: Servers, roomId: string): Servers {
    const text = this.#storage.read(storageKey);
    if (text === null) return own;
    const allowed = readJson(text, storedSchema);
    if (allowed?.roomId !== roomId) return own;
    if (this.#last?.own === own && this.#last.text === text) return this.#last.merged;
    const merged = {
      stuns: [...own.stuns, ...allowed.servers.stuns],
      turns: [...own.turns, ...allowed.servers.turns],
    };
    this.#last = { own, text, merged };
    return merged;
  }
}
