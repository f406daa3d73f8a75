import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { limits } from "./limits.ts";
import { misshapenAt } from "./manifest-shape.ts";
import { check } from "./testing/fuzz.ts";
import { decodeManifest, encodeManifest } from "./tree.ts";

const many = 4_000_000;
const described = (manifest: string) => ({
  fileSize: manifest.length,
  tree: { kind: "folder" as const, manifestSize: manifest.length, manifestDigest: "", files: 1, folders: 0 },
});

describe("the shape of a manifest", () => {
  it.each([
    ["lists in lists", "[".repeat(many), 2],
    ["objects", `[${"{},".repeat(many)}0]`, 1],
    ["an entry of many values", `[[${"0,".repeat(many)}0]]`, 9],
    ["more values than a tree has entries", `[${"0,".repeat(many)}0]`, 2 * limits.treeEntries],
    ["more lists than a tree has entries", `[${"[],".repeat(many)}[]]`, 3 * limits.treeEntries],
    ["a string that does not end", `["a","${"\\\\".repeat(10)}\\"`, 5],
  ])("ends before JSON.parse reads %s", (_what, manifest, at) => {
    const parse = vi.spyOn(JSON, "parse");
    expect(misshapenAt(manifest)).toBe(at);
    expect(decodeManifest(manifest, described(manifest))).toMatchObject({ error: { code: "tree-invalid" } });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it("is that of every manifest, whatever its strings hold", () => {
    const entry = fc.record({
      kind: fc.constant("file" as const),
      path: fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', "\\", "[", "{", ",") })),
      ...{ size: fc.nat(), lastModified: fc.nat(), mimeType: fc.string() },
    });
    check(
      fc.property(fc.array(entry), (entries) => {
        expect(misshapenAt(encodeManifest(entries))).toBeNull();
      }),
      300,
    );
    const full = Array.from({ length: limits.treeEntries }, () => ({ kind: "folder", path: "a" }) as const);
    expect(misshapenAt(encodeManifest(full))).toBeNull();
  });
});
