import { describe, expect, it } from "vitest";
import type { StoredRecord } from "../ports/record-storage.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { RoomBook } from "./room-book.ts";

/** A book, and the same one after a reload. */
function book() {
  const clock = new FakeClock();
  const records = new Map<string, StoredRecord>();
  const open = () =>
    new RoomBook({
      clock,
      storage: { list: async () => [...records.values()] },
      write: (changes) => {
        for (const record of changes.put ?? []) records.set(record.key, record);
        for (const key of changes.delete ?? []) records.delete(key);
      },
    });
  return { clock, open, records };
}

const burrow = { roomId: "burrow", password: null };
const tag = roomTagOf("burrow");
const creator = "00000000-0000-4000-8000-00000000000a";

it("keeps what is noted of a room before its first visit and after", async () => {
  const { open } = book();
  const first = open();
  await first.load();
  first.note(tag, { creator });
  expect(first.store.getState()).toEqual([]);
  first.visit(burrow);
  first.note(tag, { title: "Home" });
  first.prove({ ...burrow, password: "tidal" });
  const second = open();
  await second.load();
  expect(second.get(tag)).toMatchObject({ creator, title: "Home", password: "tidal" });
});

it("forgets that we wrote in a room once it has another password", async () => {
  const { open } = book();
  const first = open();
  await first.load();
  const visit = { ...burrow, password: "tidal" };
  first.visit(visit);
  first.note(tag, { written: true });
  first.visit(visit);
  expect(first.get(tag)?.written).toBe(true);
  // Before storage was read, as a link is opened.
  for (const [password, written] of [
    ["tidal", true],
    ["ebbing", undefined],
    ["tidal", undefined],
  ] as const) {
    const later = open();
    later.visit({ ...burrow, password });
    await later.load();
    expect(later.get(tag)?.written).toBe(written);
  }
});

it("keeps what is known of a room that is visited before storage was read", async () => {
  const { clock, open } = book();
  const first = open();
  await first.load();
  first.visit(burrow);
  first.note(tag, { title: "Home" });
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
  expect(() => rooms.note(tag, { title: "x".repeat(1_000) })).toThrow(/title/);
  rooms.note(tag, { title: "Home" });
  rooms.note(tag, { title: undefined });
  expect(rooms.get(tag)?.title).toBeUndefined();
});

describe("the password of a room", () => {
  const tidal = { ...burrow, password: "tidal" };
  const salt = { ...burrow, password: "salt" };

  it("is kept from one that only a link claims, also when that comes before storage was read", async () => {
    const { open } = book();
    const first = open();
    await first.load();
    first.visit(tidal);
    first.prove(tidal);
    first.visit(salt);
    expect(first.get(tag)?.password).toBe("tidal");
    const second = open();
    second.visit(salt);
    await second.load();
    expect(second.get(tag)?.password).toBe("tidal");
    second.prove(salt);
    second.visit(tidal);
    expect(second.get(tag)?.password).toBe("salt");
    const third = open();
    third.visit(tidal);
    third.prove(tidal);
    await third.load();
    expect(third.get(tag)?.password).toBe("tidal");
  });

  it("of others takes away that we wrote there, and that newcomers are shown what was said", async () => {
    const { open } = book();
    const rooms = open();
    await rooms.load();
    rooms.visit(tidal);
    rooms.prove(tidal);
    rooms.note(tag, { written: true, showsNewcomers: true });
    rooms.prove(tidal);
    expect(rooms.get(tag)).toMatchObject({ written: true, showsNewcomers: true });
    rooms.visit(salt);
    expect(rooms.get(tag)).toMatchObject({
      password: "tidal",
      written: undefined,
      showsNewcomers: undefined,
    });
  });

  it.each([
    ["before", true],
    ["after", false],
  ])(
    "of others ends what is shared, also when they are visited %s storage was read",
    async (_name, isBefore) => {
      const { clock, open } = book();
      const visitIn = async (visit: typeof tidal) => {
        await clock.advance(1_000);
        const rooms = open();
        if (isBefore) rooms.visit(visit);
        await rooms.load();
        if (!isBefore) rooms.visit(visit);
        return rooms.get(tag)?.sharedSince;
      };
      expect(await visitIn(tidal)).toBeUndefined();
      expect(await visitIn(tidal)).toBeUndefined();
      const since = await visitIn(salt);
      expect(since).toBe(clock.now());
      expect(await visitIn(salt)).toBe(since);
      expect(await visitIn(tidal)).toBe(clock.now());
    },
  );

  it("of two who met by code is another one each time, and shares the same", async () => {
    const { open } = book();
    const rooms = open();
    await rooms.load();
    rooms.note(tag, { metWith: creator });
    for (const visited of [tidal, salt]) rooms.visit(visited);
    expect(rooms.get(tag)?.sharedSince).toBeUndefined();
  });

  it("is the last that was used where nobody has proven any", async () => {
    const { open } = book();
    const rooms = open();
    await rooms.load();
    for (const visited of [tidal, salt]) rooms.visit(visited);
    expect(rooms.get(tag)?.password).toBe("salt");
    const again = open();
    await again.load();
    again.visit(tidal);
    expect(again.get(tag)?.password).toBe("tidal");
  });

  it("of a room that an earlier version stored counts as proven", async () => {
    const { open, records } = book();
    const old = { id: "burrow", tag, password: "tidal", firstVisit: 1, lastVisit: 1 };
    records.set(`room/${tag}`, { key: `room/${tag}`, group: "rooms", order: 1, value: old });
    const rooms = open();
    await rooms.load();
    rooms.visit(salt);
    expect(rooms.get(tag)?.password).toBe("tidal");
  });
});
