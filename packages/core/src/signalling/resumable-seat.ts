import { type ClientId, integer, type RoomTag, textUpTo, v } from "@warren/protocol";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import { readJson } from "../shared/storage/read-json.ts";

const storageKey = "signalling_seat";

const seatSchema = v.object({
  roomTag: v.string(),
  clientId: v.string(),
  order: integer(),
  resumeToken: textUpTo(512),
});

/** Our seat in a room and the token that reclaims it while the server keeps it (`seatKeptMs`). */
export type StoredSeat = Readonly<v.InferOutput<typeof seatSchema>>;

/** Stores the seat for a reload of the tab. */
export class ResumableSeat {
  readonly #storage: KeyValueStorage;
  readonly #roomTag: RoomTag;
  readonly #clientId: ClientId;

  constructor(storage: KeyValueStorage, roomTag: RoomTag, clientId: ClientId) {
    this.#storage = storage;
    this.#roomTag = roomTag;
    this.#clientId = clientId;
  }

  /** The stored seat of this client in this room, if any. */
  get(): StoredSeat | null {
    const parsed = v.safeParse(seatSchema, readJson(this.#storage, storageKey));
    if (!parsed.success) return null;
    const seat = parsed.output;
    return seat.roomTag === this.#roomTag && seat.clientId === this.#clientId ? seat : null;
  }

  keep(order: number, resumeToken: string): void {
    const seat: StoredSeat = { roomTag: this.#roomTag, clientId: this.#clientId, order, resumeToken };
    this.#storage.write(storageKey, JSON.stringify(seat));
  }

  clear(): void {
    this.#storage.remove(storageKey);
  }
}
