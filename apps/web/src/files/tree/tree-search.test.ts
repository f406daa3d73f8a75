import { searchWords } from "@warren/core";
import type { TreeEntry } from "@warren/protocol/tree";
import { expect, test } from "vitest";
import { filesFound } from "./tree-search.ts";

const file = (path: string): TreeEntry => {
  return { kind: "file", path, size: 1, lastModified: 0, mimeType: "", start: 0 };
};
const entries: readonly TreeEntry[] = [
  file("Stills/Quay.png"),
  file("notes/tíde.txt"),
  { kind: "folder", path: "void" },
];
const pathsFound = (query: string) => filesFound(entries, searchWords(query)).map(({ path }) => path);

test("files are found by their own and their folders' names, regardless of accents and case", () => {
  expect(pathsFound("quay")).toEqual(["Stills/Quay.png"]);
  expect(pathsFound("tide")).toEqual(["notes/tíde.txt"]);
  expect(pathsFound("stills")).toEqual(["Stills/Quay.png"]);
  expect(pathsFound("tide notes")).toEqual(["notes/tíde.txt"]);
  expect(pathsFound("tide quay")).toEqual([]);
  expect(pathsFound("void")).toEqual([]);
  expect(pathsFound("")).toEqual([]);
});
