import type { TreeEntry } from "@warren/protocol/tree";
import { describe, expect, test } from "vitest";
import { moveInTree } from "./tree-moves.ts";
import { treeNodes, treeRows } from "./tree-nodes.ts";
import { treePosition } from "./tree-position.ts";

const file = (path: string, size: number, start = 0): TreeEntry => ({
  ...{ kind: "file", path, size, start, lastModified: 0, mimeType: "" },
});
const nodes = treeNodes([
  file("b 10.txt", 1),
  file("b 9.txt", 2),
  file("z/y/x", 4),
  file("z/a", 8),
  { kind: "folder", path: "void" },
]);
const show = (...expanded: string[]) => treeRows(nodes, new Set(expanded));
const names = (...expanded: string[]) =>
  show(...expanded).map(({ node, level, position, setSize }) => [node.name, level, `${position}/${setSize}`]);

describe("tree rows", () => {
  test("are folders first, then files in natural order", () => {
    expect(names()).toEqual([
      ["void", 1, "1/4"],
      ["z", 1, "2/4"],
      ["b 9.txt", 1, "3/4"],
      ["b 10.txt", 1, "4/4"],
    ]);
  });

  test("include the children of an expanded folder, and its totals", () => {
    expect(names("z", "z/y").slice(1, 5)).toEqual([
      ["z", 1, "2/4"],
      ["y", 2, "1/2"],
      ["x", 3, "1/1"],
      ["a", 2, "2/2"],
    ]);
    expect(nodes[1]).toMatchObject({ size: 12, fileCount: 2 });
  });
});

describe("a key in a tree", () => {
  const rows = show("z");
  test.each([
    ["ArrowDown", 0, { kind: "to", index: 1 }],
    ["ArrowUp", 0, { kind: "to", index: 0 }],
    ["End", 0, { kind: "to", index: 5 }],
    ["Home", 5, { kind: "to", index: 0 }],
    ["ArrowDown", 5, { kind: "to", index: 5 }],
    ["ArrowRight", 0, { kind: "toggle", open: true }],
    ["ArrowRight", 1, { kind: "to", index: 2 }],
    ["ArrowLeft", 1, { kind: "toggle", open: false }],
    ["ArrowLeft", 3, { kind: "to", index: 1 }],
    ["b", 0, { kind: "to", index: 4 }],
    ["b", 4, { kind: "to", index: 5 }],
    ["b", 5, { kind: "to", index: 4 }],
    ["q", 3, { kind: "to", index: 3 }],
    ["Tab", 0, null],
  ])("%s at row %i", (key, active, move) => {
    expect(moveInTree(key, rows, active)).toEqual(move);
  });
});

test("finds a transfer's position in a tree", () => {
  const entries = [
    file("a", 10, 5),
    file("b", 0, 15),
    file("c", 10, 15),
    { kind: "folder", path: "v" } as const,
  ];
  expect(treePosition(entries, 0)).toEqual({ path: "a", doneFiles: 0 });
  expect(treePosition(entries, 14)).toEqual({ path: "a", doneFiles: 0 });
  expect(treePosition(entries, 15)).toEqual({ path: "c", doneFiles: 2 });
  expect(treePosition(entries, 25)).toEqual({ path: "c", doneFiles: 3 });
  expect(treePosition([], 0)).toBeNull();
});
