import { limits } from "./limits.ts";
import { v } from "./schema.ts";

/** A pictograph, also one that is reserved for later, with its modifiers. */
const pictograph = "\\p{Extended_Pictographic}(?:\\p{EMod}|\\uFE0F|[\\u{E0020}-\\u{E007E}]+\\u{E007F})?";
const flag = "\\p{RI}\\p{RI}";
const keycap = "[0-9#*]\\uFE0F?\\u20E3";
/** Nothing but pictographs are joined into one: browsers show what joins others as several. */
const wholeEmoji = new RegExp(`^(?:${pictograph}(?:\\u200D${pictograph})*|${flag}|${keycap})$`, "u");

/** One emoji, by its structure and not by a list: a sender may know emoji that its receiver does not. */
export const emojiSchema = v.pipe(
  v.string(),
  v.check((text) => text.length <= limits.emojiLength && wholeEmoji.test(text)),
);
