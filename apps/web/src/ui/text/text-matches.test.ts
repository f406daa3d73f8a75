import { searchWords } from "@warren/core";
import { expect, test } from "vitest";
import { textMatches } from "./text-matches.ts";

const found = (text: string, query: string) =>
  textMatches(text, searchWords(query)).map(([start, end]) => text.slice(start, end));

test.each([
  ["Tide tables, tide times", "tide", ["Tide", "tide"]],
  ["Füchse und Fuchsbau", "fuchs", ["Füchs", "Fuchs"]],
  // Combining accents, as some systems write them.
  ["Fu\u0308chse", "fuchs", ["Fu\u0308chs"]],
  ["résumé", "RESUME", ["résumé"]],
  ["aaaa", "aa", ["aa", "aa"]],
  ["milk, eggs and more milk", "eggs milk", ["milk", "eggs", "milk"]],
  ["the lighthouse", "house light", ["light", "house"]],
  ["the lighthouse", "ghth light lighth", ["lighth"]],
  ["👍🏽 done", "done", ["done"]],
  ["İstanbul", "istanbul", ["İstanbul"]],
  ["李雷和韩梅梅", "韩梅", ["韩梅"]],
  ["our 👩‍👩‍👧 family", "👩", ["👩‍👩‍👧"]],
  ["from 🇨🇳🇩🇪", "🇳", ["🇨🇳"]],
  ["nothing here", "x", []],
  ["nothing", "", []],
])("in %j the search %j finds %j", (text, query, parts) => {
  expect(found(text, query)).toEqual(parts);
});
