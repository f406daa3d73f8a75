import { deflateRawSync } from "node:zlib";
import {
  type ChunkEncoding,
  chunkCountOf,
  encodeBlock,
  indexesOf,
  type TransferControl,
} from "@warren/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkDigestOf, digestOf, rootOf } from "../../files/digests/digests.ts";
import { FileLibrary } from "../../files/file-library.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { digestText, noise, openReceived } from "../../testing/file-peers.ts";
import { MemoryFileStorage } from "../../testing/memory-file-storage.ts";
import { createZstd } from "../../testing/zstd-module.ts";
import { ChannelGroup } from "./channel-group.ts";
import { FileReceiver, type FileReceiverDeps, quietMs } from "./file-receiver.ts";

const peer = "00000000-0000-4000-8000-00000000000a";
const chunkSize = 16 * 1024;
const fid = "reassembled-file";

const zstd = createZstd();

/** A file and its blocks, with some chunks deflated and some as zstd, cut as any sender may cut them. */
async function createSending(fileSize: number, blockSize: number) {
  const bytes = noise(fileSize, fileSize + 1);
  const count = chunkCountOf(fileSize, chunkSize);
  for (let chunk = 0; chunk < count; chunk += 3)
    bytes.fill(chunk, chunk * chunkSize, (chunk + 1) * chunkSize);
  const chunks = Array.from({ length: count }, (_, chunk) =>
    bytes.subarray(chunk * chunkSize, (chunk + 1) * chunkSize),
  );
  const leaves = await Promise.all(chunks.map(digestOf));
  const chunkDigests = leaves.map((leaf, chunk) => chunkDigestOf(chunk, leaf));
  const frames = await Promise.all(chunks.map((original) => zstd.compress(original, 1)));
  const blocks = chunks.map((original, chunk) => {
    const frame = chunk % 6 === 0 ? frames[chunk] : null;
    const small = frame ?? new Uint8Array(deflateRawSync(original));
    const isSmall = small.byteLength < original.byteLength;
    const data = isSmall ? small : original;
    const encoding: ChunkEncoding = !isSmall ? "plain" : frame ? "zstd" : "deflate";
    const blockCount = Math.ceil(data.byteLength / blockSize);
    return Array.from({ length: blockCount }, (_, block) =>
      encodeBlock({
        chunk,
        block,
        last: block === blockCount - 1,
        encoding,
        digest: block === blockCount - 1 ? (chunkDigests[chunk] ?? null) : null,
        data: data.subarray(block * blockSize, (block + 1) * blockSize),
      }),
    );
  });
  const description = {
    fid,
    fileName: "a",
    fileSize,
    mimeType: "",
    lastModified: 0,
    chunkSize,
  };
  return { bytes, description, blocks, root: await rootOf(description, leaves) };
}

async function createReceiving(
  description: Awaited<ReturnType<typeof createSending>>["description"],
  parts: Pick<FileReceiverDeps, "heldQuotas" | "zstd"> = { zstd },
) {
  const clock = new FakeClock();
  const storage = new MemoryFileStorage();
  const library = new FileLibrary({ storage, clock });
  const file = await openReceived(library, description, peer);
  const sent: TransferControl[] = [];
  const confirmed: number[] = [];
  const sendControl = (control: TransferControl) => {
    if (control.type === "received") confirmed.push(...indexesOf(control.ranges));
    else sent.push(control);
  };
  const receiver = new FileReceiver({
    ...{ file, clock, ...parts },
    channels: Object.assign(new ChannelGroup(), { sendControl }),
  });
  const outcome: { error: string | null; complete: boolean } = { error: null, complete: false };
  receiver.on("report", (report) => {
    if (report.type === "error") outcome.error = report.error.code;
    if (report.type === "complete") outcome.complete = true;
  });
  const until = async (look: () => boolean) => {
    const deadline = performance.now() + 20_000;
    while (!look() && performance.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
    expect(look()).toBe(true);
  };
  return { clock, storage, library, file, receiver, sent, confirmed, outcome, until };
}

/** An event for the blocks in flight; numbers select a block of the round. */
const fate = fc.record({
  keep: fc.integer({ min: 0, max: 9 }),
  copies: fc.constantFrom(1, 1, 1, 2),
  order: fc.nat(),
});

describe("the file receiver", () => {
  it("sends nothing, and ends when the other side repeatedly requests chunks", async () => {
    const { description } = await createSending(3 * chunkSize, 8_192);
    const { receiver, file, sent, outcome } = await createReceiving(description);
    receiver.start();
    const asked = sent.length;
    for (let time = 0; time < 20; time++) receiver.handleControl({ type: "request-content", ranges: [0] });
    expect(outcome.error).toBeNull();
    receiver.handleControl({ type: "request-content", ranges: [0] });
    expect(outcome.error).toBe("transferer-not-sending");
    expect(sent).toHaveLength(asked);
    await file.close();
  });

  const runs = process.env.WARREN_LONG ? 10_000 : 100;

  it("completes the file for any order, duplicates and losses of blocks, requesting exactly the missing chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 * chunkSize }),
        fc.integer({ min: 4_096, max: 20_000 }),
        fc.array(fate, { minLength: 20, maxLength: 200 }),
        async (fileSize, blockSize, fates) => {
          const { bytes, description, blocks, root } = await createSending(fileSize, blockSize);
          const { clock, library, file, receiver, sent, outcome, until } = await createReceiving(description);
          receiver.start();
          const whole = new Set<number>();
          for (let round = 0; !outcome.complete && round < 12; round++) {
            const asked = sent.at(-1);
            if (asked?.type !== "request-content") throw new Error("nothing was asked");
            const missing = blocks.map((_, chunk) => chunk).filter((chunk) => !whole.has(chunk));
            expect([...indexesOf(asked.ranges)]).toEqual(missing);
            const arriving = schedule(
              missing.flatMap((chunk) => blocks[chunk] ?? []),
              fates,
              round,
            );
            for (const message of arriving) receiver.handleBlock(message.slice());
            receiver.handleControl({ type: "complete", root });
            const arrived = new Set(arriving);
            for (const chunk of missing)
              if (blocks[chunk]?.every((block) => arrived.has(block))) whole.add(chunk);
            await until(() => file.stored.count === whole.size);
            if (whole.size === blocks.length) await until(() => outcome.complete);
            else await clock.advance(quietMs);
          }
          expect(outcome).toEqual({ error: null, complete: true });
          expect(sent.at(-1)).toEqual({ type: "complete", root });
          await receiver.close();
          expect(await digestOfFile(library)).toBe(digestText(bytes));
          expect(clock.timerCount).toBe(0);
        },
      ),
      { numRuns: runs },
    );
  }, 1_800_000);

  it("never stores wrong bytes, whichever bit flips in flight", async () => {
    const { bytes, description, blocks, root } = await createSending(6 * chunkSize, 5_000);
    const messages = blocks.flat();
    const flip = fc.record({ message: fc.nat(messages.length - 1), bit: fc.nat(8 * 5_000) });
    await fc.assert(
      fc.asyncProperty(flip, async ({ message, bit }) => {
        const { clock, library, receiver, sent, outcome } = await createReceiving(description);
        receiver.start();
        messages.forEach((block, index) => {
          const arriving = block.slice();
          const at = (bit >> 3) % arriving.byteLength;
          if (index === message) arriving[at] = (arriving[at] ?? 0) ^ (1 << (bit & 7));
          receiver.handleBlock(arriving);
        });
        receiver.handleControl({ type: "complete", root });
        let served = 1;
        const deadline = performance.now() + 30_000;
        while (!outcome.complete && performance.now() < deadline) {
          // Check repeatedly: a chunk whose digest is still being computed is not missing yet.
          await clock.advance(quietMs);
          for (; served < sent.length; served++) {
            const asked = sent[served];
            if (asked?.type !== "request-content") continue;
            for (const chunk of indexesOf(asked.ranges))
              for (const block of blocks[chunk] ?? []) receiver.handleBlock(block.slice());
          }
        }
        expect(outcome).toEqual({ error: null, complete: true });
        await receiver.close();
        expect(await digestOfFile(library)).toBe(digestText(bytes));
      }),
      // A chunk under another chunk's number, which a digest of its bytes alone would not detect.
      { numRuns: process.env.WARREN_LONG ? 1_000 : 100, examples: [[{ message: 0, bit: 24 }]] },
    );
  }, 600_000);

  it("takes a block that comes before the channel is reported as open, and requests the rest", async () => {
    const { description, blocks, root } = await createSending(chunkSize * 2, 4_096);
    const { receiver, sent, outcome, until } = await createReceiving(description);
    for (const block of blocks.flat()) receiver.handleBlock(block.slice());
    expect(sent.map(({ type }) => type)).toEqual(["request-content"]);
    receiver.handleControl({ type: "complete", root });
    await until(() => outcome.complete);
  });

  it("gives up on a sender of malformed messages", async () => {
    const { description } = await createSending(6 * chunkSize, 5_000);
    const { receiver, outcome } = await createReceiving(description);
    receiver.start();
    for (let n = 0; n < 21; n++) receiver.handleBlock(noise(50, n + 1));
    expect(outcome.error).toBe("block-invalid");
    await receiver.close();
  });

  it.each([
    ["is a bomb", new Uint8Array(1 << 20), zstd],
    ["is shorter than it must be", new Uint8Array(1_000), zstd],
    ["follows no format", null, zstd],
    ["was not asked for", new Uint8Array(chunkSize), undefined],
  ])("asks three times for a chunk whose zstd %s, and then gives up", async (_, held, reads) => {
    const { description } = await createSending(chunkSize, 8_192);
    const { receiver, sent, outcome, until } = await createReceiving(description, { zstd: reads });
    const data = held ? await zstd.compress(held, 1) : noise(500);
    if (!data) throw new Error("not compressed");
    receiver.start();
    const block = encodeBlock({ chunk: 0, block: 0, last: true, encoding: "zstd", digest: null, data });
    for (let time = 1; time <= 3; time++) {
      expect(sent).toHaveLength(time);
      receiver.handleBlock(block.slice());
      await until(() => sent.length > time || outcome.error !== null);
    }
    expect(outcome.error).toBe("chunk-verification-failed");
    const asked = { type: "request-content", ranges: [0], ...(reads && { encodings: ["zstd"] }) };
    expect(sent.slice(1)).toEqual([asked, asked]);
    await receiver.close();
  });

  it.each([
    { share: "more than a file may hold", shareBytes: 32 << 20, held: 16 },
    { share: "less than that", shareBytes: 8 << 20, held: 8 },
    { share: "not even a chunk", shareBytes: 1, held: 2 },
  ])(
    "turns chunks away while storage is behind with a share of $share, and asks for them later",
    async ({ shareBytes, held }) => {
      const description = {
        fid: "larger-file",
        fileName: "a",
        fileSize: 20 << 20,
        mimeType: "",
        lastModified: 0,
        chunkSize: 1 << 20,
      };
      const { receiver, sent, file, until } = await createReceiving(description, {
        heldQuotas: { join: () => ({ bytes: () => shareBytes, leave: () => {} }) },
      });
      let release = () => {};
      const behind = new Promise<void>((resolve) => {
        release = resolve;
      });
      const write = file.write.bind(file);
      file.write = async (...chunk) => {
        await behind;
        await write(...chunk);
      };
      receiver.start();
      const whole = noise(1 << 20);
      for (let chunk = 0; chunk < 20; chunk++)
        for (let block = 0; block < 16; block++) {
          const data = whole.subarray(block << 16, (block + 1) << 16);
          receiver.handleBlock(
            encodeBlock({ chunk, block, last: block === 15, encoding: "plain", digest: null, data }),
          );
        }
      expect(sent).toHaveLength(1);
      release();
      await until(() => sent.length === 2);
      expect(sent[1]).toEqual({ type: "request-content", ranges: [[held, 19]] });
      await until(() => file.stored.count === held);
      await receiver.close();
    },
  );
});

async function digestOfFile(library: FileLibrary): Promise<string | null> {
  const file = await library.open(fid);
  return file && digestText(new Uint8Array(await file.arrayBuffer()));
}

/** The blocks of a round that arrive, in order: `keep` 0 loses one; more rounds lose less. */
function schedule<T>(
  blocks: readonly T[],
  fates: readonly { keep: number; copies: number; order: number }[],
  round: number,
): T[] {
  const fateOf = (index: number) =>
    fates[(index * 7 + round * 13) % fates.length] ?? { keep: 1, copies: 1, order: 0 };
  return blocks
    .flatMap((block, index) => {
      const { keep, copies, order } = fateOf(index);
      if (keep === 0 && round < 8) return [];
      return Array.from({ length: copies }, (_, copy) => ({
        block,
        at: (order * (copy + 1)) % (blocks.length * 2),
      }));
    })
    .sort((a, b) => a.at - b.at)
    .map(({ block }) => block);
}
