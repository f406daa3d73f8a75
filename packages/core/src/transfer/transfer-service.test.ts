import { WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChannelMessage } from "../testing/fake-data-channel.ts";
import { chunkSize, digestText, FilePeers, fileOf, noise } from "../testing/file-peers.ts";

describe.each(["page", "worker"] as const)("passing a file in a %s", (thread) => {
  let peers: FilePeers;
  beforeEach(() => {
    peers = new FilePeers(thread);
  });
  afterEach(() => peers.close());

  it.each([
    ["an empty file", 0],
    ["one byte", 1],
    ["less than a chunk", 40_000],
    ["exactly two chunks", 2 * chunkSize],
    ["two chunks and a byte", 2 * chunkSize + 1],
    ["many slices", 5_000_000],
  ])("delivers %s byte for byte, verified", async (_what, sizeBytes) => {
    const bytes = noise(sizeBytes);
    const description = peers.offer(bytes);
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
    const file = await peers.b.library.open(description.fid);
    expect(file?.name).toBe("noise.bin");
    expect(file?.lastModified).toBe(1_600_000_000_000);
    expect(peers.b.transfers.store.getState().get(peers.receivedKey(description))).toMatchObject({
      now: { state: "complete" },
      transferredBytes: sizeBytes,
      bytesPerSecond: null,
    });
  });

  it("delivers compressible data, deflated on the way", async () => {
    const bytes = new TextEncoder().encode("the same line again and again\n".repeat(20_000));
    let wireBytes = 0;
    peers.link.channelOptions = {
      tamper: (message) => {
        wireBytes += typeof message === "string" ? 0 : message.byteLength;
        return message;
      },
    };
    const description = peers.offer(bytes, "list.txt", "text/plain");
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
    expect(wireBytes).toBeLessThan(bytes.byteLength / 10);
  });

  it("reports frames that break the protocol, at either end", async () => {
    const issues: (readonly [string, string])[] = [];
    for (const { transfers } of [peers.a, peers.b])
      transfers.on("violation", (peer, issue) => issues.push([peer, issue]));
    const breakRules = () => {
      const [pair = expect.fail()] = peers.link.pairs;
      pair.local.send("{");
      pair.local.send(new Uint8Array(3));
      pair.remote.send(new Uint8Array(3));
    };
    const stop = peers.b.transfers.on("state", (_transfer, { state }) => {
      if (state !== "running") return;
      stop();
      breakRules();
    });
    const description = await peers.beginAndStore(noise(3_000_000), 2);
    await peers.until(() => issues.length === 3);
    expect(issues).toEqual(
      expect.arrayContaining([
        [peers.a.id, "frame-not-json"],
        [peers.a.id, "block-invalid"],
        [peers.b.id, "block to the sender of a file"],
      ]),
    );
    peers.b.storage.release();
    await peers.bothComplete(description);
  });

  it("uses as many channels as the option specifies, unordered, and closes them at the end", async () => {
    peers.options.channelsNumber = 4;
    const description = peers.offer(noise(1_500_000));
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(peers.link.pairs.map(({ local }) => [local.label, local.ordered])).toEqual(
      [0, 1, 2, 3].map((n) => [`${description.fid}-${n}`, false]),
    );
    await peers.allClosed();
  });

  it("reports each status once, in order", async () => {
    const description = peers.offer(noise(300_000));
    await peers.begin(description);
    await peers.bothComplete(description);
    const expected = [{ state: "opening" }, { state: "running" }, { state: "complete" }];
    expect(peers.a.states.get(peers.sentKey(description))).toEqual(expected);
    expect(peers.b.states.get(peers.receivedKey(description))).toEqual(expected);
  });

  it("joins a transfer of the same file to the same client", async () => {
    const description = peers.offer(noise(1_000_000));
    await peers.begin(description);
    await peers.begin(description);
    peers.a.transfers.send(peers.b.id, description);
    await peers.bothComplete(description);
    expect(peers.link.pairs).toHaveLength(1);
  });

  it("sends nothing if the receiver already holds the whole file", async () => {
    const bytes = noise(500_000);
    const description = peers.offer(bytes);
    await peers.begin(description);
    await peers.bothComplete(description);
    const written = peers.b.storage.writeCount;
    await peers.reloadReceiver();
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(peers.b.storage.writeCount).toBe(written);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });

  it("fetches a chunk damaged on the way again", async () => {
    let damaged = 0;
    peers.link.channelOptions = {
      tamper: (message) => {
        if (typeof message !== "string" && damaged < 2 && message.byteLength > 10_000) {
          damaged++;
          const bytes = new Uint8Array(message);
          bytes[5_000] = (bytes[5_000] ?? 0) ^ 4;
        }
        return message;
      },
    };
    const bytes = noise(400_000);
    const description = peers.offer(bytes);
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(damaged).toBe(2);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });

  it("gives up on a chunk that is wrong three times, and keeps the correct chunks", async () => {
    peers.link.channelOptions = { tamper: (message) => flipIn(message, 2) };
    const description = peers.offer(noise(400_000));
    await peers.begin(description);
    const state = await peers.reaches(peers.b, peers.receivedKey(description), "failed");
    expect(state).toMatchObject({ error: { code: "chunk-verification-failed", values: { chunk: 2 } } });
    expect(await peers.b.library.open(description.fid)).toBeNull();
    const stored = await peers.b.storage.readDigests(description.fid);
    expect(stored.has(2)).toBe(false);
    expect(stored.size).toBeGreaterThan(0);
  });

  it("does not complete a file with a wrong root, and deletes its bytes", async () => {
    peers.link.channelOptions = {
      tamper: (message) =>
        typeof message === "string"
          ? message.replace(/"root":"./, (start) => (start.endsWith("0") ? '"root":"1' : '"root":"0'))
          : message,
    };
    const description = peers.offer(noise(200_000));
    await peers.begin(description);
    const state = await peers.reaches(peers.b, peers.receivedKey(description), "failed");
    expect(state).toMatchObject({ error: { code: "root-verification-failed" } });
    await peers.until(() => !peers.b.library.store.getState().get(description.fid));
    expect((await peers.b.storage.readDigests(description.fid)).size).toBe(0);
  });

  it("ends with source-changed when the file changes while it is sent", async () => {
    const file = fileOf(noise(3_000_000));
    const description = peers.a.library.addSource(file, chunkSize);
    peers.onMessage(10, () => Object.defineProperty(file, "lastModified", { value: 1 }));
    await peers.begin(description);
    const state = await peers.reaches(peers.a, peers.sentKey(description), "failed");
    expect(state).toMatchObject({ error: { code: "source-changed" } });
    const error = new WarrenError("source-changed").describe();
    peers.b.transfers.stop(peers.receivedKey(description), { state: "failed", error });
    await peers.reaches(peers.b, peers.receivedKey(description), "failed");
    expect(await peers.b.library.open(description.fid)).toBeNull();
  });

  it("starts nothing once closed", async () => {
    const description = peers.offer(noise(10));
    await peers.a.transfers.close();
    expect(() => peers.a.transfers.send(peers.b.id, description)).toThrow("transferer is closed");
  });

  it("ends with source-changed when a chunk is read again and differs", async () => {
    const bytes = noise(200_000);
    let blob = fileOf(bytes);
    const file = fileOf(bytes);
    file.slice = (...range) => blob.slice(...range);
    const description = peers.a.library.addSource(file, chunkSize);
    await peers.begin(description);
    await peers.bothComplete(description);
    await peers.b.library.remove(description.fid);
    blob = fileOf(noise(200_000, 2));
    await peers.begin(description);
    const state = await peers.reaches(peers.a, peers.sentKey(description), "failed");
    expect(state).toMatchObject({ error: { code: "source-changed" } });
  });
});

/** Flips a bit in every block of one chunk. */
function flipIn(message: ChannelMessage, chunk: number): ChannelMessage {
  if (typeof message === "string" || new DataView(message).getUint32(0) !== chunk) return message;
  const bytes = new Uint8Array(message);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  return message;
}
