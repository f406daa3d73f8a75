import { describe, expect, test } from "vitest";
import { type DroppedItem, pastedFiles, sortItems } from "./incoming-items.ts";

const file = new File(["words"], "notes.txt");
const item = (part: Partial<DroppedItem>): DroppedItem => ({ kind: "file", getAsFile: () => file, ...part });

describe("what was dropped", () => {
  test("is told apart: files are sent, folders are named", () => {
    const folder = item({ webkitGetAsEntry: () => ({ isDirectory: true, name: "Location scouting" }) });
    const plain = item({ webkitGetAsEntry: () => ({ isDirectory: false, name: "notes.txt" }) });
    expect(sortItems([folder, plain])).toEqual({ files: [file], folders: ["Location scouting"] });
  });

  test("is read as files where the browser knows no entries", () => {
    expect(sortItems([item({}), item({ webkitGetAsEntry: () => null })]).files).toEqual([file, file]);
  });

  test("leaves out text and what has no file", () => {
    expect(sortItems([item({ kind: "string" }), item({ getAsFile: () => null })])).toEqual({
      files: [],
      folders: [],
    });
  });
});

describe("a paste", () => {
  const paste = (types: readonly string[], files: readonly File[]) => {
    const list = Object.assign([...files], { item: (i: number) => files[i] ?? null });
    return pastedFiles({ types, files: list });
  };

  test.each([
    ["files from a file manager, with their names as text", ["text/plain", "Files"], 1],
    ["a screenshot", ["Files"], 1],
    ["a picture copied from a page", ["text/html", "Files"], 1],
    ["a table, with a picture of it", ["text/plain", "text/html", "text/rtf", "Files"], 0],
  ])("of %s", (_name, types, count) => {
    expect(paste(types, [file])).toHaveLength(count);
  });

  test("of text is no file", () => {
    expect(paste(["text/plain"], [])).toEqual([]);
  });
});
