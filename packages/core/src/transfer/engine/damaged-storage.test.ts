import { encodeBlock, indexesOf, type TransferControl, WarrenError } from "@warren/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { chunkDigestOf, digestOf, rootOf } from "../../files/digests/digests.ts";
import { FileLibrary } from "../../files/file-library.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { digestText, noise, openReceived } from "../../testing/file-peers.ts";
import { MemoryFileStorage } from "../../testing/memory-file-storage.ts";
import { ChannelGroup } from "./channel-group.ts";
import { FileReceiver, quietMs } from "./file-receiver.ts";

const peer = "00000000-0000-4000-8000-00000000000a";
const chunkSize = 16 * 1024;
const chunkCount = 6;
const storedCount = 4;
const bytes = noise(chunkCount * chunkSize - 5);
const description = {
  ...{ fid: "damaged-file", fileName: "a", fileSize: bytes.byteLength },
  ...{ mimeType: "", lastModified: 0, chunkSize },
};
const chunks = Array.from({ length: chunkCount }, (_, chunk) =>
  bytes.slice(chunk * chunkSize, (chunk + 1) * chunkSize),
);
const leaves = await Promise.all(chunks.map(digestOf));
const chunkDigests = leaves.map((leaf, chunk) => chunkDigestOf(chunk, leaf));
const root = await rootOf(description, leaves);

/** Storage as left by a page that was closed in the middle of a transfer. */
async function storageWithSome(): Promise<MemoryFileStorage> {
  const storage = new MemoryFileStorage();
  const file = await openReceived(new FileLibrary({ storage, clock: new FakeClock() }), description, peer);
  for (const [chunk, original] of chunks.slice(0, storedCount).entries())
    await file.write(chunk, original, leaves[chunk] ?? expect.fail());
  await file.close();
  return storage;
}

/** Resumes the file after a reload from a sender that has it. @returns the requested chunks. */
async function resume(storage: MemoryFileStorage): Promise<{ asked: number[]; digest: string | null }> {
  const clock = new FakeClock();
  const library = new FileLibrary({ storage, clock });
  await library.load();
  const file = await openReceived(library, description, peer);
  const asked: number[] = [];
  const sendControl = (control: TransferControl) => {
    if (control.type !== "request-content") return;
    for (const chunk of indexesOf(control.ranges)) asked.push(chunk);
    queueMicrotask(() => {
      for (const chunk of indexesOf(control.ranges)) receiver.handleBlock(blockOf(chunk));
      receiver.handleControl({ type: "complete", root });
    });
  };
  const receiver = new FileReceiver({
    file,
    clock,
    channels: Object.assign(new ChannelGroup(), { sendControl }),
  });
  await new Promise<void>((resolve, reject) => {
    receiver.on("report", (report) => {
      if (report.type === "complete") resolve();
      if (report.type === "error") reject(new WarrenError(report.error.code, report.error.values));
    });
    receiver.start();
  });
  await receiver.close();
  const whole = await library.open(description.fid);
  return { asked, digest: whole && digestText(new Uint8Array(await whole.arrayBuffer())) };
}

function blockOf(chunk: number): Uint8Array {
  const data = chunks[chunk] ?? expect.fail();
  const digest = chunkDigests[chunk] ?? null;
  return encodeBlock({ chunk, block: 0, last: true, encoding: "plain", digest, data });
}

it("detects any flipped bit in storage, requests only that chunk, and never completes a damaged file", async () => {
  const flip = fc.record({ chunk: fc.nat(storedCount - 1), bit: fc.nat(8 * chunkSize - 1) });
  await fc.assert(
    fc.asyncProperty(flip, async ({ chunk, bit }) => {
      const storage = await storageWithSome();
      storage.corrupt(description.fid, chunk, bit);
      const { asked, digest } = await resume(storage);
      expect(asked.sort((a, b) => a - b)).toEqual([chunk, storedCount, storedCount + 1]);
      expect(digest).toBe(digestText(bytes));
    }),
    { numRuns: process.env.WARREN_LONG === "1" ? 1_000 : 100 },
  );
}, 600_000);

it("does not confirm stored chunks before they are compared, as they would not be sent again", async () => {
  const storage = await storageWithSome();
  const clock = new FakeClock();
  const library = new FileLibrary({ storage, clock });
  await library.load();
  const file = await openReceived(library, description, peer);
  storage.before = (operation) => (operation === "read" ? new Promise(() => {}) : Promise.resolve());
  const confirmed: number[] = [];
  const sendControl = (control: TransferControl) => {
    if (control.type === "received") confirmed.push(...indexesOf(control.ranges));
  };
  const channels = Object.assign(new ChannelGroup(), { sendControl });
  const receiver = new FileReceiver({ file, clock, channels });
  receiver.start();
  receiver.handleBlock(blockOf(storedCount));
  await expect.poll(() => file.stored.count).toBe(storedCount + 1);
  await clock.advance(quietMs + 5_000);
  expect(new Set(confirmed)).toEqual(new Set([storedCount]));
  await receiver.close();
});
