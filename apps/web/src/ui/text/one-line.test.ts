import { expect, test } from "vitest";
import { oneLine } from "./one-line.ts";

test.each([
  ["a short text", "a short text", "a short text"],
  ["several lines", "  one\n\n\ttwo \u202Ethree\n", "one two three"],
  ["a text after many empty lines", `${"\n".repeat(500)}words`, "words"],
  ["a long text", "x".repeat(200), `${"x".repeat(160)}…`],
  ["a long text with an emoji where it is cut", `${"x".repeat(159)}😀 and more`, `${"x".repeat(159)}…`],
  ["a long text with a flag where it is cut", `${"x".repeat(158)}🇨🇳 and more`, `${"x".repeat(158)}…`],
  ["a text that is mostly empty", `a${" ".repeat(500)}b`, "a…"],
])("shows %s on one line", (_what, text, line) => {
  expect(oneLine(text)).toBe(line);
});
