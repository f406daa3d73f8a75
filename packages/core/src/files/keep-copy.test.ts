import { describe, expect, it, vi } from "vitest";
import { digestOfBlob, randomBytes } from "../testing/file-story.ts";
import { MemoryFileStorage } from "../testing/memory-file-storage.ts";
import { describeFile } from "./describe-file.ts";
import { blobSource, rootOfSource } from "./file-source.ts";
import { keepCopy } from "./keep-copy.ts";

const chunkSize = 512 * 1024;

/** A file of slightly more than 20 chunks, and the parts of a copy. */
function createCopying() {
  const file = new File([randomBytes(21)], "sheet.pdf");
  const description = describeFile(file, chunkSize);
  return { file, description, source: blobSource(file), storage: new MemoryFileStorage({ kind: "opfs" }) };
}

describe("a stored copy", () => {
  it("equals the file, and took one read per slice", async () => {
    const { file, description, source, storage } = createCopying();
    const reads = vi.spyOn(file, "slice");
    const root = await keepCopy(storage, description, source, () => true);
    expect(reads).toHaveBeenCalledTimes(3);
    expect(root).toBe(await rootOfSource(description, blobSource(file), () => true));
    const copy = await storage.readFile(description.fid);
    expect(copy && (await digestOfBlob(copy))).toBe(await digestOfBlob(file));
  });

  it("is not made if the file is cancelled meanwhile", async () => {
    const { file, description, source, storage } = createCopying();
    const reads = vi.spyOn(file, "slice");
    expect(await keepCopy(storage, description, source, () => reads.mock.calls.length < 2)).toBeNull();
    expect(await storage.readFile(description.fid)).toBeNull();
  });

  it("can be of an empty file", async () => {
    const file = new File([], "empty.txt");
    const description = describeFile(file, chunkSize);
    const storage = new MemoryFileStorage({ kind: "opfs" });
    expect(await keepCopy(storage, description, blobSource(file), () => true)).not.toBeNull();
    expect((await storage.readFile(description.fid))?.size).toBe(0);
  });
});
