import type { ChatMessage } from "@warren/core";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeText, me } from "../../testing/fake-records.ts";
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

describe("the caption of a picture", () => {
  const picture = (change: Parameters<typeof fakeFile>[2] = {}, state: "offered" | "complete" = "complete") =>
    fakeFile(mara, mara, { fileName: "quay.png", mimeType: "image/png", ...change }, { state }, noon);
  const text = (laterMs: number, from = mara) => fakeText(from, mara, "The quay", noon + laterMs);

  test("joins the picture it was sent with, under one time", () => {
    const shown = picture();
    const [above, below] = rowsOf(shown, text(200));
    expect(above).toMatchObject({ hasCaption: true, captionOf: null, closes: false });
    expect(below).toMatchObject({ captionOf: shown.file.fid, gap: 0, opens: false, closes: true });
  });

  test("joins my picture as well, whatever their delivery states", () => {
    const mine = fakeFile(me, mara, { mimeType: "image/png" }, { state: "complete" }, noon);
    const sent = fakeText(me, mara, "The quay", noon + 9, { deliveries: { [mara]: { status: "sending" } } });
    expect(shape(mine, sent)).toBe("(me me)");
    expect(rowsOf(mine, sent)[1]?.captionOf).toBe(mine.file.fid);
  });

  test.each<[string, ChatMessage, ChatMessage]>([
    ["it was written later", picture(), text(1_500)],
    ["somebody else wrote it", picture(), text(200, noor)],
    ["the picture is not here yet", picture({}, "offered"), text(200)],
    ["the picture moves", picture({ fileName: "a.gif", mimeType: "image/gif" }), text(200)],
    ["the file is no picture", picture({ fileName: "a.pdf", mimeType: "application/pdf" }), text(200)],
    ["it answers a message", picture(), { ...text(200), type: "text", data: "x", quote: "mara/1" }],
    ["it was edited", picture(), { ...text(200), type: "text", data: "x", edited: noon + 9_000 }],
    ["it was deleted", picture(), { ...text(200), type: "text", data: "", deleted: true }],
  ])("is a message of its own if %s", (_name, file, message) => {
    const [above, below] = rowsOf(file, message);
    expect([above?.hasCaption, below?.captionOf]).toEqual([false, null]);
  });
});

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

  test("end at an edited text, whose line says so", () => {
    const edited = fakeText(mara, mara, "words", noon, { edited: noon + 1 });
    expect(shape(edited, says(mara, 1))).toBe("(mara) (mara)");
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

describe("files in a row", () => {
  const file = (fileName: string, more: Pick<ChatMessage, "reactions"> = {}) => ({
    ...fakeFile(mara, mara, { fileName, mimeType: "" }, { state: "offered" }, noon),
    ...more,
  });
  const reactions = { [noor]: { emoji: ["👍"], at: noon } };
  const framesOf = (...messages: ChatMessage[]) =>
    rowsOf(...messages).map(({ gap, joinsAbove, joinsBelow }) => [gap, joinsAbove, joinsBelow]);

  test("are parts of one frame", () => {
    expect(framesOf(file("a.pdf"), file("b.zip"), file("c.mov"))).toEqual([
      [0, false, true],
      [0, true, true],
      [0, true, false],
    ]);
  });

  test.each<[string, ChatMessage, ChatMessage]>([
    ["one becomes a picture", file("a.pdf"), file("b.png")],
    ["both become pictures", file("a.png"), file("b.png")],
    ["reactions stand between them", file("a.pdf", { reactions }), file("b.zip")],
  ])("stand alone where %s", (_name, above, below) => {
    expect(framesOf(above, below)).toEqual([
      [0, false, false],
      [8, false, false],
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
