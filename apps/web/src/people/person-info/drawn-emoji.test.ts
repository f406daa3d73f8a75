import { safetyEmoji } from "@warren/core";
import { expect, it } from "vitest";
import { enUs } from "../../i18n/en-us.ts";
import { drawnEmoji } from "./drawn-emoji.ts";

const all = safetyEmoji.map((_emoji, index) => index);

it("every one of the 64 emoji has a translated name and its own picture", () => {
  const drawn = drawnEmoji(all);
  const asInterface = (name: string) => name.charAt(0) + name.slice(1).toLowerCase();
  expect(drawn.map(({ key }) => enUs.emoji[key])).toEqual(safetyEmoji.map(({ name }) => asInterface(name)));
  expect(new Set(drawn.map(({ picture }) => picture)).size).toBe(64);
  for (const { key, picture } of drawn) expect(picture).toContain(key);
});

it("the order of the code is kept, including repetitions", () => {
  expect(drawnEmoji([11, 57, 11]).map(({ key }) => key)).toEqual(["turtle", "guitar", "turtle"]);
});
