import {
  type ClientId,
  clientIdSchema,
  decodeValue,
  limits,
  type RoomTag,
  roomIdSchema,
  roomTagSchema,
  textUpTo,
  timestampSchema,
  v,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { RecordChanges, RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import type { RoomKey } from "../room/room-service.ts";
import { localTagOf, roomTagOf } from "../room/room-tag.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import { logGroups } from "./stored-log.ts";

const group = "rooms";
/** Five times as many as a room remembers members. */
const removedMax = 1_000;
const visitedRoomSchema = v.object({
  id: roomIdSchema,
  tag: roomTagSchema,
  password: v.nullable(textUpTo(256)),
  firstVisit: timestampSchema,
  lastVisit: timestampSchema,
  /** Its conversation is stored under the tag of its name, as earlier versions stored that of every room. */
  storedByName: v.fallback(v.optional(v.literal(true)), undefined),
  /** What we call it; nobody else sees that. */
  title: v.optional(textUpTo(limits.roomIdLength)),
  /** Who made the link that first led us there; we, if we made the room. */
  creator: v.optional(clientIdSchema),
  /** The other one of a room of two pages that met by code: it is the same one with each password. */
  metWith: v.optional(clientIdSchema),
  /** No notification and no sound. */
  muted: v.fallback(v.optional(v.boolean()), undefined),
  /** Newcomers are shown what was said in it lately. */
  showsNewcomers: v.fallback(v.optional(v.boolean()), undefined),
  /** The members that the person removed: in this room we neither hear what they say to everyone nor tell them. */
  removed: v.fallback(v.optional(v.pipe(v.array(clientIdSchema), v.maxLength(removedMax))), undefined),
  /** We wrote to everyone in it. */
  written: v.fallback(v.optional(v.literal(true)), undefined),
});
/** Earlier versions kept one room for all passwords of a name: this was said when, after another password had been used. */
const mixedSchema = v.object({ sharedSince: timestampSchema });

/** A room that we have been in. */
export type VisitedRoom = Readonly<v.InferOutput<typeof visitedRoomSchema>>;

const factsSchema = v.pick(visitedRoomSchema, [
  "title",
  "creator",
  "metWith",
  "muted",
  "showsNewcomers",
  "removed",
  "written",
]);

/** What may be known of a room beside its visits. */
export type RoomFacts = Readonly<v.InferOutput<typeof factsSchema>>;

interface RoomBookDeps {
  readonly storage: Pick<RecordStorage, "list" | "deleteGroups">;
  readonly write: (changes: RecordChanges) => void;
  /** The conversation of a room is stored under another tag. */
  readonly isStoredAs: (tag: RoomTag, stored: RoomTag) => void;
  readonly clock: Clock;
}

/** The rooms that we have been in, those visited last first, until they are forgotten. A room is its name and its password. */
export class RoomBook {
  readonly store: ReadableStore<readonly VisitedRoom[]>;
  readonly #store = createStore<readonly VisitedRoom[]>([]);
  readonly #deps: RoomBookDeps;
  /** Facts of rooms that were not visited yet. */
  readonly #unvisited = new Map<RoomTag, RoomFacts>();
  /** Until storage was read, nothing is written over what it knows of a room. */
  #isLoaded = false;

  constructor(deps: RoomBookDeps) {
    this.#deps = deps;
    this.store = this.#store;
  }

  /** @throws WarrenError `storage-failed`. */
  async load(): Promise<void> {
    const records = await this.#deps.storage.list(group);
    const stored = await Promise.all(records.map((record) => this.#read(record)));
    const visited = this.#store.getState();
    this.#isLoaded = true;
    this.#store.setState(stored.filter((room) => room !== null).sort(byLastVisit), true);
    for (const { storedByName, id, tag } of this.#store.getState())
      if (storedByName) this.#deps.isStoredAs(tag, roomTagOf(id));
    for (const room of visited) {
      const known = this.get(room.tag) ?? room;
      const { firstVisit, password } = known;
      this.#set({ ...known, ...room, firstVisit, password });
    }
  }

  get(tag: RoomTag): VisitedRoom | undefined {
    return this.#store.getState().find((room) => room.tag === tag);
  }

  /** Whether the person removed a client from the members of a room. */
  isRemoved(tag: RoomTag, client: ClientId): boolean {
    return this.get(tag)?.removed?.includes(client) ?? false;
  }

  /** We have joined a room. */
  visit({ roomId, password }: RoomKey): void {
    const now = this.#deps.clock.now();
    const tag = localTagOf({ roomId, password });
    const known = this.get(tag) ?? { password, firstVisit: now, ...this.#unvisited.get(tag) };
    this.#unvisited.delete(tag);
    this.#set({ ...known, id: roomId, tag, lastVisit: now });
  }

  /** A member of a room that we have joined has proven that it knows this password: in a room of two it may be a new one. */
  prove({ roomId, password }: RoomKey): void {
    const room = this.get(localTagOf({ roomId, password }));
    if (room !== undefined && room.password !== password) this.#set({ ...room, password });
  }

  /**
   * Changes what is kept of a room; of one that was not visited, for its first visit while the page is open.
   * @throws WarrenError `frame-invalid` naming what is invalid.
   */
  update(tag: RoomTag, facts: RoomFacts): void {
    const parsed = v.safeParse(factsSchema, facts);
    if (!parsed.success)
      throw new WarrenError("frame-invalid", { issue: String(parsed.issues[0].path?.[0]?.key ?? "room") });
    const room = this.get(tag);
    if (room === undefined) this.#unvisited.set(tag, { ...this.#unvisited.get(tag), ...facts });
    else this.#set({ ...room, ...facts });
  }

  /** Leaves a room out, once its history has been deleted. */
  remove(tag: RoomTag): void {
    this.#store.setState(
      this.#store.getState().filter((room) => room.tag !== tag),
      true,
    );
    this.#deps.write({ delete: [keyOf(tag)] });
  }

  /** A stored room. One that an earlier version kept under the tag of its name is from now on that of the password it was kept with. */
  async #read(record: StoredRecord): Promise<VisitedRoom | null> {
    const decoded = decodeValue(visitedRoomSchema, record.value);
    if (!decoded.ok) return null;
    const room = decoded.value;
    const byName = roomTagOf(room.id);
    const tag = localTagOf({ roomId: room.id, password: room.password });
    const isMixed = v.is(mixedSchema, record.value);
    if (room.tag === tag && !isMixed) return room;
    const moved: VisitedRoom = { ...room, tag, ...(tag !== byName && { storedByName: true }) };
    // Its entries were signed for all who know the name.
    await this.#deps.storage.deleteGroups(Object.values(logGroups(byName)), {
      put: [recordOf(moved)],
      ...(tag !== byName && { delete: [keyOf(byName)] }),
    });
    return moved;
  }

  #set(room: VisitedRoom): void {
    const others = this.#store.getState().filter(({ tag }) => tag !== room.tag);
    this.#store.setState([room, ...others].sort(byLastVisit), true);
    if (this.#isLoaded) this.#deps.write({ put: [recordOf(room)] });
  }
}

function byLastVisit(one: VisitedRoom, other: VisitedRoom): number {
  return other.lastVisit - one.lastVisit;
}

function keyOf(tag: RoomTag): string {
  return `room/${tag}`;
}

function recordOf(room: VisitedRoom): StoredRecord {
  return { key: keyOf(room.tag), group, order: room.firstVisit, value: room };
}
