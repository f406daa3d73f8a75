import {
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
  /** The password of the last visit: its people do not get what was said under another. */
  visitedWith: v.fallback(v.optional(v.nullable(textUpTo(256))), undefined),
  /** Since when that has been the password, if it was another one before: nothing earlier is given to anybody. */
  sharedSince: v.fallback(v.optional(timestampSchema), undefined),
  /** Nobody has shown yet that it knows the password: the next one takes its place. */
  unproven: v.fallback(v.optional(v.literal(true)), undefined),
  /** What we call it; nobody else sees that. */
  title: v.optional(textUpTo(limits.roomIdLength)),
  /** Who made the link that first led us there; we, if we made the room. */
  creator: v.optional(clientIdSchema),
  /** The other one of a room of two pages that met by code. */
  metWith: v.optional(clientIdSchema),
  /** No notification and no sound. */
  muted: v.fallback(v.optional(v.boolean()), undefined),
  /** Newcomers are shown what was said in it lately. */
  showsNewcomers: v.fallback(v.optional(v.boolean()), undefined),
  /** We wrote to everyone in it, since it has its password. */
  written: v.fallback(v.optional(v.literal(true)), undefined),
});

/** A room that we have been in. */
export type KeptRoom = Readonly<v.InferOutput<typeof keptRoomSchema>>;

const factsSchema = v.pick(keptRoomSchema, [
  "title",
  "creator",
  "metWith",
  "muted",
  "showsNewcomers",
  "written",
]);

/** What may be known of a room beside its visits. */
export type RoomFacts = Readonly<v.InferOutput<typeof factsSchema>>;

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
  /** What was noted of rooms before their first visit. */
  readonly #noted = new Map<RoomTag, RoomFacts>();
  /** Until storage was read, nothing is written over what it knows of a room. */
  #isLoaded = false;

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
    this.#store.setState(stored.sort(byLastVisit), true);
    this.#isLoaded = true;
    for (const room of visited) {
      const { visitedWith = room.password } = room;
      const shared = this.#shared(visitedWith, this.get(room.tag));
      const known = this.get(room.tag) ?? room;
      const isProven = room.unproven === undefined;
      const kept = isProven ? { password: room.password } : keptPassword(room.password, known);
      const facts = { ...factsWith(room.password, known), ...factsWith(kept.password, room) };
      this.#set({
        ...{ ...known, ...room, firstVisit: known.firstVisit, ...kept },
        ...{ ...noFacts, ...facts, ...shared },
      });
    }
  }

  get(tag: RoomTag): KeptRoom | undefined {
    return this.#store.getState().find((room) => room.tag === tag);
  }

  /** We have joined a room. A password that a member has proven is kept until one proves another: anybody can make a link. */
  visit({ roomId, password }: Pick<Profile, "roomId" | "password">): void {
    const now = this.#deps.clock.now();
    const tag = roomTagOf(roomId);
    const known = this.get(tag);
    const before = known ?? { firstVisit: now, ...this.#noted.get(tag) };
    this.#noted.delete(tag);
    this.#set({
      ...{ ...before, id: roomId, tag, ...keptPassword(password, known), lastVisit: now },
      // What is stored may have been said under another password.
      ...(this.#isLoaded ? this.#shared(password, known) : { visitedWith: password, sharedSince: now }),
    });
  }

  /** A member of a room that we have joined has proven that it knows this password. */
  prove({ roomId, password }: Pick<Profile, "roomId" | "password">): void {
    const room = this.get(roomTagOf(roomId));
    if (room === undefined || (room.unproven === undefined && room.password === password)) return;
    this.#set({ ...room, password, unproven: undefined, ...noFacts, ...factsWith(password, room) });
  }

  /**
   * Notes something of a room; of one that was not visited, for its first visit while the page is open.
   * @throws WarrenError `frame-invalid` naming what is invalid.
   */
  note(tag: RoomTag, facts: RoomFacts): void {
    const parsed = v.safeParse(factsSchema, facts);
    if (!parsed.success)
      throw new WarrenError("frame-invalid", { issue: String(parsed.issues[0].path?.[0]?.key ?? "room") });
    const room = this.get(tag);
    if (room === undefined) this.#noted.set(tag, { ...this.#noted.get(tag), ...facts });
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

  /** Two who met by code have another password at each meeting, and are the same two. */
  #shared(
    password: string | null,
    known: KeptRoom | undefined,
  ): Pick<KeptRoom, "visitedWith" | "sharedSince"> {
    const { visitedWith = known?.password, metWith } = known ?? {};
    const isOther = metWith === undefined && visitedWith !== undefined && visitedWith !== password;
    return { visitedWith: password, sharedSince: isOther ? this.#deps.clock.now() : known?.sharedSince };
  }

  #set(room: KeptRoom): void {
    const others = this.#store.getState().filter(({ tag }) => tag !== room.tag);
    this.#store.setState([room, ...others].sort(byLastVisit), true);
    if (this.#isLoaded) this.#deps.write({ put: [recordOf(room)] });
  }
}

/** What a room is kept with after a visit with a password. */
function keptPassword(
  password: string | null,
  known: KeptRoom | undefined,
): Pick<KeptRoom, "password" | "unproven" | keyof typeof noFacts> {
  const facts = { ...noFacts, ...factsWith(password, known) };
  const isProven = known !== undefined && known.unproven === undefined;
  return isProven ? { password: known.password, ...facts } : { password, unproven: true, ...facts };
}

/** What holds among those who have the password of a room: under another there are other people. */
const noFacts = { written: undefined, showsNewcomers: undefined };

function factsWith(
  password: string | null,
  known: KeptRoom | undefined,
): Partial<Pick<KeptRoom, keyof typeof noFacts>> {
  if (known === undefined || known.password !== password) return {};
  const { written, showsNewcomers } = known;
  return { ...(written && { written }), ...(showsNewcomers !== undefined && { showsNewcomers }) };
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
