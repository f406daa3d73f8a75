import { encodeBlock, indexesOf, type TransferControl } from "@warren/protocol";
import { expect, it } from "vitest";
import { chunkDigestOf, digestOf, rootOf } from "../../files/digests/digests.ts";
import type { ReceivedFile } from "../../files/received-file.ts";
import { StallWatch } from "../../shared/stall-watch.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { ChannelGroup } from "./channel-group.ts";
import { FileReceiver } from "./file-receiver.ts";

const chunkSize = 512 * 1024;
const blockSize = 64 * 1024;
const blocksPerChunk = chunkSize / blockSize;
const chunkCount = 240;
const original = new Uint8Array(chunkSize);

/** Sends a file of identical chunks; returns the number of sent blocks and quiet periods. */
async function sendOver({ connections, blocksPerWrite }: { connections: number; blocksPerWrite: number }) {
  const leaf = await digestOf(original);
  const description = {
    fid: "slow-storage-file",
    fileName: "a",
    fileSize: chunkCount * chunkSize,
    mimeType: "",
    lastModified: 0,
    chunkSize,
  };
  const root = await rootOf(description, Array(chunkCount).fill(leaf));
  const clock = new FakeClock();
  const writing: (() => void)[] = [];
  const file: Partial<ReceivedFile> = {
    description,
    stored: { size: chunkCount } as ReceivedFile["stored"],
    digests: new Map(),
    unchecked: new Set(),
    findDamaged: async function* () {},
    storedBytes: 0,
    write: () => new Promise((resolve) => writing.push(resolve)),
    finish: async () => {},
    close: async () => {},
    watch: new StallWatch(clock),
  };
  const asked = new Set<number>();
  const receiver = new FileReceiver({
    file: file as ReceivedFile,
    clock,
    channels: Object.assign(new ChannelGroup(), {
      sendControl: (control: TransferControl) => {
        if (control.type === "request-content")
          for (const chunk of indexesOf(control.ranges)) asked.add(chunk);
      },
    }),
  });
  let isDone = false;
  receiver.on("report", ({ type }) => (isDone ||= type === "complete"));
  receiver.start();

  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const onTheWay: { chunk: number; block: number }[] = [];
  const told = { sentBlocks: 0, quietPeriods: 0 };
  /** The connections deliver blocks interleaved, not in order. */
  const nextOf = () => onTheWay.splice(told.sentBlocks % Math.min(onTheWay.length, connections * 2), 1)[0];
  while (!isDone && told.quietPeriods < 10) {
    for (const chunk of asked) {
      if (onTheWay.length >= connections * blocksPerChunk) break;
      asked.delete(chunk);
      for (let block = 0; block < blocksPerChunk; block++) onTheWay.push({ chunk, block });
    }
    const next = nextOf();
    if (next) {
      const last = next.block === blocksPerChunk - 1;
      const digest = last ? chunkDigestOf(next.chunk, leaf) : null;
      const data = original.subarray(0, blockSize);
      receiver.handleBlock(encodeBlock({ ...next, last, encoding: "plain", digest, data }));
      if (++told.sentBlocks % blocksPerWrite === 0) writing.shift()?.();
      await turn();
      continue;
    }
    receiver.handleControl({ type: "complete", root });
    // Digests take time: a period is quiet when all received chunks are stored and no request follows.
    const isBusy = () => !isDone && asked.size === 0;
    for (let waited = 0; waited < 100 && isBusy(); waited++) {
      if (writing.length > 0) waited = 0;
      writing.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    if (!isBusy()) continue;
    told.quietPeriods++;
    await clock.advance(16_000);
  }
  await receiver.close();
  return told;
}

it.each([
  ["one and a half times", 12],
  ["three times", 24],
])("a storage %s as slow as the wire holds a file up no longer than that", async (_times, blocksPerWrite) => {
  const told = await sendOver({ connections: 8, blocksPerWrite });
  expect(told.quietPeriods).toBe(0);
  expect(told.sentBlocks).toBeLessThan(1.5 * blocksPerWrite * chunkCount);
});
