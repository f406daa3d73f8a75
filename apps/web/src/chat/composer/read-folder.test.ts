import { expect, test } from "vitest";
import { sortItems } from "../../platform/files/incoming-items.ts";
import { type FolderContent, fakeEntry, fakeFolder } from "../../testing/fake-folders.ts";
import { readFolder } from "./read-folder.ts";

const file = (name: string) => new File([name], name);
const content: FolderContent = {
  "a.txt": file("a.txt"),
  deep: { er: { "x.txt": file("x.txt"), void: {} }, void: {} },
  "b.txt": file("b.txt"),
  "c.txt": file("c.txt"),
};

const dropped = (entry: FileSystemEntry) =>
  sortItems([{ kind: "file", getAsFile: () => null, webkitGetAsEntry: () => entry }]).folders[0] ??
  expect.fail();

test.each([
  ["picked", () => fakeFolder("Scouting", content)],
  ["dropped, in batches", () => dropped(fakeEntry("Scouting", content))],
])("reads everything in a folder that was %s", async (_how, open) => {
  const { tree, leftOut } = await readFolder(open());
  expect(tree).toMatchObject({ kind: "folder", name: "Scouting" });
  expect(tree.files.map(({ path }) => path).sort()).toEqual(["a.txt", "b.txt", "c.txt", "deep/er/x.txt"]);
  expect([...tree.emptyFolders].sort()).toEqual(["deep/er/void", "deep/void"]);
  expect(leftOut).toEqual([]);
});

test("omits and names entries that disappeared", async () => {
  const broken = { ...fakeFolder("locked", {}), list: () => Promise.reject(new Error("denied")) };
  const folder = fakeFolder("Scouting", { "a.txt": file("a.txt"), in: { "gone.txt": null } });
  const items = [...(await folder.list()), { kind: "folder", folder: broken } as const];
  const { tree, leftOut } = await readFolder({ ...folder, list: async () => items });
  expect(tree.files.map(({ path }) => path)).toEqual(["a.txt"]);
  expect(leftOut).toEqual(["in/gone.txt", "locked"]);
});

test("omits and names files that open, and cannot be read", async () => {
  const secret = file("secret.txt");
  secret.slice = () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error("denied")) });
  const { tree, leftOut } = await readFolder(
    fakeFolder("Scouting", { "a.txt": file("a.txt"), in: { secret } }),
  );
  expect(tree.files.map(({ path }) => path)).toEqual(["a.txt"]);
  expect(leftOut).toEqual(["in/secret"]);
});

test("fails if the folder itself is gone", async () => {
  const gone = { name: "Scouting", list: () => Promise.reject(new Error("gone")) };
  await expect(readFolder(gone)).rejects.toMatchObject({ code: "source-missing" });
});

test("stops reading a folder with more files than may be sent", async () => {
  const item = { kind: "file", name: "a", open: () => Promise.reject(new Error("opened")) } as const;
  const folder = { name: "Everything", list: async () => new Array(100_001).fill(item) };
  await expect(readFolder(folder)).rejects.toMatchObject({ code: "tree-too-large" });
});
