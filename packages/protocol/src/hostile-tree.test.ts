import { beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "./limits.ts";
import { utf8Length } from "./text.ts";
import { decodeManifest, encodeManifest } from "./tree.ts";

/** How many names were made safe, which trims each of them once. */
let safeNames = 0;
/** How many names were tried for being free, which normalizes each of them twice. */
let triedNames = 0;

beforeEach(() => {
  const { trim, normalize } = String.prototype;
  safeNames = 0;
  triedNames = 0;
  vi.spyOn(String.prototype, "trim").mockImplementation(function trimCounted(this: string) {
    safeNames++;
    return trim.call(this);
  });
  vi.spyOn(String.prototype, "normalize").mockImplementation(function normalizeCounted(this: string, form) {
    triedNames += 0.5;
    return normalize.call(this, form);
  });
});

function read(paths: readonly string[], kind: "file" | "folder", folders: number) {
  const manifest = encodeManifest(
    paths.map((path) =>
      kind === "folder" ? { kind, path } : { kind, path, size: 0, lastModified: 0, mimeType: "" },
    ),
  );
  const manifestSize = utf8Length(manifest);
  const files = kind === "file" ? paths.length : 0;
  const tree = { kind: "folder", files, folders, manifestSize, manifestDigest: "0".repeat(64) } as const;
  return decodeManifest(manifest, { fileSize: manifestSize, tree });
}

describe("the work that a hostile tree takes", () => {
  const inside = "d/".repeat(limits.treeDepth - 2);
  const deep = (index: number) => `${index}/${inside}x`;

  it("is one name for each folder, however many paths lead through it", () => {
    const paths = Array.from({ length: 500 }, (_, index) => `${inside}${index}`);
    const folders = limits.treeDepth - 2 + paths.length;
    expect(read(paths, "folder", folders).ok).toBe(true);
    expect([safeNames, triedNames]).toEqual([folders, folders]);
  });

  it("ends with more folders than were announced", () => {
    const paths = Array.from({ length: 500 }, (_, index) => deep(index));
    expect(read(paths, "folder", 100)).toMatchObject({ ok: false, error: { code: "tree-invalid" } });
    expect(safeNames).toBeLessThanOrEqual(100 + limits.treeDepth);
  });

  it.each(["folder", "file"] as const)(
    "ends with more segments than any tree may have, each a %s",
    (kind) => {
      const paths = Array.from({ length: limits.treeSegments / 25 }, (_, index) => deep(index));
      const decoded = read(paths, kind, limits.treeSegments);
      expect(decoded).toMatchObject({ ok: false, error: { code: "tree-too-large" } });
      expect(safeNames).toBeLessThanOrEqual(limits.treeSegments + limits.treeDepth);
    },
  );

  it.each([
    ["the same name", (_index: number) => "same.txt"],
    // Its number takes the place of what tells it from the others.
    ["a name too long for a number", (index: number) => `${"a".repeat(limits.fileNameBytes - 3)}${index}`],
  ])("does not grow with the square of files that have %s", (_what, nameOf) => {
    const names = Array.from({ length: 900 }, (_, index) => nameOf(100 + index));
    expect(read([...names, ...names], "file", 0).ok).toBe(true);
    expect(triedNames).toBeLessThan(5 * 2 * names.length);
  });
});
