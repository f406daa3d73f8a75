import { expect, it } from "vitest";
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
  return { clock, open };
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
  first.visit({ ...burrow, password: "tidal" });
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
