import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { chunkCountOf } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chunkLengthOf } from "../../files/file-layout.ts";
import type { Bytes, FileLayout, FileSink, FileStorage } from "../../ports/file-storage.ts";

const layout: FileLayout = { fileSize: 50_000, chunkSize: 16 * 1024, mimeType: "text/plain" };
const chunks = [0, 1, 2, 3];

/** The contract of every file storage. `open` is called again on the same location to simulate a reload. */
export function describeFileStorage(name: string, open: () => Promise<FileStorage>): void {
  describe(`${name} as a file storage`, () => {
    let storage: FileStorage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    const reopen = async () => {
      storage.close();
      storage = await open();
    };

    it("returns records as they were written, including after a reload", async () => {
      await storage.writeRecord("file-record-1", { name: "a", list: [1, 2] });
      await storage.writeRecord("file-record-1", { name: "b", list: [1, 2] });
      await reopen();
      const records = await storage.listRecords();
      expect(records.filter(({ fid }) => fid === "file-record-1")).toEqual([
        { fid: "file-record-1", record: { name: "b", list: [1, 2] }, hasBytes: false },
      ]);
    });

    it("keeps chunks and their digests in any order across a reload", async () => {
      const sink = await storage.openSink("file-chunks-1", layout);
      await Promise.all([3, 0].map((chunk) => write(sink, chunk)));
      await sink.close();
      await reopen();
      const digests = await storage.readDigests("file-chunks-1");
      expect([...digests.keys()].sort()).toEqual([0, 3]);
      expect(digests.get(3)).toEqual(digestOf(3));
      const again = await storage.openSink("file-chunks-1", layout);
      expect(hexOf(await again.read(0))).toBe(hexOf(bytesOf(0)));
      expect(hexOf(await again.read(3))).toBe(hexOf(bytesOf(3)));
      expect(await again.read(1)).toBeNull();
      await again.close();
    });

    it("stores pending writes when the sink closes, and settles them", async () => {
      const sink = await storage.openSink("file-close-1", layout);
      const written = write(sink, 2);
      await sink.close();
      await written;
      expect([...(await storage.readDigests("file-close-1")).keys()]).toEqual([2]);
    });

    it("replaces a chunk that is written again", async () => {
      const sink = await storage.openSink("file-again-1", layout);
      await sink.write(1, bytesOf(2), digestOf(2));
      await write(sink, 1);
      expect(hexOf(await sink.read(1))).toBe(hexOf(bytesOf(1)));
      await sink.close();
    });

    it("completes the file and keeps its digests", async () => {
      const shares: number[] = [];
      const sink = await storage.openSink("file-whole-1", layout);
      const writes = [2, 0, 3, 1].map((chunk) => write(sink, chunk));
      await sink.finish((share) => shares.push(share));
      await Promise.all(writes);
      await sink.close();
      await reopen();
      const blob = await storage.readFile("file-whole-1", layout);
      expect(await contentOf(blob)).toBe(hexOf(wholeFile()));
      expect([...(await storage.readDigests("file-whole-1")).keys()].sort()).toEqual(chunks);
      expect(shares.at(-1)).toBe(1);
    });

    it("reads chunks of a complete file and can finish it again without harm", async () => {
      const sink = await storage.openSink("file-twice-1", layout);
      await Promise.all([...chunks.map((chunk) => write(sink, chunk)), sink.close()]);
      const second = await storage.openSink("file-twice-1", layout);
      await second.finish();
      await second.close();
      await reopen();
      const third = await storage.openSink("file-twice-1", layout);
      expect(hexOf(await third.read(3))).toBe(hexOf(bytesOf(3)));
      await third.finish();
      await third.close();
      expect(await contentOf(await storage.readFile("file-twice-1", layout))).toBe(hexOf(wholeFile()));
    });

    it("refuses to finish a file with a gap and keeps its chunks", async () => {
      const sink = await storage.openSink("file-gap-1", layout);
      const written = write(sink, 0);
      await expect(sink.finish()).rejects.toMatchObject({ code: "storage-failed" });
      await written;
      await sink.close();
      expect(await storage.readFile("file-gap-1", layout)).toBeNull();
      expect([...(await storage.readDigests("file-gap-1")).keys()]).toEqual([0]);
    });

    it("holds an empty file", async () => {
      const empty = { ...layout, fileSize: 0 };
      const sink = await storage.openSink("file-empty-1", empty);
      await sink.finish();
      await sink.close();
      expect((await storage.readFile("file-empty-1", empty))?.size).toBe(0);
    });

    it("forgets record, chunks and whole file together", async () => {
      await storage.writeRecord("file-remove-1", {});
      const sink = await storage.openSink("file-remove-1", layout);
      const writes = chunks.map((chunk) => write(sink, chunk));
      await sink.finish();
      await Promise.all(writes);
      await sink.close();
      const listed = (await storage.listRecords()).find(({ fid }) => fid === "file-remove-1");
      expect(listed).toEqual({ fid: "file-remove-1", record: {}, hasBytes: true });
      await storage.remove("file-remove-1");
      expect((await storage.listRecords()).map(({ fid }) => fid)).not.toContain("file-remove-1");
      expect(await storage.readDigests("file-remove-1")).toEqual(new Map());
      expect(await storage.readFile("file-remove-1", layout)).toBeNull();
    });

    it("keeps files apart", async () => {
      const one = await storage.openSink("file-apart-1", layout);
      const other = await storage.openSink("file-apart-2", layout);
      const written = write(one, 0);
      expect(await other.read(0)).toBeNull();
      await Promise.all([written, one.close(), other.close()]);
      expect([...(await storage.readDigests("file-apart-2")).keys()]).toEqual([]);
    });
  });
}

function write(sink: FileSink, chunk: number): Promise<void> {
  return sink.write(chunk, bytesOf(chunk), digestOf(chunk));
}

function digestOf(chunk: number): Bytes {
  return new Uint8Array(sha256(bytesOf(chunk)));
}

function bytesOf(chunk: number): Bytes {
  return new Uint8Array(chunkLengthOf(layout, chunk)).map((_, index) => (index * 7 + chunk * 31) & 0xff);
}

function wholeFile(): Bytes {
  const file = new Uint8Array(layout.fileSize);
  for (let chunk = 0; chunk < chunkCountOf(layout.fileSize, layout.chunkSize); chunk++)
    file.set(bytesOf(chunk), chunk * layout.chunkSize);
  return file;
}

async function contentOf(blob: Blob | null): Promise<string | null> {
  return blob && hexOf(new Uint8Array(await blob.arrayBuffer()));
}

/** Comparing hashes is fast, comparing bytes one by one is not. */
function hexOf(bytes: Uint8Array | null): string | null {
  return bytes && bytesToHex(sha256(bytes));
}
