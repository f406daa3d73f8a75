import {
  decodeValue,
  type RoomTag,
  roomIdSchema,
  roomTagSchema,
  textUpTo,
  timestampSchema,
  v,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { RecordChanges, RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import type { Profile } from "../profile/profile.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";

const group = "rooms";
const keptRoomSchema = v.object({
  id: roomIdSchema,
  tag: roomTagSchema,
  password: v.nullable(textUpTo(256)),
  firstVisit: timestampSchema,
  lastVisit: timestampSchema,
});

/** A room that we have been in. */
export type KeptRoom = Readonly<v.InferOutput<typeof keptRoomSchema>>;

interface RoomBookDeps {
  readonly storage: Pick<RecordStorage, "list">;
  readonly write: (changes: RecordChanges) => void;
  readonly clock: Clock;
}

/** The rooms that we have been in, those visited last first, until they are forgotten. */
export class RoomBook {
  readonly store: ReadableStore<readonly KeptRoom[]>;
  readonly #store = createStore<readonly KeptRoom[]>([]);
  readonly #deps: RoomBookDeps;

  constructor(deps: RoomBookDeps) {
    this.#deps = deps;
    this.store = this.#store;
  }

  /** @throws WarrenError `storage-failed`. */
  async load(): Promise<void> {
    const records = await this.#deps.storage.list(group);
    const visited = this.#store.getState();
    const stored = records.flatMap(({ value }) => {
      const decoded = decodeValue(keptRoomSchema, value);
      return decoded.ok ? [decoded.value] : [];
    });
    // One that was visited before storage was read keeps its first visit.
    for (const { tag, firstVisit } of stored) {
      const room = visited.find((other) => other.tag === tag);
      if (room !== undefined) this.#set({ ...room, firstVisit });
    }
    const others = stored.filter(({ tag }) => !visited.some((room) => room.tag === tag));
    this.#store.setState([...this.#store.getState(), ...others].sort(byLastVisit), true);
  }

  get(tag: RoomTag): KeptRoom | undefined {
    return this.#store.getState().find((room) => room.tag === tag);
  }

  /** We have joined a room. */
  visit({ roomId, password }: Pick<Profile, "roomId" | "password">): void {
    const now = this.#deps.clock.now();
    const tag = roomTagOf(roomId);
    this.#set({ id: roomId, tag, password, firstVisit: this.get(tag)?.firstVisit ?? now, lastVisit: now });
  }

  /** Leaves a room out, once its history has been deleted. */
  remove(tag: RoomTag): void {
    this.#store.setState(
      this.#store.getState().filter((room) => room.tag !== tag),
      true,
    );
    this.#deps.write({ delete: [keyOf(tag)] });
  }

  #set(room: KeptRoom): void {
    const others = this.#store.getState().filter(({ tag }) => tag !== room.tag);
    this.#store.setState([room, ...others].sort(byLastVisit), true);
    this.#deps.write({ put: [recordOf(room)] });
  }
}

function byLastVisit(one: KeptRoom, other: KeptRoom): number {
  return other.lastVisit - one.lastVisit;
}

function keyOf(tag: RoomTag): string {
  return `room/${tag}`;
}

function recordOf(room: KeptRoom): StoredRecord {
  return { key: keyOf(room.tag), group, order: room.firstVisit, value: room };
}
