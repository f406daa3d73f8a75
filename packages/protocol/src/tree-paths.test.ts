import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileNameKey, safeFileName } from "./file-name.ts";
import { limits } from "./limits.ts";
import { check, hostileText } from "./testing/fuzz.ts";
import { hostilePaths } from "./testing/hostile-paths.ts";
import { utf8Length } from "./text.ts";
import { TreePaths } from "./tree-paths.ts";

interface RawTreePath {
  readonly kind: "file" | "folder";
  readonly path: string;
}

function safeTreePaths(entries: readonly RawTreePath[]): string[] {
  const placed = new TreePaths();
  for (const { kind, path } of entries) placed.add(kind, path);
  return placed.decide();
}

const filesAt = (...paths: string[]): string[] =>
  safeTreePaths(paths.map((path) => ({ kind: "file", path }) as const));

/** Checks that the entries remain distinct on a disk with the combined name equivalences of all file systems. */
function expectSafe(entries: readonly RawTreePath[]) {
  const paths = safeTreePaths(entries);
  expect(paths).toHaveLength(entries.length);
  const keys = { file: new Set<string>(), folder: new Set<string>() };
  paths.forEach((path, index) => {
    const segments = path.split("/");
    expect(segments.length).toBeLessThanOrEqual(limits.treeDepth);
    // Number suffixes are added on top.
    expect(utf8Length(path)).toBeLessThanOrEqual(limits.treePathBytes + 12 * segments.length);
    for (const segment of segments) expect(safeFileName(segment)).toBe(segment);
    const key = segments.map(fileNameKey).join("/");
    if (entries[index]?.kind === "file") {
      expect(keys.file).not.toContain(key);
      keys.file.add(key);
    } else keys.folder.add(key);
    for (let depth = 1; depth < segments.length; depth++)
      keys.folder.add(segments.slice(0, depth).map(fileNameKey).join("/"));
  });
  for (const key of keys.file) expect(keys.folder).not.toContain(key);
  expect(safeTreePaths(entries.map(({ kind }, index) => ({ kind, path: paths[index] ?? "" })))).toEqual(
    paths,
  );
}

describe("the safe paths of a tree", () => {
  it("leaves a safe tree alone", () => {
    const paths = ["a.txt", "a/b.txt".replace("a/", "b/"), "b/c/d.txt", "日本/é.txt", "b/.env"];
    expect(filesAt(...paths)).toEqual(paths);
  });

  it.each([
    ["../../etc/passwd", "etc/passwd"],
    ["/etc/passwd", "etc/passwd"],
    ["a/./b//c/../d", "a/b/c/d"],
    ["..\\..\\boot.ini", "_.._boot.ini"],
    ["C:\\x", "C__x"],
    ["C:/x", "C_/x"],
    ["con/nul.txt", "_con/_nul.txt"],
    ["a /b. ", "a/b"],
    ["a\u202Eb/c\0d", "ab/cd"],
    ["..", "file"],
    ["", "file"],
  ])("makes %j into %j", (path, safe) => {
    expect(filesAt(path)).toEqual([safe]);
  });

  it("keeps names distinct that some file system treats as equal", () => {
    expect(filesAt("A.txt", "a.txt", "a.TXT")).toEqual(["A.txt", "a (2).txt", "a (3).TXT"]);
    expect(filesAt("\u00E9", "e\u0301")).toEqual(["\u00E9", "e\u0301 (2)"]);
    expect(filesAt("a:b", "a?b", "a_b")).toEqual(["a_b", "a_b (2)", "a_b (3)"]);
    expect(filesAt("x", "x (2)", "x")).toEqual(["x", "x (2)", "x (3)"]);
  });

  it("keeps folders together, and apart from folders and files of the same name", () => {
    expect(filesAt("A/x", "a/x", "A/y", "a/z")).toEqual(["A/x", "a (2)/x", "A/y", "a (2)/z"]);
    expect(filesAt("a", "a/b", "a/c")).toEqual(["a", "a (2)/b", "a (2)/c"]);
    expect(filesAt("a/b", "a")).toEqual(["a/b", "a (2)"]);
    const folders = ["a", "a/", "./a", "a/b"].map((path) => ({ kind: "folder", path }) as const);
    expect(safeTreePaths([...folders, { kind: "file", path: "a/x" }])).toEqual(["a", "a", "a", "a/b", "a/x"]);
  });

  it("shortens paths that are too deep or too long, without losing a file", () => {
    const deep = (name: string) => `${"d/".repeat(100)}${name}`;
    const [one = "", two = "", three = ""] = filesAt(deep("x"), deep("x"), deep("y"));
    expect(one.split("/")).toHaveLength(limits.treeDepth);
    expect([two, three]).toEqual([one.replace(/x$/, "x (2)"), one.replace(/x$/, "y")]);
  });

  it("shortens the longest names of a path that is too long, and keeps its folders", () => {
    const folders = Array.from({ length: 9 }, (_, at) => `${at}${"l".repeat(254)}`);
    const [long = "", other = "", short = ""] = filesAt(
      `${folders.join("/")}/end.txt`,
      `${folders.join("/")}x/end.txt`,
      "short.txt",
    );
    for (const path of [long, other]) {
      expect(utf8Length(path)).toBeLessThanOrEqual(limits.treePathBytes);
      expect(path.split("/")).toHaveLength(10);
      expect(path.endsWith("/end.txt")).toBe(true);
    }
    expect(other).not.toBe(long);
    expect(short).toBe("short.txt");
  });

  it("lets none of the hostile paths escape, as files or as folders", () => {
    const paths = hostilePaths();
    expect(paths.length).toBeGreaterThanOrEqual(500);
    expectSafe(paths.map((path) => ({ kind: "file", path })));
    expectSafe(paths.map((path, index) => ({ kind: index % 3 === 0 ? "folder" : "file", path })));
  });

  it("is safe and unique for any tree", () => {
    const path = fc.array(hostileText, { maxLength: 4 }).map((segments) => segments.join("/"));
    const entry = fc.record({ kind: fc.constantFrom("file" as const, "folder" as const), path });
    check(fc.property(fc.array(entry, { maxLength: 8 }), expectSafe), 500);
  });
});
