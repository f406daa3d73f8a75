import type { RoomTag } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import type { RecordChanges, StoredRecord } from "../ports/record-storage.ts";
import type { RoomKey } from "../room/room-service.ts";
import { localTagOf, roomOfTwo, roomTagOf } from "../room/room-tag.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { RoomBook } from "./room-book.ts";

/** A book, and the same one after a reload. */
function book() {
  const clock = new FakeClock();
  const records = new Map<string, StoredRecord>();
  const write = ({ put = [], delete: gone = [] }: RecordChanges) => {
    for (const key of gone) records.delete(key);
    for (const record of put) records.set(record.key, record);
  };
  const deletedGroups: string[] = [];
  const storedAs: [RoomTag, RoomTag][] = [];
  const storage = {
    list: async (group: string) => [...records.values()].filter((record) => record.group === group),
    deleteGroups: async (groups: readonly string[], changes: RecordChanges = {}) => {
      deletedGroups.push(...groups);
      write(changes);
    },
  };
  const isStoredAs = (tag: RoomTag, stored: RoomTag) => storedAs.push([tag, stored]);
  const open = () => new RoomBook({ clock, storage, write, isStoredAs });
  return { clock, open, records, deletedGroups, storedAs };
}

const burrow = { roomId: "burrow", password: null };
const tag = roomTagOf("burrow");
const creator = "00000000-0000-4000-8000-00000000000a";

it("keeps what is noted of a room before its first visit and after", async () => {
  const { open } = book();
  const first = open();
  await first.load();
  first.update(tag, { creator });
  expect(first.store.getState()).toEqual([]);
  first.visit(burrow);
  first.update(tag, { title: "Home" });
  const second = open();
  await second.load();
  expect(second.get(tag)).toMatchObject({ creator, title: "Home", password: null });
});

it("keeps what is known of a room that is visited before storage was read", async () => {
  const { clock, open } = book();
  const first = open();
  await first.load();
  first.visit(burrow);
  first.update(tag, { title: "Home" });
  const { firstVisit } = first.get(tag) ?? {};
  await clock.advance(5_000);
  const second = open();
  second.visit(burrow);
  await second.load();
  const known = { title: "Home", firstVisit, lastVisit: clock.now() };
  expect(second.get(tag)).toMatchObject(known);
  const third = open();
  await third.load();
  expect(third.get(tag)).toMatchObject(known);
});

it("refuses a title that is too long, and takes one away", () => {
  const { open } = book();
  const rooms = open();
  rooms.visit(burrow);
  expect(() => rooms.update(tag, { title: "x".repeat(1_000) })).toThrow(/title/);
  rooms.update(tag, { title: "Home" });
  rooms.update(tag, { title: undefined });
  expect(rooms.get(tag)?.title).toBeUndefined();
});

const [tidal, salt] = ["tidal", "salt"].map((password) => ({ ...burrow, password })) as [RoomKey, RoomKey];

it.each([
  ["before", true],
  ["after", false],
])("keeps a room for each password, also if it is visited %s storage was read", async (_name, isBefore) => {
  const { clock, open } = book();
  for (const visited of [tidal, salt, burrow, tidal]) {
    await clock.advance(1_000);
    const rooms = open();
    if (isBefore) rooms.visit(visited);
    await rooms.load();
    if (!isBefore) rooms.visit(visited);
    rooms.update(localTagOf(visited), { title: String(visited.password) });
  }
  const rooms = open();
  await rooms.load();
  const kept = rooms.store.getState().map(({ password, title }) => [password, title]);
  expect(kept).toEqual([
    ["tidal", "tidal"],
    [null, "null"],
    ["salt", "salt"],
  ]);
  expect(new Set(rooms.store.getState().map((room) => room.tag)).size).toBe(3);
});

it("takes a password for the same one however its accents are composed", () => {
  const { open } = book();
  const rooms = open();
  for (const password of ["caf\u00e9", "cafe\u0301"]) rooms.visit({ ...burrow, password });
  expect(rooms.store.getState()).toHaveLength(1);
});

describe("the room of two who met by code", () => {
  it("is the same with each password, and keeps the last that one has proven", async () => {
    const { open } = book();
    const rooms = open();
    await rooms.load();
    const roomId = roomOfTwo(creator, "00000000-0000-4000-8000-00000000000b");
    rooms.update(localTagOf({ ...tidal, roomId }), { metWith: creator });
    rooms.visit({ ...tidal, roomId });
    rooms.visit({ ...salt, roomId });
    expect(rooms.store.getState()).toMatchObject([{ id: roomId, password: "tidal", metWith: creator }]);
    rooms.prove({ ...salt, roomId });
    const later = open();
    later.visit({ ...salt, roomId });
    await later.load();
    expect(later.store.getState()).toMatchObject([{ id: roomId, password: "salt", metWith: creator }]);
  });
});

describe("a room that an earlier version kept under the tag of its name", () => {
  const storing = (value: object) => {
    const { records, ...rest } = book();
    const old = { id: "burrow", tag, firstVisit: 1, lastVisit: 1, title: "Home", ...value };
    records.set(`room/${tag}`, { key: `room/${tag}`, group: "rooms", order: 1, value: old });
    return { records, ...rest };
  };

  it("is that of the password it was kept with, with its conversation, and without its log", async () => {
    const { open, records, deletedGroups, storedAs } = storing({ password: "tidal" });
    for (let load = 1; load <= 2; load++) {
      const rooms = open();
      await rooms.load();
      expect(rooms.store.getState()).toMatchObject([{ tag: localTagOf(tidal), title: "Home" }]);
      expect(storedAs).toEqual(Array(load).fill([localTagOf(tidal), tag]));
    }
    expect([...records.keys()]).toEqual([`room/${localTagOf(tidal)}`]);
    expect(deletedGroups).toEqual([`log/${tag}`, `members/${tag}`, `floors/${tag}`]);
  });

  it("stays as it is without a password", async () => {
    const { open, deletedGroups, storedAs } = storing({ password: null });
    const rooms = open();
    await rooms.load();
    expect(rooms.get(tag)?.title).toBe("Home");
    expect([deletedGroups, storedAs]).toEqual([[], []]);
  });

  it("loses its log if it was also visited with a password", async () => {
    const { open, deletedGroups, storedAs } = storing({ password: null, sharedSince: 5 });
    for (let load = 1; load <= 2; load++) await open().load();
    expect(deletedGroups).toHaveLength(3);
    expect(storedAs).toEqual([]);
  });
});
