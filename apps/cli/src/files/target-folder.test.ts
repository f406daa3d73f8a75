import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileDescription, numberedFileName } from "@warren/protocol";
import type { TreeEntry } from "@warren/protocol/tree";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TargetFolder } from "./target-folder.ts";

let folder: string;
let bytes: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-target-"));
  bytes = join(folder, "bytes");
  mkdirSync(join(folder, "out"));
});
afterEach(() => rmSync(folder, { recursive: true }));

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
const received = () => ({ bytes, workFolder: join(folder, "made") });

function putFile(
  name: string,
  content: string,
  overwrites = false,
  permissions?: Permissions,
): Promise<string> {
  writeFileSync(bytes, content);
  return target(overwrites).putFile(described(name, undefined, permissions), received());
}

function putTree(
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
