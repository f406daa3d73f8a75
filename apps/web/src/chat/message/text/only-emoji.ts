import { emojiSchema, limits, v } from "@warren/protocol";

const emojiMax = 3;

/** Whether a text is a few emoji and nothing else, which are shown large. */
export function isOnlyEmoji(text: string): boolean {
  if (text.length > 2 * emojiMax * limits.emojiLength || !/\p{Extended_Pictographic}|\p{RI}/u.test(text))
    return false;
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const graphemes = Array.from(segmenter.segment(text), ({ segment }) => segment.trim()).filter(Boolean);
  return graphemes.length <= emojiMax && graphemes.every((each) => v.is(emojiSchema, each));
}
