import { setTimeout } from "node:timers/promises";
import { decodeBlock, type TransferControl } from "@warren/protocol";
import { describe, expect, it, vi } from "vitest";
import { ChunkSet } from "../../files/digests/chunk-set.ts";
import { blobSource, type FileSource } from "../../files/file-source.ts";
import { FakeClock, settle } from "../../testing/fake-clock.ts";
import { createFakeChannelPair } from "../../testing/fake-data-channel.ts";
import { noise } from "../../testing/file-peers.ts";
import { CompressionPolicy } from "../compression/compression-policy.ts";
import { ChannelGroup } from "./channel-group.ts";
import { FileSender } from "./file-sender.ts";

const chunkSize = 64 * 1024;
const count = 6;
const fileSize = count * chunkSize;

interface Parts {
  readonly write?: () => Promise<void>;
  readonly source?: FileSource;
  /** The level of compression. */
  readonly level?: number;
  readonly blockSizeBytes?: number;
}

/** A sender whose blocks are collected in a list. */
function setUp({
  write = async () => {},
  source = blobSource(new Blob([noise(fileSize)])),
  level = 0,
  blockSizeBytes = chunkSize,
}: Parts = {}) {
  const clock = new FakeClock();
  const chunks: number[] = [];
  const encodings: string[] = [];
  const reported: string[] = [];
  const [first, second] = ["0", "1"].map((label) => createFakeChannelPair({ label }).local);
  let channel = first;
  const lose = () => {
    channel = second;
    if (first) sender.handleLost(first);
  };
  const description = {
    fid: "4f1c8e6a-8d51-4c5e-9f0e-3f9a54b6a001",
    fileName: "noise.bin",
    mimeType: "",
    fileSize: source.sizeBytes,
    chunkSize,
    lastModified: 0,
  };
  const sender = new FileSender({
    description,
    source,
    compression: new CompressionPolicy(description, level),
    blockSizeBytes,
    writer: {
      add: () => {},
      remove: () => {},
      setPace: () => {},
      write: async (_channels, message) => {
        const decoded = decodeBlock(message, source.sizeBytes / chunkSize);
        if (decoded.ok) {
          chunks.push(decoded.value.chunk);
          encodings.push(decoded.value.encoding);
        }
        await write();
        if (!channel) throw new Error("no channel");
        return channel;
      },
    },
    channels: Object.assign(new ChannelGroup(), {
      sendControl: ({ type }: TransferControl) => reported.push(type),
    }),
    clock,
  });
  return { sender, clock, chunks, encodings, reported, lose };
}

describe("the file sender", () => {
  it("reads what a receiver repeats on every channel, and no flood of requests", async () => {
    const handled = vi.spyOn(ChunkSet.prototype, "deleteRanges");
    const { sender, clock } = setUp({ write: () => new Promise(() => {}) });
    const request: TransferControl = { type: "request-content", ranges: [[0, 5]] };
    for (let copy = 0; copy < 30; copy++) sender.handleControl(request);
    expect(handled).toHaveBeenCalledTimes(30);
    for (let copy = 0; copy < 10_000; copy++) sender.handleControl(request);
    expect(handled.mock.calls.length).toBeLessThan(100);
    handled.mockClear();
    await clock.advance(1_000);
    sender.handleControl(request);
    expect(handled).toHaveBeenCalledTimes(1);
    handled.mockRestore();
  });

  it("resends requested chunks, except those confirmed since", async () => {
    const { sender, chunks } = setUp();
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await settleUntil(() => chunks.length === count);
    sender.handleControl({ type: "received", ranges: [[0, 2], 4] });
    sender.handleControl({ type: "request-content", ranges: [[1, 5]] });
    expect(sender.transferredBytes).toBe(4 * chunkSize);
    await settleUntil(() => chunks.length === count + 2);
    expect(chunks).toEqual([0, 1, 2, 3, 4, 5, 3, 5]);
    expect(sender.transferredBytes).toBe(4 * chunkSize);
    sender.handleControl({ type: "received", ranges: [3, 5] });
    expect(sender.transferredBytes).toBe(fileSize);
  });

  it("sends a read-ahead chunk once when it is requested again, and resends a started one", async () => {
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { sender, chunks } = setUp({ write: () => held });
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await settleUntil(() => chunks.length === 1);
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    goOn();
    await settleUntil(() => chunks.length === count + 1);
    expect(chunks).toEqual([0, 1, 2, 3, 4, 5, 0]);
  });

  it.each([
    ["its first chunk", 0],
    ["a chunk of the last read but one", 190],
  ])(
    "does not complete a file when %s changes before the last read, where the browser reads it all the same",
    async (_, chunk) => {
      const bytes = noise(3 * 4 * 1024 * 1024);
      const at = chunk * chunkSize;
      const source = blobSource(new Blob([bytes]));
      const changed = 1 ^ (bytes[at] ?? 0);
      vi.spyOn(source, "read").mockImplementation(async (start, end) => {
        // 192 chunks, of which the last is read alone.
        if (start === 191 * chunkSize) bytes.set([changed], at);
        return bytes.slice(start, end);
      });
      const { sender, reported } = setUp({ source });
      sender.on("report", (report) => report.type === "error" && reported.push(report.error.code));
      sender.handleControl({ type: "request-content", ranges: [[0, 191]] });
      await expect.poll(() => reported).toEqual(["source-changed"]);
    },
  );

  it("does not complete a small file that changes between its two reads, where the browser reads it all the same", async () => {
    const bytes = noise(2 * chunkSize);
    const source = blobSource(new Blob([bytes]));
    const changed = 1 ^ (bytes[0] ?? 0);
    vi.spyOn(source, "read").mockImplementation(async (start, end) => {
      const read = bytes.slice(start, end);
      bytes.set([changed], 0);
      return read;
    });
    const { sender, reported } = setUp({ source });
    sender.on("report", (report) => report.type === "error" && reported.push(report.error.code));
    sender.handleControl({ type: "request-content", ranges: [[0, 1]] });
    await expect.poll(() => reported).toEqual(["source-changed"]);
  });

  it("compares the file with its reads while its last chunk is still being sent", async () => {
    const source = blobSource(new Blob([noise(3 * 4 * 1024 * 1024)]));
    const read = vi.spyOn(source, "read");
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let written = 0;
    const { sender, reported } = setUp({ source, write: async () => (++written === 192 ? held : undefined) });
    sender.handleControl({ type: "request-content", ranges: [[0, 191]] });
    const readsOfFirst = () => read.mock.calls.filter(([start]) => start === 0).length;
    await expect.poll(readsOfFirst).toBe(2);
    expect(reported).toEqual([]);
    goOn();
    await expect.poll(() => reported).toEqual(["complete"]);
    expect(readsOfFirst()).toBe(2);
  });

  it("completes an unchanged file", async () => {
    const source = blobSource(new Blob([noise(3 * 4 * 1024 * 1024)]));
    const { sender, reported } = setUp({ source });
    sender.handleControl({ type: "request-content", ranges: [[0, 191]] });
    await expect.poll(() => reported).toEqual(["complete"]);
  });

  it("reads one chunk first, so that sending starts early, and twice as many with each read up to 4 MiB", async () => {
    const source = blobSource(new Blob([noise(3 * 4 * 1024 * 1024)]));
    const read = vi.spyOn(source, "read");
    const { sender, reported } = setUp({ source });
    sender.handleControl({ type: "request-content", ranges: [[0, 191]] });
    await expect.poll(() => reported).toEqual(["complete"]);
    const chunksRead = read.mock.calls.map(([start, end]) => (end - start) / chunkSize);
    expect(chunksRead.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 64, 1]);
  });

  it("sends a file that was never read before its request, and then only what is still missing", async () => {
    const { sender, chunks, reported } = setUp();
    sender.start();
    await expect.poll(() => reported).toEqual(["complete"]);
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await expect.poll(() => reported).toEqual(["complete", "complete"]);
    expect(chunks).toEqual([0, 1, 2, 3, 4, 5]);
    expect(sender.transferredBytes).toBe(0);
  });

  it("stops sending what the first request does not name", async () => {
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { sender, chunks, reported } = setUp({ write: () => held });
    sender.start();
    await settleUntil(() => chunks.length === 1);
    sender.handleControl({ type: "request-content", ranges: [4] });
    goOn();
    await expect.poll(() => reported).toEqual(["complete"]);
    expect(chunks).toEqual([0, 4]);
    expect(sender.transferredBytes).toBe(fileSize - chunkSize);
  });

  it("resends a chunk that is requested again between two of its blocks, and read again before its last", async () => {
    let blocks = 0;
    const { sender, chunks, reported } = setUp({
      blockSizeBytes: chunkSize / 2,
      write: async () => {
        if (++blocks > 1) return;
        sender.handleControl({ type: "request-content", ranges: [0] });
        await setTimeout(50);
      },
    });
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await expect.poll(() => reported).toEqual(["complete"]);
    expect(chunks.filter((chunk) => chunk === 0)).toHaveLength(4);
  });

  it("resends what was lost with a channel before the first request", async () => {
    const { sender, chunks, lose } = setUp();
    sender.start();
    await settleUntil(() => chunks.length === count);
    lose();
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await settleUntil(() => chunks.length === 2 * count);
    expect(chunks.slice(count)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([
    ["in this page", new Map(), new Map([[0, new Uint8Array(32)]])],
    ["before the page loaded", new Map([[0, new Uint8Array(32)]]), new Map()],
  ])("waits for a request when part of the file was sent %s", async (_, earlier, digests) => {
    const source = blobSource(new Blob([noise(fileSize)]), earlier);
    for (const [chunk, digest] of digests) source.digests.set(chunk, digest);
    const read = vi.spyOn(source, "read");
    const { sender } = setUp({ source });
    sender.start();
    await settle();
    expect(read).not.toHaveBeenCalled();
  });

  it("waits for the request with what can be compressed, as only that names the receiver's encodings", async () => {
    const source = blobSource(new Blob([new Uint8Array(fileSize)]));
    const { sender, encodings } = setUp({ source, level: 6 });
    sender.start();
    await expect.poll(() => source.digests.size).toBeGreaterThan(0);
    await settle();
    expect(encodings).toEqual([]);
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await expect.poll(() => encodings).toEqual(Array(count).fill("deflate"));
  });

  it("leaves no more than 16 MiB unconfirmed, whatever the receiver refuses or confirms meanwhile", async () => {
    const source = blobSource(new Blob([noise(20 * 1024 * 1024)]));
    const { sender, chunks } = setUp({ source });
    sender.handleControl({ type: "request-content", ranges: [[0, 319]] });
    await settleUntil(() => chunks.length === 256);
    expect(sender.transferredBytes).toBe(0);
    // It was refused; others take its place.
    sender.handleControl({ type: "request-content", ranges: [[254, 255]] });
    await settleUntil(() => chunks.length === 258);
    sender.handleControl({ type: "received", ranges: [[0, 9]] });
    await settleUntil(() => chunks.length === 268);
    expect(sender.transferredBytes).toBe(10 * chunkSize);
    await sender.close();
    expect(chunks).toHaveLength(268);
  });

  it("does not resend what is confirmed while it waits to be resent", async () => {
    const { sender, chunks, lose, reported } = setUp();
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await settleUntil(() => chunks.length === count);
    lose();
    sender.handleControl({ type: "received", ranges: [[0, 5]] });
    await expect.poll(() => reported).toEqual(["complete", "complete"]);
    expect(chunks).toHaveLength(count);
  });

  it("stops reading the file once closed", async () => {
    const source = blobSource(new Blob([noise(5 * 4 * 1024 * 1024)]));
    const { sender } = setUp({ source });
    const read = vi.spyOn(source, "read").mockImplementation(async (start, end) => {
      await sender.close();
      return new Uint8Array(end - start);
    });
    // Chunks the receiver already has are read only for the root.
    sender.handleControl({ type: "request-content", ranges: [] });
    await expect.poll(() => read.mock.calls.length).toBeGreaterThan(0);
    await settle();
    await settle();
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("ignores chunks beyond the end of the file", async () => {
    const { sender, chunks } = setUp();
    sender.handleControl({ type: "received", ranges: [[0, 6]] });
    sender.handleControl({ type: "request-content", ranges: [[0, 5]] });
    await settleUntil(() => chunks.length === count);
    expect(chunks).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

async function settleUntil(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true);
  await settle();
}
