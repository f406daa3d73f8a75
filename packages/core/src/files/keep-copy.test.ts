import { describe, expect, it, vi } from "vitest";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { digestOfBlob, randomBytes } from "../testing/file-story.ts";
import { MemoryFileStorage } from "../testing/memory-file-storage.ts";
import { describeFile } from "./describe-file.ts";
import { blobSource, rootOfSource } from "./file-source.ts";
import { CopyPace, keepCopy } from "./keep-copy.ts";

const chunkSize = 512 * 1024;
const mib = 1024 * 1024;
const always = { isWanted: () => true, pace: { wait: async () => {} } };

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
    const root = await keepCopy(storage, description, source, always);
    expect(reads).toHaveBeenCalledTimes(3);
    expect(root).toBe(await rootOfSource(description, blobSource(file), () => true));
    const copy = await storage.readFile(description.fid);
    expect(copy && (await digestOfBlob(copy))).toBe(await digestOfBlob(file));
  });

  it("is not made if the file is cancelled meanwhile", async () => {
    const { file, description, source, storage } = createCopying();
    const reads = vi.spyOn(file, "slice");
    const isWanted = () => reads.mock.calls.length < 2;
    expect(await keepCopy(storage, description, source, { ...always, isWanted })).toBeNull();
    expect(await storage.readFile(description.fid)).toBeNull();
  });

  it("can be of an empty file", async () => {
    const file = new File([], "empty.txt");
    const description = describeFile(file, chunkSize);
    const storage = new MemoryFileStorage({ kind: "opfs" });
    expect(await keepCopy(storage, description, blobSource(file), always)).not.toBeNull();
    expect((await storage.readFile(description.fid))?.size).toBe(0);
  });
});

describe("the pace of copies", () => {
  /** How many ms each of some waits takes. */
  async function waits(clock: FakeClock, pace: CopyPace, ...sizes: readonly number[]): Promise<number[]> {
    const taken: number[] = [];
    for (const size of sizes) {
      const startMs = clock.elapsedMs();
      let isOver = false;
      void pace.wait(size).then(() => (isOver = true));
      for (await settle(); !isOver; ) await clock.advance(50);
      taken.push(clock.elapsedMs() - startMs);
    }
    return taken;
  }

  it("gives a file that was just offered the time to be accepted and sent first", async () => {
    const clock = new FakeClock();
    const pace = new CopyPace(clock, () => false);
    pace.noteOffer(64 * mib);
    pace.noteOffer(8 * mib);
    expect(await waits(clock, pace, 4 * mib, 4 * mib)).toEqual([4_500, 0]);
  });

  it("is 4 MiB a second while files are sent, and unlimited afterwards", async () => {
    const clock = new FakeClock();
    let isSending = true;
    const pace = new CopyPace(clock, () => isSending);
    expect(await waits(clock, pace, 4 * mib, 2 * mib, mib)).toEqual([0, 1_000, 500]);
    isSending = false;
    expect(await waits(clock, pace, 4 * mib, 4 * mib, 4 * mib)).toEqual([250, 0, 0]);
  });
});
