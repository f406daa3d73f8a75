import type { FileStorage } from "@warren/core";
import { describeFileStorage } from "@warren/core/testing";
import { describe, expect, it } from "vitest";
import { createTransferWorker } from "../../platform/file-storage/create-transfer-worker.ts";
import { IndexedDbFileStorage } from "../../platform/file-storage/indexeddb-file-storage.ts";
import { run, type TestResult } from "./page-runner.ts";

declare global {
  /** Resolves with the results of the contract; read by the browser test. */
  var contractResults: Promise<TestResult[]>;
}

const layout = { fileSize: 40_000, chunkSize: 16_384, mimeType: "text/plain" };
const digest = new Uint8Array(32).fill(7);
const chunk = (index: number) => new Uint8Array(index === 2 ? 40_000 - 2 * 16_384 : 16_384).fill(index + 1);
const freshName = () => `contract-${crypto.randomUUID()}`;

const opfsName = freshName();
describeFileStorage("OPFS", async () => createTransferWorker(opfsName).storage);
const databaseName = freshName();
describeFileStorage("IndexedDB", async () => new IndexedDbFileStorage(databaseName, { batchDelayMs: 5 }));

async function store(
  storage: FileStorage,
  fid: string,
  chunks: readonly number[],
  finish: boolean,
): Promise<void> {
  const sink = await storage.openSink(fid, layout);
  const written = Promise.all(chunks.map((index) => sink.write(index, chunk(index), digest)));
  if (finish) await sink.finish();
  await sink.close();
  await written;
}

async function textOf(blob: Blob | null): Promise<string | null> {
  return blob && `${blob.size} ${new Set(new Uint8Array(await blob.arrayBuffer())).size} ${blob.type}`;
}

async function folderOf(name: string): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(name);
}

async function namesIn(name: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of (await folderOf(name)).keys()) names.push(entry);
  return names.sort();
}

describe("OPFS file storage", () => {
  it("is used by this browser, with two stored files per file", async () => {
    const name = freshName();
    const { storage } = createTransferWorker(name);
    await store(storage, "some-file-1", [0, 1, 2], true);
    expect(storage.kind).toBe("opfs");
    expect(await namesIn(name)).toEqual(["some-file-1.data", "some-file-1.ledger"]);
    expect(await textOf(await storage.readFile("some-file-1", layout))).toBe("40000 3 text/plain");
    storage.close();
  });

  it("reads the files an earlier version stored in IndexedDB, and resumes incomplete ones", async () => {
    const name = freshName();
    const earlier = new IndexedDbFileStorage(name);
    await earlier.writeRecord("whole-file-1", { kept: true });
    await store(earlier, "whole-file-1", [0, 1, 2], true);
    await store(earlier, "started-file-1", [0], false);
    earlier.close();
    const { storage } = createTransferWorker(name);
    expect(await storage.listRecords()).toEqual([
      { fid: "whole-file-1", record: { kept: true }, hasBytes: true },
    ]);
    expect(await textOf(await storage.readFile("whole-file-1", layout))).toBe("40000 3 text/plain");
    expect([...(await storage.readDigests("started-file-1")).keys()]).toEqual([0]);
    await store(storage, "started-file-1", [1, 2], true);
    expect(await textOf(await storage.readFile("started-file-1", layout))).toBe("40000 3 text/plain");
    expect(await namesIn(name)).toEqual([]);
    storage.close();
  });

  it("reports a file whose bytes were deleted as lost", async () => {
    const name = freshName();
    const first = createTransferWorker(name).storage;
    await first.writeRecord("lost-file-1", {});
    await store(first, "lost-file-1", [0, 1, 2], true);
    first.close();
    await (await folderOf(name)).removeEntry("lost-file-1.data");
    const { storage } = createTransferWorker(name);
    expect(await storage.listRecords()).toEqual([{ fid: "lost-file-1", record: {}, hasBytes: false }]);
    expect(await storage.readFile("lost-file-1", layout)).toBeNull();
    storage.close();
  });

  it("ignores a truncated last record of a ledger, and overwrites it", async () => {
    const name = freshName();
    const first = createTransferWorker(name).storage;
    await store(first, "torn-file-1", [0, 1], false);
    first.close();
    const ledger = await (await folderOf(name)).getFileHandle("torn-file-1.ledger");
    const writable = await ledger.createWritable({ keepExistingData: true });
    await writable.truncate(36 + 20);
    await writable.close();
    const { storage } = createTransferWorker(name);
    expect([...(await storage.readDigests("torn-file-1")).keys()]).toEqual([0]);
    await store(storage, "torn-file-1", [1, 2], true);
    expect((await ledger.getFile()).size).toBe(4 * 36);
    expect(await textOf(await storage.readFile("torn-file-1", layout))).toBe("40000 3 text/plain");
    storage.close();
  });

  it("waits until a closing page releases a file", async () => {
    const name = freshName();
    const closing = createTransferWorker(name).storage;
    const held = await closing.openSink("held-file-1", layout);
    await held.write(0, chunk(0), digest);
    const { storage } = createTransferWorker(name);
    const opening = storage.openSink("held-file-1", layout);
    // Queued after it, so the first attempt has failed by then.
    await storage.readDigests("held-file-1");
    closing.close();
    const sink = await opening;
    expect((await sink.read(0))?.byteLength).toBe(16_384);
    await sink.close();
    storage.close();
  });

  it("deletes bytes without a record at the next load", async () => {
    const name = freshName();
    const first = createTransferWorker(name).storage;
    await first.writeRecord("known-file-1", {});
    await store(first, "known-file-1", [0], false);
    await store(first, "stray-file-1", [0], false);
    first.close();
    const { storage } = createTransferWorker(name);
    await storage.listRecords();
    // Handled in order, so the stray file is gone by then.
    await storage.readDigests("known-file-1");
    expect(await namesIn(name)).toEqual(["known-file-1.data", "known-file-1.ledger"]);
    storage.close();
  });

  it("rejects a file larger than the quota with storage-full", async () => {
    const { storage } = createTransferWorker(freshName());
    const huge = { fileSize: 2 ** 50, chunkSize: 2 ** 20, mimeType: "" };
    await expect(storage.openSink("huge-file-1", huge)).rejects.toMatchObject({ code: "storage-full" });
    storage.close();
  });
});

globalThis.contractResults = run();
