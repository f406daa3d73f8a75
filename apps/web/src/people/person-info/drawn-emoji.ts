import { safetyEmoji } from "@warren/core";
import type { enUs } from "../../i18n/en-us.ts";

type EmojiKey = keyof typeof enUs.emoji;

/** Pictures are bundled because systems render emoji differently, and two people have to compare them. */
const pictures = import.meta.glob<string>("./safety-emoji/*.svg", {
  eager: true,
  query: "?url",
  import: "default",
});

/** An emoji of a safety code: the key of its translated name, and its picture's address. */
interface DrawnEmoji {
  readonly key: EmojiKey;
  readonly picture: string;
}

/** The emoji of a safety code, from its indexes. */
export function drawnEmoji(safetyCode: readonly number[]): readonly DrawnEmoji[] {
  return safetyCode.flatMap((index) => {
    const emoji = safetyEmoji[index];
    if (emoji === undefined) return [];
    const key = keyOf(emoji.name);
    return [{ key, picture: pictures[`./safety-emoji/${key}.svg`] ?? "" }];
  });
}

/** "Thumbs Up" is `thumbs-up`; a test checks that every emoji has a translation. */
function keyOf(name: string): EmojiKey {
  return name.toLowerCase().replace(" ", "-") as EmojiKey;
}
