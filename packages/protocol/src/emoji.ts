import { limits } from "./limits.ts";
import { v } from "./schema.ts";

/** A pictograph, also one that is reserved for later, with its modifiers; a flag; or a keycap. */
const part =
  "(?:\\p{Extended_Pictographic}(?:\\p{EMod}|\\uFE0F|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?|\\p{RI}\\p{RI}|[0-9#*]\\uFE0F?\\u20E3)";
const wholeEmoji = new RegExp(`^${part}(?:\\u200D${part})*$`, "u");

/** One emoji, by its structure and not by a list: a sender may know emoji that its receiver does not. */
export const emojiSchema = v.pipe(
  v.string(),
  v.check((text) => text.length <= limits.emojiLength && wholeEmoji.test(text)),
);
