import type { ChatMessage } from "@warren/core";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeText, me } from "../testing/fake-records.ts";
import { type LogRow, logRow } from "./log-rows.ts";
import type { UnreadMark } from "./use-unread-mark.ts";

const mara = "mara";
const noor = "noor";
const minuteMs = 60_000;
const noon = new Date(2026, 10, 19, 12, 0).getTime();

const says = (from: string, minutes: number): ChatMessage =>
  fakeText(from, mara, "words", noon + minutes * minuteMs);
const rowsWith = (unread: UnreadMark | null, messages: readonly ChatMessage[]): readonly LogRow[] =>
  messages.map((_, index) => logRow(messages, index, me, unread)).filter((row) => row !== null);
const rowsOf = (...messages: readonly ChatMessage[]): readonly LogRow[] => rowsWith(null, messages);
/** Groups as strings: "(" opens, ")" closes. */
const shape = (...messages: readonly ChatMessage[]): string =>
  rowsOf(...messages)
    .map((row) => `${row.opens ? "(" : ""}${row.isMine ? "me" : row.message.client}${row.closes ? ")" : ""}`)
    .join(" ");

describe("groups", () => {
  test("contain messages of one sender that are less than five minutes apart", () => {
    expect(shape(says(mara, 0), says(mara, 4), says(mara, 8.9), says(mara, 13.9))).toBe(
      "(mara mara mara) (mara)",
    );
  });

  test("end when someone else writes", () => {
    expect(shape(says(mara, 0), says(noor, 1), says(me, 1), says(me, 2))).toBe("(mara) (noor) (me me)");
  });

  test("end before my message with another delivery state, so that each shows its own", () => {
    const delivered = fakeText(me, mara, "a", noon, { deliveries: { [mara]: { status: "received" } } });
    const waiting = fakeText(me, mara, "b", noon, { deliveries: { [mara]: { status: "sending" } } });
    expect(shape(delivered, waiting)).toBe("(me) (me)");
  });

  test("use the time a message was written, not delivered", () => {
    const late = fakeText(mara, mara, "late", noon - 60 * minuteMs, { sortedAt: noon + 1 });
    expect(shape(says(mara, 0), late)).toBe("(mara) (mara)");
  });

  test("have 3 px between bubbles, 8 px around a file, and 14 px to the next group", () => {
    const file = fakeFile(mara, mara, {}, { state: "offered" }, noon + minuteMs);
    const rows = rowsOf(says(mara, 0), says(mara, 0.5), file, says(mara, 2), says(me, 3));
    expect(rows.map((row) => row.gap)).toEqual([0, 3, 8, 8, 14]);
    expect(rows.map((row) => [row.joinsAbove, row.joinsBelow])).toEqual([
      [false, true],
      [true, false],
      [false, false],
      [false, false],
      [false, false],
    ]);
  });
});

describe("separators", () => {
  test("precede the first message of each day", () => {
    const rows = rowsOf(says(mara, 0), says(mara, 12 * 60 - 1), says(mara, 12 * 60 + 1));
    const day = new Date(2026, 10, 19).getTime();
    expect(rows.map((row) => row.day)).toEqual([day, null, new Date(2026, 10, 20).getTime()]);
  });

  test("split a group at midnight", () => {
    expect(shape(says(mara, 12 * 60 - 1), says(mara, 12 * 60 + 1))).toBe("(mara) (mara)");
  });

  test("mark the first of the new messages", () => {
    const messages = [says(mara, 0), says(mara, 1), says(me, 2), says(mara, 3)];
    const mark = { firstKey: messages[1]?.key ?? expect.fail(), count: 2 };
    expect(rowsWith(mark, messages).map((row) => row.newCount)).toEqual([null, 2, null, null]);
  });
});

test("an index outside the conversation has no row", () => {
  expect(logRow([says(mara, 0)], 1, me, null)).toBeNull();
  expect(logRow([], 0, me, null)).toBeNull();
});
