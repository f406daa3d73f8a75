import { expect, test } from "vitest";
import { isOnlyEmoji } from "./only-emoji.ts";

test.each(["👍", "👍🎉", "👩‍👩‍👧 🇩🇪 ✌🏽", " ❤️\n"])("takes %j for emoji alone", (text) => {
  expect(isOnlyEmoji(text)).toBe(true);
});

test.each(["", "  ", "1", "👍👍👍👍", "ok 👍", "#", "👍".repeat(1_000)])("takes %j for words", (text) => {
  expect(isOnlyEmoji(text)).toBe(false);
});
