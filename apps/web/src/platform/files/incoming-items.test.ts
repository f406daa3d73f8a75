import { describe, expect, test } from "vitest";
import { fakeEntry } from "../../testing/fake-folders.ts";
import { type DroppedItem, sortItems } from "./incoming-items.ts";

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
    expect(sortItems([item({ kind: "string" }), item({ getAsFile: () => null })])).toEqual({
      files: [],
      folders: [],
    });
  });
});
