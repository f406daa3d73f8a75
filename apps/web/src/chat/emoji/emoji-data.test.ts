import { skinTones } from "@warren/core";
import { emojiSchema, v } from "@warren/protocol";
import { expect, it } from "vitest";
import { isLocale, locales } from "../../i18n/locales.ts";
import { emojiGroups, loadEmojis, quickEmoji } from "./emoji-data.ts";

const everyLocale = Object.keys(locales).filter(isLocale);

it.each(everyLocale)(
  "offers in %s only emoji that others accept, each once and with a name",
  async (locale) => {
    const emojis = await loadEmojis(locale);
    expect(emojis.length).toBeGreaterThan(1_800);
    const spelled = emojis.flatMap(({ emoji, skins = {} }) => [emoji, ...new Set(Object.values(skins))]);
    expect(spelled.filter((emoji) => !v.is(emojiSchema, emoji))).toEqual([]);
    expect(new Set(spelled).size).toBe(spelled.length);
    expect(emojis.filter(({ label, tags }) => label === "" || tags.length === 0)).toEqual([]);
    const known = new Set<number>(Object.values(emojiGroups));
    expect(emojis.filter(({ category }) => !known.has(category))).toEqual([]);
  },
);

it.each(everyLocale)("spells emoji in %s as those of one press", async (locale) => {
  const spelled = new Set((await loadEmojis(locale)).map(({ emoji }) => emoji));
  expect(quickEmoji.filter((emoji) => !spelled.has(emoji))).toEqual([]);
});

it("knows hands in every tone", async () => {
  const hand = (await loadEmojis("en-us")).find(({ emoji }) => emoji === "👍");
  expect(hand?.skins).toEqual({
    light: "👍🏻",
    "medium-light": "👍🏼",
    medium: "👍🏽",
    "medium-dark": "👍🏾",
    dark: "👍🏿",
  });
  expect(Object.keys(hand?.skins ?? {})).toEqual(skinTones.slice(1));
});
