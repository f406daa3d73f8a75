import { describe, expect, it } from "vitest";
import { limits } from "./limits.ts";
import { hostilePaths } from "./testing/hostile-paths.ts";
import { utf8Length } from "./text.ts";
import { areAllPictures, decodeManifest, encodeManifest } from "./tree.ts";

const file = (path: string, size: number) =>
  ({ kind: "file", path, size, lastModified: 1_600_000_000_000, mimeType: "text/plain" }) as const;
const folder = (path: string) => ({ kind: "folder", path }) as const;

/** As its author describes it, who does not count the folders. */
function describeManifest(manifest: string, contentSize: number, files: number) {
  const manifestSize = utf8Length(manifest);
  const tree = { kind: "folder" as const, files, manifestSize, manifestDigest: "0".repeat(64) };
  return { fileSize: manifestSize + contentSize, tree };
}

function issueOf(manifest: string, contentSize: number, files: number): string | null {
  const decoded = decodeManifest(manifest, describeManifest(manifest, contentSize, files));
  return decoded.ok ? null : String(decoded.error.values.issue);
}

describe("a manifest", () => {
  it("survives a round trip, with the offset of each file's bytes", () => {
    const manifest = encodeManifest([file("a/x.txt", 5), folder("empty"), file("b", 0), file("c", 7)]);
    const description = describeManifest(manifest, 12, 3);
    const start = description.tree.manifestSize;
    expect(decodeManifest(manifest, description)).toEqual({
      ok: true,
      value: {
        entries: [
          { ...file("a/x.txt", 5), start },
          folder("empty"),
          { ...file("b", 0), start: start + 5 },
          { ...file("c", 7), start: start + 5 },
        ],
        folders: 2,
      },
    });
  });

  it("has as many folders as its offer says, those that occur only in paths included", () => {
    const manifest = encodeManifest([file("a/b/c", 0), folder("a/d"), folder("e"), folder("e/.")]);
    const described = describeManifest(manifest, 0, 1);
    const withFolders = (folders: number) =>
      decodeManifest(manifest, { ...described, tree: { ...described.tree, folders } });
    expect(withFolders(4)).toMatchObject({ ok: true, value: { folders: 4 } });
    for (const wrong of [0, 3, 5])
      expect(withFolders(wrong)).toMatchObject({
        error: { code: "tree-invalid", values: { issue: "another number of folders" } },
      });
  });

  it("has safe paths for any input", () => {
    const paths = hostilePaths().filter((path) => path.length <= limits.treePathLength);
    const manifest = encodeManifest(paths.map((path) => file(path, 1)));
    const decoded = decodeManifest(manifest, describeManifest(manifest, paths.length, paths.length));
    const found = decoded.ok ? decoded.value.entries.map(({ path }) => path) : [];
    expect(new Set(found).size).toBe(paths.length);
    expect(found.filter((path) => /(^|\/)\.{0,2}(\/|$)|\\|\0/.test(path))).toEqual([]);
  });

  it("is rejected if it does not match its description", () => {
    const manifest = encodeManifest([file("a", 5)]);
    expect(issueOf(manifest, 5, 1)).toBeNull();
    expect(issueOf(manifest, 6, 1)).toBe("sizes that do not add up");
    expect(issueOf(manifest, 5, 2)).toBe("another number of files");
    const said = describeManifest(manifest, 5, 1);
    expect(decodeManifest(`${manifest} `, said).ok).toBe(false);
    expect(decodeManifest(manifest, { fileSize: said.fileSize }).ok).toBe(false);
  });

  it.each([
    ["no JSON", "[[}"],
    ["no list", '{"a":1}'],
    ["a negative size", '[["a",-1,0,""]]'],
    ["a size that is no whole number", '[["a",0.5,0,""]]'],
    ["an entry of another length", '[["a",1]]'],
    ["a path that is no text", '[[1,1,0,""]]'],
    ["a path too long", JSON.stringify([["a".repeat(limits.treePathLength + 1), 0, 0, ""]])],
    [
      "sizes beyond every number",
      `[${Array.from({ length: 3 }, () => '["a",9007199254740991,0,""]').join()}]`,
    ],
  ])("is refused when it has %s", (_what, manifest) => {
    expect(issueOf(manifest, 0, 1)).not.toBeNull();
  });
});

it("keeps every file of a folder with names that are too long, apart from the others and with its received path", () => {
  const long = "\u00E9".repeat(127);
  const paths = Array.from({ length: 9 }, (_, at) => `${long}/${long}/${long}${at}/${long}${at}.txt`);
  const manifest = encodeManifest(paths.map((path) => file(path, 1)));
  const decoded = decodeManifest(manifest, describeManifest(manifest, 9, 9));
  const files = decoded.ok ? decoded.value.entries.filter((entry) => entry.kind === "file") : [];
  expect(files.map(({ originalPath }) => originalPath)).toEqual(paths);
  expect(new Set(files.map(({ path }) => path)).size).toBe(9);
  for (const { path } of files) {
    expect(path.split("/")).toHaveLength(4);
    expect(path).toMatch(/\.txt$/);
    expect(utf8Length(path)).toBeLessThanOrEqual(limits.treePathBytes);
  }
});

it("shows a path with what was removed from it written out", () => {
  const manifest = encodeManifest([file("notes/bell\u0007.txt", 1)]);
  const decoded = decodeManifest(manifest, describeManifest(manifest, 1, 1));
  expect(decoded).toMatchObject({
    ok: true,
    value: { entries: [{ path: "notes/bell.txt", originalPath: "notes/bell\\u0007.txt" }] },
  });
});

describe("a manifest of pictures", () => {
  const picture = (path: string, mimeType: string) => ({ ...file(path, 1), mimeType }) as const;
  const pictures = [picture("a.bin", "image/png"), picture("b.HEIC", "")];

  it("is recognized by types, and by names where types are missing", () => {
    expect(areAllPictures(pictures)).toBe(true);
    expect(areAllPictures([...pictures, file("c.png", 1)])).toBe(false);
    expect(areAllPictures([...pictures, folder("empty")])).toBe(false);
    expect(areAllPictures([])).toBe(false);
  });

  it("is rejected if it holds anything else", () => {
    const read = (entries: Parameters<typeof encodeManifest>[0]) => {
      const said = describeManifest(encodeManifest(entries), entries.length, entries.length);
      return decodeManifest(encodeManifest(entries), { ...said, tree: { ...said.tree, pictures: true } }).ok;
    };
    expect(read(pictures)).toBe(true);
    expect(read([...pictures, file("c.exe", 1)])).toBe(false);
  });
});
