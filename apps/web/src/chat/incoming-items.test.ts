import { describe, expect, test } from "vitest";
import { fakeEntry } from "../testing/fake-folders.ts";
import { type DroppedItem, isNothing, pastedItems, sortItems } from "./incoming-items.ts";

const file = new File(["words"], "notes.txt");
const item = (part: Partial<DroppedItem>): DroppedItem => ({ kind: "file", getAsFile: () => file, ...part });
const folderItem = item({ webkitGetAsEntry: () => fakeEntry("Location scouting", {}) });

describe("dropped items", () => {
  test("are separated into files and folders", () => {
    const { files, folders } = sortItems([folderItem, item({})]);
    expect(files).toEqual([file]);
    expect(folders.map(({ name }) => name)).toEqual(["Location scouting"]);
  });

  test("are read as files if the browser does not support entries", () => {
    expect(sortItems([item({}), item({ webkitGetAsEntry: () => null })]).files).toEqual([file, file]);
  });

  test("omit text and items without a file", () => {
    expect(isNothing(sortItems([item({ kind: "string" }), item({ getAsFile: () => null })]))).toBe(true);
  });
});

describe("a paste", () => {
  test.each([
    ["files from a file manager, with their names as text", ["text/plain", "Files"], 1],
    ["a screenshot", ["Files"], 1],
    ["a picture copied from a page", ["text/html", "Files"], 1],
    ["a table, with a picture of it", ["text/plain", "text/html", "text/rtf", "Files"], 0],
  ])("of %s", (_name, types, count) => {
    expect(pastedItems({ types, items: [item({})] }).files).toHaveLength(count);
  });

  test("of a folder is that folder", () => {
    expect(pastedItems({ types: ["Files"], items: [folderItem] }).folders).toHaveLength(1);
  });

  test("of text has no files", () => {
    expect(isNothing(pastedItems({ types: ["text/plain"], items: [item({ kind: "string" })] }))).toBe(true);
  });
});
