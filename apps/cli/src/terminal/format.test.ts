import { expect, it } from "vitest";
import { fitted, formatSeconds, formatSize, printable, speaksUtf8 } from "./format.ts";

it("writes out what a terminal would obey", () => {
  expect(printable("\u001b[2Ja\r\n\u009b31mb\u202ec")).toBe("\\x1b[2Ja\\x0d\\x0a\\x9b31mb\\u202ec");
  expect(printable("é 👩‍👩‍👧 日本")).toBe("é 👩‍👩‍👧 日本");
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_500, "1.50 kB"],
  [12_300_000, "12.3 MB"],
  [999_960_000, "1.00 GB"],
  [5_120_000_000_000_000, "5120.0 TB"],
])("shows %d bytes as %s", (bytes, text) => expect(formatSize(bytes)).toBe(text));

it.each([
  [0, "0:00"],
  [64.2, "1:05"],
  [7_200, "2:00:00"],
])("shows %d seconds as %s", (seconds, text) => expect(formatSeconds(seconds)).toBe(text));

it.each([
  ["notes.txt", 9, "notes.txt"],
  ["notes.txt", 8, "notes.t…"],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["👩‍👩‍👧 us", 4, "👩‍👩‍👧 …"],
])("cuts %j so that it takes %i columns at most", (text, columns, cut) => {
  expect(fitted(text, columns)).toBe(cut);
});

it.each([
  [{}, true],
  [{ LANG: "de_DE.UTF-8" }, true],
  [{ LANG: "C.utf8" }, true],
  [{ LANG: "C" }, false],
  [{ LANG: "de_DE.UTF-8", LC_ALL: "POSIX" }, false],
  [{ LANG: "C", LC_CTYPE: "en_US.UTF-8" }, true],
])("knows from %j whether a terminal shows more than ASCII: %s", (env, isUtf8) => {
  expect(speaksUtf8(env)).toBe(isUtf8);
});
