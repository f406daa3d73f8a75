import { expect, test } from "vitest";
import { suggestName } from "./nicknames.ts";

test.each([
  ["en-us", /^[A-Z][a-z]+$/],
  ["zh-cn", /^\p{Script=Han}{2,3}$/u],
  ["zh-tw", /^\p{Script=Han}{2,3}$/u],
] as const)("suggests nicknames of its own language with many initials: %s", (locale, shape) => {
  const names = Array.from({ length: 300 }, () => suggestName(locale));
  for (const name of names) expect(name).toMatch(shape);
  expect(new Set(names.map(([initial]) => initial)).size).toBeGreaterThan(10);
});
