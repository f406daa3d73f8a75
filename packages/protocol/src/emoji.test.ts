import fc from "fast-check";
import { expect, it } from "vitest";
import { emojiSchema } from "./emoji.ts";
import { v } from "./schema.ts";

const isEmoji = (text: string) => v.is(emojiSchema, text);

it.each(["👍", "❤️", "❤", "👍🏽", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇯🇵", "1️⃣", "🏳️‍🌈", "👩🏽‍❤️‍💋‍👨🏿", "❤️‍🔥"])(
  "takes %s",
  (emoji) => {
    expect(isEmoji(emoji)).toBe(true);
  },
);

it("takes a pictograph that Unicode has only reserved", () => {
  expect(isEmoji("\u{1FAFD}")).toBe(true);
});

it.each(["7⃣\u200D7⃣", "🇯🇵\u200D🇯🇵", "👍\u200D🇯🇵", "🇯🇵\u200D👍", "👍👍"])(
  "refuses %s, which is more than one",
  (emoji) => {
    expect(isEmoji(emoji)).toBe(false);
  },
);

it("takes nothing that holds a letter, a space, a control or a bidirectional mark", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom(
      "👍",
      "\u200D",
      "\uFE0F",
      "\u20E3",
      "\u{1F3FD}",
      "\u{E0067}",
      "\u{E007F}",
      "\u202E",
      " ",
      "a",
      "7",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join("");
      if (!isEmoji(text)) return;
      expect(text.length).toBeLessThanOrEqual(32);
      expect(text).not.toMatch(/[\p{L}\p{Cc}\p{Cs}\p{Z}\p{Bidi_Control}]/u);
      expect([...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)]).toHaveLength(1);
    }),
    { numRuns: 5_000 },
  );
});
