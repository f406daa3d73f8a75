import { expect, it, vi } from "vitest";
import type { Task } from "../platform/data-folder.ts";
import { TaskFiles } from "./task-files.ts";

const item = { from: "Ann", path: "/out/a", name: "a", sizeBytes: 1, files: null };

it("tells a later run what was received, and what is open", () => {
  let stored: Task["files"];
  const store = (files: Task["files"]) => {
    stored = files;
  };
  const first = new TaskFiles(undefined, store);
  for (const fid of ["file-1", "file-2", "file-3"]) first.noteOffered(fid);
  expect(first.noteReceived("file-1", item)).toBe(true);
  first.forget("file-3");
  first.forget("file-1");
  const second = new TaskFiles(structuredClone(stored), store);
  expect([second.received, second.hasOpen, second.isOpen("file-2")]).toEqual([[item], true, true]);
  second.noteOffered("file-1");
  expect(second.noteReceived("file-1", item)).toBe(false);
  expect(second.noteReceived("file-2", item)).toBe(true);
  expect(new TaskFiles(stored, store).hasOpen).toBe(false);
});

it("does not count in a later run what an earlier one wrote to its output", () => {
  const store = vi.fn();
  const files = new TaskFiles({ "file-1": null }, store);
  files.noteReceived("file-1", { ...item, path: null });
  expect([files.received.length, files.hasOpen]).toEqual([1, false]);
  expect(store).toHaveBeenLastCalledWith({});
});
