import type { SkinTone } from "@warren/core";
import type { EmojiData } from "frimousse";
import { capitalised } from "../../i18n/format.ts";
import type { Locale } from "../../i18n/locales.ts";

/** The emoji that one press chooses. */
export const quickEmoji = ["👍", "❤️", "😂", "😮", "😢", "🙏"];

/** The groups of emoji by their number in Unicode, in its order; 2 has the skin tones. */
export const emojiGroups = {
  smileys: 0,
  people: 1,
  animals: 3,
  food: 4,
  travel: 5,
  activities: 6,
  objects: 7,
  symbols: 8,
  flags: 9,
} as const;

export type EmojiGroup = keyof typeof emojiGroups;

/** Newer emoji are missing in the fonts of many devices. */
const newestVersion = 15;

type Tone = Exclude<SkinTone, "none">;
const tones: readonly Tone[] = ["light", "medium-light", "medium", "medium-dark", "dark"];

/** One file each, which is fetched when somebody chooses an emoji in that language. */
const sources = {
  "en-us": () => import("emojibase-data/en/data.json"),
  "zh-cn": () => import("emojibase-data/zh/data.json"),
  "zh-tw": () => import("emojibase-data/zh-hant/data.json"),
} satisfies Record<Locale, unknown>;

type Source = Awaited<ReturnType<(typeof sources)[Locale]>>["default"][number];

/** All emoji to choose from, with their names and the words that find them. */
export type Emojis = Readonly<EmojiData["emojis"]>;

const loading = new Map<Locale, Promise<Emojis>>();

/** The emoji in a language; the same promise each time, as `use` needs it. Rejects if they cannot be fetched. */
export function loadEmojis(locale: Locale): Promise<Emojis> {
  const before = loading.get(locale);
  if (before !== undefined) return before;
  const found = sources[locale]().then(({ default: all }) => all.flatMap(read));
  loading.set(locale, found);
  return found;
}

function read({ emoji, group, label, tags = [], version, skins = [] }: Source): EmojiData["emojis"] {
  if (group === undefined || group === 2 || version > newestVersion) return [];
  const toned = tones.map((name, index) => {
    const skin = skins.find(({ tone }) => tone === index + 1);
    return [name, shortest(skin?.emoji ?? emoji)] as const;
  });
  const named = { emoji: shortest(emoji), category: group, label: capitalised(label), tags, version };
  return [
    { ...named, ...(skins.length > 0 && { skins: Object.fromEntries(toned) as Record<Tone, string> }) },
  ];
}

/** Without the selectors that change nothing: of two spellings of one emoji there would be two reactions. */
function shortest(emoji: string): string {
  return emoji.replace(/(\p{Emoji_Presentation})\uFE0F/gu, "$1");
}
