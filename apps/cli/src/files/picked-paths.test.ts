import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PathReopener, pickPaths } from "./picked-paths.ts";

let folder: string;
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "warren-picked-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("picks one file with its name, type and time", async () => {
  writeFileSync(at("a.PNG"), "picture");
  utimesSync(at("a.PNG"), 1_000, 1_000);
  const { content } = await pickPaths([at("a.PNG")]);
  expect(content).toMatchObject({ name: "a.PNG", size: 7, type: "image/png", lastModified: 1_000_000 });
});

it("walks a folder, and lists what it leaves out", async () => {
  mkdirSync(at("tree/b/empty"), { recursive: true });
  writeFileSync(at("tree/z"), "");
  writeFileSync(at("tree/b/a b\n.txt"), "1");
  symlinkSync("/nowhere", at("tree/broken"));
  symlinkSync(at("tree"), at("tree/loop"));
  execFileSync("mkfifo", [at("tree/pipe")]);
  const { content, leftOut } = await pickPaths([at("tree/")]);
  expect(content).toMatchObject({
    kind: "folder",
    name: "tree",
    files: [{ path: "b/a b\n.txt" }, { path: "z" }],
    emptyFolders: ["b/empty"],
  });
  expect(leftOut).toEqual([
    { path: at("tree/broken"), reason: "link" },
    { path: at("tree/loop"), reason: "link" },
    { path: at("tree/pipe"), reason: "special" },
  ]);
});

it("joins several paths", async () => {
  mkdirSync(at("b"));
  for (const name of ["a", "b/c"]) writeFileSync(at(name), name);
  const { content } = await pickPaths([at("a"), at("b")]);
  const files = [{ path: "a" }, { path: "b/c" }];
  expect(content).toMatchObject({ kind: "files", name: "a", files });
});

it("reopens a tree as the same bytes, and nothing once a path is gone", async () => {
  mkdirSync(at("tree"));
  writeFileSync(at("tree/a"), "1");
  const reopener = new PathReopener([at("tree")]);
  const handle = structuredClone(await reopener.handleOf());
  const [one, other] = [await reopener.open(handle), await new PathReopener([]).open(handle)];
  expect(await one?.text()).toContain('["a",1,');
  expect(await other?.text()).toBe(await one?.text());
  rmSync(at("tree"), { recursive: true });
  expect(await reopener.open(handle)).toBeNull();
  expect(await reopener.open("damaged")).toBeNull();
});
