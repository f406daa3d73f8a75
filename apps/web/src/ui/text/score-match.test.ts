import { describe, expect, test } from "vitest";
import { scoreMatch } from "./score-match.ts";

const score = (name: string, query: string) => scoreMatch(name, query) ?? -1;

describe("a fuzzy search", () => {
  test.each([
    ["Mara Lindqvist", "mara", true],
    ["Mara Lindqvist", "MLQ", true],
    ["Tomás Silva", "tomas", true],
    ["Mara Lindqvist", "mara lind", true],
    ["Mara Lindqvist", "aram", false],
    ["Mara Lindqvist", "marax", false],
    ["李雷", "雷", true],
    ["Mara", "", true],
  ])("scores %s for %j: %s", (name, query, fits) => {
    expect(scoreMatch(name, query) !== null).toBe(fits);
  });

  test("ranks whole words before scattered characters, and beginnings before middles", () => {
    expect(score("Jun Tanaka", "tan")).toBeGreaterThan(score("Tomas Anderson", "tan"));
    expect(score("Noor Haddad", "nh")).toBeGreaterThan(score("Jonah", "nh"));
    expect(score("Elise", "el")).toBeGreaterThan(score("Noelle", "el"));
  });

  test("uses the best-scoring position of a character", () => {
    expect(score("banana nab", "nab")).toBeGreaterThan(score("banana nxaxb", "nab"));
  });
});
