import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { link } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type FileDescription, numberedFileName } from "@warren/protocol";
import type { TreeEntry } from "@warren/protocol/tree";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flushFiles, flushFolders } from "../platform/durable.ts";
import { Placements } from "./placements.ts";
import { TargetFolder } from "./target-folder.ts";

// Files share what they import: what an earlier one has loaded would keep what is replaced below.
vi.hoisted(() => vi.resetModules());
vi.mock("../platform/durable.ts", async (original) => {
  const real = await original<typeof import("../platform/durable.ts")>();
  return { flushFiles: vi.fn(real.flushFiles), flushFolders: vi.fn(real.flushFolders) };
});
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return { ...real, link: vi.fn(real.link) };
});

let folder: string;
let bytes: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-target-"));
  bytes = join(folder, "bytes");
  mkdirSync(join(folder, "out"));
});
afterEach(() => {
  vi.mocked(flushFiles).mockReset();
  vi.mocked(flushFolders).mockReset();
  rmSync(folder, { recursive: true });
});

const out = (name = "") => join(folder, "out", name);
const read = (name: string) => readFileSync(out(name), "utf8");
const target = (overwrites = false) => new TargetFolder(out(), { overwrites });
type Permissions = FileDescription["permissions"];
const described = (fileName: string, kind?: "folder" | "files", permissions?: Permissions) =>
  ({
    fileName,
    lastModified: 86_400_000,
    permissions,
    ...(kind && { tree: { kind } }),
  }) as unknown as FileDescription;
const modeOf = (name: string) => statSync(out(name)).mode & 0o7777;
const received = () => ({
  bytes,
  workFolder: join(folder, "made"),
  placements: join(folder, "placements"),
});

/** What was received before is put away, and noted nowhere any more. */
const forget = () => rmSync(received().placements, { force: true });

function putFile(
  name: string,
  content: string,
  overwrites = false,
  permissions?: Permissions,
): Promise<string> {
  forget();
  writeFileSync(bytes, content);
  return target(overwrites).putFile(described(name, undefined, permissions), received());
}

function putTree(
  kind: "folder" | "files",
  files: Readonly<Record<string, string>>,
  overwrites = false,
  permissions?: Permissions,
) {
  forget();
  return putTreeAgain(kind, files, overwrites, permissions);
}

/** As a run that follows one that was killed. */
function putTreeAgain(
  kind: "folder" | "files",
  files: Readonly<Record<string, string>>,
  overwrites = false,
  permissions?: Permissions,
) {
  let start = 0;
  const entries = Object.entries(files).map(([path, content]): TreeEntry => {
    const size = content.length;
    start += size;
    const head = { kind: "file", path, size, lastModified: 86_400_000, mimeType: "" } as const;
    return { ...head, start: start - size };
  });
  writeFileSync(bytes, Object.values(files).join(""));
  const emptyFolder: TreeEntry = { kind: "folder", path: "empty" };
  return target(overwrites).putTree(
    described("tree", kind, permissions),
    [...entries, emptyFolder],
    received(),
  );
}

it("gives a file its name and time, and another one of the same name a number", async () => {
  expect(await putFile("a.txt", "one")).toBe(out("a.txt"));
  expect(await putFile("a.txt", "two")).toBe(out("a (2).txt"));
  expect([read("a.txt"), read("a (2).txt")]).toEqual(["one", "two"]);
  expect(statSync(out("a.txt")).mtimeMs).toBe(86_400_000);
  expect(readdirSync(out()).sort()).toEqual(["a (2).txt", "a.txt"]);
});

it("finishes what a killed run left under both names", async () => {
  writeFileSync(bytes, "whole");
  linkSync(bytes, out("a.txt"));
  expect(await target().putFile(described("a.txt"), received())).toBe(out("a.txt"));
  expect([readdirSync(out()), existsSync(bytes)]).toEqual([["a.txt"], false]);
});

it.each([false, true])("finds what a killed run has put away (overwrites: %s)", async (overwrites) => {
  mkdirSync(out("tree"));
  writeFileSync(out("tree/a.txt"), "0");
  const tree = { "a.txt": "1", "b/c.txt": "22" };
  for (const kind of ["folder", "files"] as const) {
    const paths = await putTree(kind, tree, overwrites);
    const names = readdirSync(out(), { recursive: true });
    expect(await putTreeAgain(kind, tree, overwrites)).toEqual(paths);
    expect(readdirSync(out(), { recursive: true })).toEqual(names);
  }
  const path = await putFile("a.txt", "one", overwrites);
  const names = readdirSync(out());
  expect(await target(overwrites).putFile(described("a.txt"), received())).toBe(path);
  expect(readdirSync(out())).toEqual(names);
});

it("goes on where a run was killed that had put some of several files away, and noted the next one", async () => {
  const files = { "a.txt": "1", "b.txt": "2", "c.txt": "3" };
  await putTree("files", files);
  const made = (name: string) => join(received().workFolder, name);
  renameSync(out("b.txt"), made("b.txt"));
  renameSync(out("c.txt"), made("c.txt"));
  writeFileSync(out("b.txt"), "not ours");
  appendFileSync(received().placements, `\n["${made("c.txt")}`);
  expect(await putTreeAgain("files", files)).toEqual(
    ["a.txt", "b (2).txt", "c.txt", "empty"].map((name) => out(name)),
  );
  expect(["a.txt", "b.txt", "b (2).txt", "c.txt"].map(read)).toEqual(["1", "not ours", "2", "3"]);
});

it("notes a place only once every file and folder outlasts a loss of power, and then makes the places do so", async () => {
  const flushed: (readonly [paths: string[], isNoted: boolean, isPlaced: boolean])[] = [];
  const note = async (paths: Iterable<string>) => {
    flushed.push([[...paths].sort(), existsSync(received().placements), existsSync(out("tree/b/c.txt"))]);
  };
  vi.mocked(flushFiles).mockImplementation(note);
  vi.mocked(flushFolders).mockImplementation(note);
  await putTree("folder", { "a.txt": "1", "b/c.txt": "22" });
  const made = (...names: string[]) => names.map((name) => join(received().workFolder, name)).sort();
  expect(flushed).toEqual([
    [made("a.txt", "b/c.txt"), false, false],
    [made(".", "b", "empty"), false, false],
    [[out(".")], true, true],
  ]);
});

it.each([
  ["files", false],
  ["folder", true],
] as const)(
  "waits for the disk once for all files that it puts beside others (%s)",
  async (kind, overwrites) => {
    mkdirSync(out("tree"));
    const note = vi.spyOn(Placements.prototype, "note");
    await putTree(kind, { "a.txt": "1", "b.txt": "2", "c.txt": "3" }, overwrites);
    const noted = note.mock.calls.map(([placements]) => placements.map(([part]) => basename(part)));
    expect(noted[0]).toEqual(["a.txt", "b.txt", "c.txt"]);
    expect(noted.slice(1)).toEqual(kind === "files" ? [["empty"]] : []);
  },
);

it("makes the files of a folder again that a killed run had not finished, and leaves no second one", async () => {
  mkdirSync(join(received().workFolder, "b"), { recursive: true });
  writeFileSync(join(received().workFolder, "a.txt"), "half");
  expect(await putTree("folder", { "a.txt": "whole" })).toEqual([out("tree")]);
  expect([read("tree/a.txt"), readdirSync(out("tree")).sort()]).toEqual(["whole", ["a.txt", "empty"]]);
});

it("takes no folder's place, not even that of an empty one", async () => {
  mkdirSync(out("tree"));
  expect(await putTree("folder", {})).toEqual([out("tree (2)")]);
});

describe("where the file system has no links", () => {
  beforeEach(() => {
    vi.mocked(link).mockRejectedValue(Object.assign(new Error("no links"), { code: "EPERM" }));
  });
  afterEach(() => vi.mocked(link).mockReset());

  it("gives a file a free name", async () => {
    writeFileSync(out("a.txt"), "mine");
    expect(await putFile("a.txt", "theirs")).toBe(out("a (2).txt"));
    expect([read("a.txt"), read("a (2).txt")]).toEqual(["mine", "theirs"]);
  });

  it("fills the name that a killed run had taken, and that of nobody else", async () => {
    for (const [taken, path] of [
      ["", "a.txt"],
      ["mine", "a (2).txt"],
    ] as const) {
      writeFileSync(bytes, "whole");
      writeFileSync(out("a.txt"), taken);
      Placements.begin(received().placements).note([[bytes, out("a.txt")]]);
      expect(await target().putFile(described("a.txt"), received())).toBe(out(path));
      expect(read(path)).toBe("whole");
    }
    expect(readdirSync(out()).sort()).toEqual(["a (2).txt", "a.txt"]);
  });
});

it("replaces a file if it may, and never a folder", async () => {
  await putFile("a.txt", "one");
  mkdirSync(out("b"));
  expect(await putFile("a.txt", "two", true)).toBe(out("a.txt"));
  expect(await putFile("b", "two", true)).toBe(out("b (2)"));
  expect(read("a.txt")).toBe("two");
});

it("replaces a link, not what it leads to", async () => {
  writeFileSync(join(folder, "outside"), "kept");
  symlinkSync(join(folder, "outside"), out("a.txt"));
  await putFile("a.txt", "two", true);
  expect([read("a.txt"), readFileSync(join(folder, "outside"), "utf8")]).toEqual(["two", "kept"]);
});

it("unpacks a folder, and another one of the same name beside it", async () => {
  expect(await putTree("folder", { "a.txt": "1", "b/c.txt": "22", d: "" })).toEqual([out("tree")]);
  expect(await putTree("folder", { "a.txt": "3" })).toEqual([out("tree (2)")]);
  expect([read("tree/a.txt"), read("tree/b/c.txt"), read("tree/d")]).toEqual(["1", "22", ""]);
  expect(readdirSync(out("tree")).sort()).toEqual(["a.txt", "b", "d", "empty"]);
  expect(read("tree (2)/a.txt")).toBe("3");
  expect(statSync(out("tree/b/c.txt")).mtimeMs).toBe(86_400_000);
});

it("merges a folder into one of the same name if it may overwrite", async () => {
  await putTree("folder", { "a.txt": "1", "b/c.txt": "2" });
  expect(await putTree("folder", { "a.txt": "3", "b/d.txt": "4" }, true)).toEqual([out("tree")]);
  expect(["a.txt", "b/c.txt", "b/d.txt"].map((path) => read(`tree/${path}`))).toEqual(["3", "2", "4"]);
});

it.each([".warren-parts-0a1b2c3d", ".Warren-PARTS-0a1b2c3d"])(
  "puts nothing into a folder of parts, nor in its place: %s",
  async (name) => {
    mkdirSync(out(name));
    const numbered = await putTree("files", { [`${name}/a.part`]: "1" }, true);
    expect(numbered).toEqual([out(numberedFileName(name, 2)), out("empty")]);
    expect(readdirSync(out(name))).toEqual([]);
    rmSync(out(name), { recursive: true });
    expect(await putFile(name, "1")).not.toBe(out(name));
    expect(existsSync(out(name))).toBe(false);
  },
);

it("does not follow a link inside a folder that it merges into", async () => {
  mkdirSync(join(folder, "outside"));
  mkdirSync(out("tree"));
  symlinkSync(join(folder, "outside"), out("tree/b"));
  const merging = putTree("folder", { "b/c.txt": "2" }, true);
  await expect(merging).rejects.toMatchObject({ code: "storage-failed" });
  expect(readdirSync(join(folder, "outside"))).toEqual([]);
});

it("puts several files beside each other, each under a free name", async () => {
  writeFileSync(out("a.txt"), "0");
  const paths = await putTree("files", { "a.txt": "1", "b/c.txt": "2", "b/e/f.txt": "3" });
  expect(paths).toEqual([out("a (2).txt"), out("b"), out("empty")]);
  expect([read("a.txt"), read("a (2).txt"), read("b/c.txt"), read("b/e/f.txt")]).toEqual([
    "0",
    "1",
    "2",
    "3",
  ]);
});

it("gives files the permissions they had, as far as the umask allows, and folders those of new ones", async () => {
  const umask = process.umask(0o027);
  try {
    await putFile("a.sh", "1", false, [[0o755, 1]]);
    await putFile("b.txt", "1");
    await putTree("folder", { a: "1", b: "2", c: "3", d: "4" }, false, [
      [0o600, 2],
      [0o555, 1],
    ]);
  } finally {
    process.umask(umask);
  }
  expect(["a.sh", "b.txt"].map(modeOf)).toEqual([0o750, 0o640]);
  expect(["a", "b", "c", "d"].map((name) => modeOf(`tree/${name}`))).toEqual([0o600, 0o600, 0o550, 0o640]);
  expect(["tree", "tree/empty"].map(modeOf)).toEqual([0o750, 0o750]);
});
