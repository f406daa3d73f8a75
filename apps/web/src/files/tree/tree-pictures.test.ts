import type { TreeEntry } from "@warren/protocol/tree";
import { expect, test } from "vitest";
import { treePictures } from "./tree-pictures.ts";

const file = (path: string, mimeType = ""): TreeEntry => ({
  kind: "file",
  path,
  size: 1,
  lastModified: 0,
  mimeType,
  start: 0,
});
const pathsOf = (entries: readonly TreeEntry[]) => treePictures(entries)?.shown.map(({ path }) => path);

test("shows the first six pictures in list order, and counts the others", () => {
  const many = Array.from({ length: 20 }, (_, i) => file(`photo-${i + 1}.jpg`)).reverse();
  expect(pathsOf(many)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `photo-${n}.jpg`));
  expect(treePictures(many)?.moreCount).toBe(14);
  expect(treePictures(many.slice(0, 6))?.moreCount).toBe(0);
});

test("ignores files that cannot be rendered as a picture", () => {
  const mixed = [file("a.png"), file("b.heic", "image/heic"), file("c", "image/webp"), file("d.pdf")];
  expect(treePictures(mixed)).toMatchObject({ shown: [{ path: "a.png" }, { path: "c" }], moreCount: 0 });
});

test("shows pictures only if most files of the tree are pictures", () => {
  expect(treePictures([file("a.png")])).toBeNull();
  expect(
    treePictures([file("a.png"), file("b.png"), file("c.txt"), file("d.txt"), file("e.txt")]),
  ).toBeNull();
});

test("shows the first of very many pictures, and counts all", () => {
  const many = Array.from({ length: 3_000 }, (_, i) => file(`${String(i).padStart(4, "0")}.jpg`));
  expect(pathsOf(many)?.[0]).toBe("0000.jpg");
  expect(treePictures(many)?.moreCount).toBe(2_994);
});
