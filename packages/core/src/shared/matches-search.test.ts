import { expect, test } from "vitest";
import { matchesSearch } from "./matches-search.ts";

test.each([
  ["Tomás Silva", "tomas", true],
  ["Tomás Silva", "SIL to", true],
  ["Tomás Silva", "  ", true],
  ["Tomás Silva", "tomas x", false],
  ["李雷", "雷", true],
])("%s matches the search %j: %s", (name, query, matches) => {
  expect(matchesSearch(name, query)).toBe(matches);
});
