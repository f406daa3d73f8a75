import "fake-indexeddb/auto";
import { randomUUID } from "node:crypto";
import { describeFileStorage } from "@warren/core/testing";
import { describe, expect, it, vi } from "vitest";
import { IndexedDbFileStorage } from "./indexeddb-file-storage.ts";

const layout = { fileSize: 40_000, chunkSize: 16_384, mimeType: "" };
const digest = new Uint8Array(32);

const contractName = randomUUID();
describeFileStorage("IndexedDB", async () => new IndexedDbFileStorage(contractName, { batchDelayMs: 5 }));

describe("IndexedDB file storage", () => {
  it("stores chunks in batches", async () => {
    const storage = new IndexedDbFileStorage(randomUUID(), { batchChunks: () => 2, batchDelayMs: 600_000 });
    const sink = await storage.openSink("batched-file", layout);
    const first = sink.write(0, new Uint8Array(16_384), digest);
    expect(await storage.readDigests("batched-file")).toEqual(new Map());
    await Promise.all([first, sink.write(1, new Uint8Array(16_384), digest)]);
    expect([...(await storage.readDigests("batched-file")).keys()]).toEqual([0, 1]);
    storage.close();
  });

  it("rejects with storage-full at the quota, and keeps what was stored before", async () => {
    const storage = new IndexedDbFileStorage(randomUUID(), { batchChunks: () => 1 });
    const sink = await storage.openSink("full-disk-file", layout);
    await sink.write(0, new Uint8Array(16_384), digest);
    const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await expect(sink.write(1, new Uint8Array(16_384), digest)).rejects.toMatchObject({
      code: "storage-full",
    });
    put.mockRestore();
    await sink.close();
    expect([...(await storage.readDigests("full-disk-file")).keys()]).toEqual([0]);
    storage.close();
  });

  it("keeps a complete file's other bytes when one chunk is written again", async () => {
    const storage = new IndexedDbFileStorage(randomUUID(), { batchChunks: () => 1 });
    const sink = await storage.openSink("repaired-file", { ...layout, fileSize: 32_768 });
    const ones = new Uint8Array(16_384).fill(1);
    await Promise.all([sink.write(0, ones, digest), sink.write(1, ones, digest)]);
    await sink.finish();
    await sink.write(
      1,
      ones.map(() => 2),
      digest,
    );
    await sink.finish();
    const bytes = new Uint8Array(
      (await (await storage.readFile("repaired-file"))?.arrayBuffer()) ?? new ArrayBuffer(0),
    );
    expect([bytes.length, bytes[16_383], bytes[16_384]]).toEqual([32_768, 1, 2]);
    storage.close();
  });

  it("reports the free space from the browser, and null if unknown", async () => {
    const named = new IndexedDbFileStorage("named", { estimate: async () => ({ quota: 1_000, usage: 400 }) });
    expect(await named.freeBytes()).toBe(600);
    const unnamed = new IndexedDbFileStorage("unnamed", { estimate: async () => null });
    expect(await unnamed.freeBytes()).toBeNull();
  });
});
