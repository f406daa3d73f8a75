import type { OpenTree } from "@warren/core";
import { afterEach, expect, test, vi } from "vitest";
import { FakeTarget } from "../../testing/fake-folders.ts";
import { saveToFolder } from "./save-to-folder.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

function treeOf(paths: readonly string[], emptyFolders: readonly string[] = []): OpenTree {
  const entries = [
    ...paths.map(
      (path) => ({ kind: "file", path, size: 1, lastModified: 0, mimeType: "", start: 0 }) as const,
    ),
    ...emptyFolders.map((path) => ({ kind: "folder", path }) as const),
  ];
  return { entries, stream: new Blob(), fileOf: ({ path }) => new File([path], path) };
}

async function contentOf({ files }: FakeTarget): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all([...files].map(async ([path, blob]) => [path, await blob.text()])),
  );
}

test("a folder is created with everything in it", async () => {
  const target = new FakeTarget();
  const done: number[] = [];
  const tree = treeOf(["a", "b/c", "b/d/e"], ["void"]);
  await saveToFolder(tree, target, { folder: "Scouting", onProgress: (count) => done.push(count) });
  expect(await contentOf(target)).toEqual({
    "Scouting/a": "a",
    "Scouting/b/c": "b/c",
    "Scouting/b/d/e": "b/d/e",
  });
  expect([...target.folders].sort()).toEqual(["Scouting", "Scouting/b", "Scouting/b/d", "Scouting/void"]);
  expect(done).toEqual([1, 2, 3]);
});

test("a folder is renamed if its name is taken", async () => {
  const target = new FakeTarget();
  await target.folder("Scouting");
  await saveToFolder(treeOf(["a"]), target, { folder: "Scouting" });
  expect(await contentOf(target)).toEqual({ "Scouting (2)/a": "a" });
});

test("folders of one name that are saved at once get a name each", async () => {
  const target = new FakeTarget();
  await Promise.all([
    saveToFolder(treeOf(["a"]), target, { folder: "Scouting" }),
    saveToFolder(treeOf(["b"]), target, { folder: "Scouting" }),
  ]);
  expect(await contentOf(target)).toEqual({ "Scouting/a": "a", "Scouting (2)/b": "b" });
});

test("loose files are added to existing ones without overwriting any", async () => {
  const target = new FakeTarget();
  for (const name of ["a.txt", "a (3).txt"]) await target.write(name, new Blob(["before"]));
  await target.folder("in");
  await saveToFolder(treeOf(["a.txt", "a (2).txt", "b", "in/x"]), target, { folder: null });
  expect(await contentOf(target)).toEqual({
    "a.txt": "before",
    "a (3).txt": "before",
    "a (2).txt": "a (2).txt",
    "a (4).txt": "a.txt",
    b: "b",
    "in (2)/x": "in/x",
  });
});

test("files whose names the browser refuses are counted", async () => {
  const target = new FakeTarget();
  expect(await saveToFolder(treeOf(["a", "b.lnk"]), target, { folder: "Scouting" })).toBe(1);
});

test("after a failed write no further file is started or reported", async () => {
  const target = new FakeTarget();
  let resume = (): void => {};
  const slow = new Promise<void>((resolve) => {
    resume = resolve;
  });
  vi.spyOn(FakeTarget.prototype, "write").mockImplementation(async (name) => {
    if (name === "full") throw new DOMException("no space", "QuotaExceededError");
    await slow;
    return true;
  });
  const done: number[] = [];
  const saving = saveToFolder(
    treeOf(["full", ...Array.from({ length: 20 }, (_, i) => `slow ${i}`)]),
    target,
    {
      folder: "Scouting",
      onProgress: (count) => done.push(count),
    },
  );
  await expect(saving).rejects.toThrow("no space");
  resume();
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toEqual([]);
  expect(vi.mocked(FakeTarget.prototype.write).mock.calls.length).toBeLessThan(10);
});
