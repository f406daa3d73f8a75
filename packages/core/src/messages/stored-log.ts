import {
  type ClientId,
  clientIdSchema,
  decodeValue,
  entryHashSchema,
  entryNumberSchema,
  type RoomTag,
  timestampSchema,
  v,
} from "@warren/protocol";
import type { RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import type { Entry } from "../room-log/entry.ts";
import type { Member } from "../room-log/members.ts";
import type { LoggedEntry } from "../room-log/timeline.ts";

/**
 * An entry was read with its schema before it was stored. A room has thousands, so here only their shapes are checked, and
 * their hashes come from their keys.
 */
const storedEntrySchema = v.object({
  author: v.string(),
  key: v.string(),
  via: v.string(),
  shownAt: v.number(),
  waits: v.optional(v.literal(true)),
  opening: v.optional(v.literal(true)),
  entry: v.object({
    n: v.number(),
    prev: v.optional(v.string()),
    time: v.number(),
    name: v.string(),
    kind: v.string(),
    about: v.optional(v.object({ client: v.string(), id: v.string() })),
    body: v.string(),
    signature: v.string(),
  }),
});
/** What is left of an entry that was removed here. */
const erasedEntrySchema = v.object({ author: v.string(), n: v.number(), shownAt: v.number() });
const storedMemberSchema = v.object({
  client: clientIdSchema,
  since: timestampSchema,
  metAt: v.nullable(timestampSchema),
  lastSeen: timestampSchema,
  name: v.fallback(v.optional(v.string()), undefined),
  shownSince: v.fallback(v.optional(timestampSchema), undefined),
});
const storedFloorSchema = v.object({
  author: clientIdSchema,
  floor: entryNumberSchema,
  gone: v.fallback(v.optional(v.array(entryNumberSchema), []), []),
});

const ownHeadSchema = v.object({ n: entryNumberSchema, hash: entryHashSchema });

/**
 * The last entry of our own log of a room, which our next one follows. It outlives the room here: others still have what we
 * wrote, and would see a second entry with the number of an earlier one as its other version.
 */
export type OwnHead = Readonly<v.InferOutput<typeof ownHeadSchema>>;

/** What is known of an author's log beside its entries. */
type StoredFloor = Readonly<v.InferOutput<typeof storedFloorSchema>>;

/** The groups of a room's log: its entries, its members, and from which number on an author's entries are kept and which of them are gone. */
export function logGroups(room: RoomTag) {
  return { entries: `log/${room}`, members: `members/${room}`, floors: `floors/${room}` } as const;
}

/** What is stored of a room's log. */
interface StoredLog {
  readonly entries: readonly LoggedEntry[];
  readonly members: readonly Member[];
  readonly floors: readonly StoredFloor[];
  readonly ownHead: OwnHead | null;
}

/** The log of a room: what the room is kept under here, and what its entries are signed for. */
export interface LogName {
  readonly room: RoomTag;
  readonly tag: RoomTag;
}

/** Reads the log of a room; what does not pass its schema is left out. @throws WarrenError `storage-failed`. */
export async function readLog(storage: RecordStorage, { room, tag }: LogName): Promise<StoredLog> {
  const groups = logGroups(room);
  const [entries, members, floors, heads] = await Promise.all([
    storage.list(groups.entries),
    readMembers(storage, room),
    storage.list(groups.floors),
    storage.get([ownHeadKeyOf(tag)]),
  ]);
  return {
    entries: entries.flatMap((record) => readStoredEntry(tag, record) ?? []),
    members,
    floors: parsed(storedFloorSchema, floors),
    ownHead: parsed(ownHeadSchema, heads)[0] ?? null,
  };
}

/** Reads the members of a room, as {@link readLog}. */
export async function readMembers(
  storage: Pick<RecordStorage, "list">,
  room: RoomTag,
): Promise<readonly Member[]> {
  return parsed(storedMemberSchema, await storage.list(logGroups(room).members));
}

function readStoredEntry(tag: RoomTag, { key, value }: StoredRecord): LoggedEntry | null {
  const hash = key.slice(key.lastIndexOf("/") + 1);
  if (v.is(storedEntrySchema, value)) {
    const { author, entry, ...rest } = value;
    return { ...rest, entry: { ...entry, tag, author, hash } };
  }
  if (!v.is(erasedEntrySchema, value)) return null;
  const { author, n, shownAt } = value;
  const nothing = { name: "", kind: "text", body: "", signature: "" };
  const entry = { tag, author, n, hash, time: shownAt, ...nothing };
  return { entry, key: "", via: author, shownAt, erased: true };
}

/** The record of an entry that was removed: its number and its hash. */
export function erasedRecord(
  room: RoomTag,
  { author, n, hash }: Pick<Entry, "author" | "n" | "hash">,
  shownAt: number,
): StoredRecord {
  return {
    key: entryKeyOf(room, { author, hash }),
    group: logGroups(room).entries,
    order: shownAt,
    value: { author, n, shownAt },
  };
}

/** An entry as a record. */
export function entryRecord(
  room: RoomTag,
  { entry: whole, key, via, shownAt, waits, opening }: LoggedEntry,
): StoredRecord {
  const { tag: _tag, author, hash: _hash, ...entry } = whole;
  const value = { author, key, via, shownAt, ...(waits && { waits }), ...(opening && { opening }), entry };
  return { key: entryKeyOf(room, whole), group: logGroups(room).entries, order: shownAt, value };
}

/** The key of the record of an entry. */
export function entryKeyOf(room: RoomTag, { author, hash }: Pick<Entry, "author" | "hash">): string {
  return `log/${room}/${author}/${hash}`;
}

/** The key of the record of a member. */
export function memberKeyOf(room: RoomTag, client: ClientId): string {
  return `members/${room}/${client}`;
}

/** A member as a record. */
export function memberRecord(room: RoomTag, member: Member): StoredRecord {
  const key = memberKeyOf(room, member.client);
  return { key, group: logGroups(room).members, order: member.since, value: member };
}

/** The key of {@link floorRecord}. */
export function floorKeyOf(room: RoomTag, author: ClientId): string {
  return `floors/${room}/${author}`;
}

/** The record of the lowest number that is kept of an author, and of those above that its author has no more. */
export function floorRecord(room: RoomTag, floor: StoredFloor): StoredRecord {
  return { key: floorKeyOf(room, floor.author), group: logGroups(room).floors, order: 0, value: floor };
}

/** Under the tag that is signed: guessing a forgotten password by it costs the slow hash each time. */
function ownHeadKeyOf(tag: RoomTag): string {
  return `own-head/${tag}`;
}

/** The record of the last entry of our own log. */
export function ownHeadRecord({ tag, n, hash }: Pick<Entry, "tag" | "n" | "hash">): StoredRecord {
  return { key: ownHeadKeyOf(tag), group: "own-heads", order: 0, value: { n, hash } };
}

function parsed<S extends v.GenericSchema>(schema: S, records: readonly StoredRecord[]): v.InferOutput<S>[] {
  return records.flatMap(({ value }) => {
    const decoded = decodeValue(schema, value);
    return decoded.ok ? [decoded.value as v.InferOutput<S>] : [];
  });
}
