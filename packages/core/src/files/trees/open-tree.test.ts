import { expect, it } from "vitest";
import { composeTree } from "./compose-tree.ts";
import { findUnreadable, openTree, readManifest } from "./open-tree.ts";

const paths = Array.from({ length: 200 }, (_, index) => `${String(index).padStart(3, "0")}.txt`);

async function picked() {
  const files = paths.map((path) => ({ path, file: new File([path], path) }));
  const { stream, summary } = await composeTree({
    kind: "files",
    name: "200 files",
    files,
    emptyFolders: [],
  });
  return openTree(stream, { fileSize: stream.size, tree: summary }, readManifest);
}

it("finds the file of a tree that can no longer be read", async () => {
  const tree = await picked();
  const gone: File = Object.assign(new File(["x"], "gone"), {
    slice: () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error("gone")) }),
  });
  const fileOf: typeof tree.fileOf = (entry) => (entry.path === "150.txt" ? gone : tree.fileOf(entry));
  expect(await findUnreadable({ ...tree, fileOf })).toMatchObject({ path: "150.txt" });
});

it("finds none when all can be read", async () => {
  expect(await findUnreadable(await picked())).toBeNull();
});
