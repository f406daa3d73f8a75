import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { blobSource } from "../files/file-source.ts";
import { everyone } from "../messages/message.ts";
import { chunkSize, FilePeers, noise } from "../testing/file-peers.ts";
import { TestWorld } from "../testing/test-world.ts";

describe("four transfers to one client", () => {
  let peers: FilePeers;
  beforeEach(() => {
    peers = new FilePeers();
  });
  afterEach(() => peers.close());

  it("share the connection: none gets less than half of another", async () => {
    const files = [1, 2, 3, 4].map((seed) => peers.offer(noise(24 * chunkSize, seed)));
    const carried = new Map(files.map(({ fid }) => [`${fid}-0`, 0]));
    peers.link.channelOptions = {
      turnBytes: 16 * 1024,
      tamper: (message, label) => {
        if (typeof message !== "string") carried.set(label, (carried.get(label) ?? 0) + message.byteLength);
        return message;
      },
    };
    for (const file of files) await peers.begin(file);
    const shares: number[] = [];
    for (const part of [0.25, 0.5, 0.9]) {
      await peers.until(() => Math.max(...carried.values()) >= part * 24 * chunkSize);
      shares.push(Math.min(...carried.values()) / Math.max(...carried.values()));
    }
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.5);
    for (const file of files) await peers.bothComplete(file);
  });
});

describe("one file sent to several", () => {
  const mib = 1024 * 1024;

  it("is read once for receivers at the same position", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(noor, mara);
    await world.untilMet(noor, jun);
    // The copy is read separately, in slices of the same size.
    mara.warren.settings.set("keepSentFiles", false);
    const reads = vi.spyOn(Blob.prototype, "slice");
    await mara.warren.chat.sendFile(everyone, new File([noise(12 * mib)], "reel.bin"));
    const receivers = [jun, noor];
    await world.until(() => receivers.every((receiver) => receiver.messages(everyone).length === 1));
    // In step: who begins later would read what is not kept any more.
    await Promise.all(
      receivers.map((receiver) => {
        const [offer = expect.fail()] = receiver.messages(everyone);
        return receiver.warren.chat.acceptFile(offer.key);
      }),
    );
    await mara.untilMessages(everyone, ([message]) =>
      message?.type === "file"
        ? Object.values(message.offers).every(({ state }) => state === "complete")
        : false,
    );
    const slices = reads.mock.calls.map(([start = 0, end = 0]) => [start, end] as const);
    // After reads of half a MiB, one and two. Each sender compares other parts with what it read.
    const starts = slices.filter(([start, end]) => end - start === 4 * mib).map(([start]) => start);
    expect(starts.filter((start) => start === 3.5 * mib || start === 7.5 * mib)).toHaveLength(2);
  });

  it("keeps only recent reads, and only while several transfers send it", async () => {
    const blob = new Blob([new Uint8Array(12 * mib)]);
    const reads = vi.spyOn(blob, "slice");
    const source = blobSource(blob);
    const leave = source.join();
    const readAll = async () => {
      for (let start = 0; start < 12 * mib; start += 2 * mib) await source.read(start, start + 2 * mib);
    };
    await source.read(0, mib);
    await source.read(0, mib);
    expect(reads).toHaveBeenCalledTimes(2);
    const leaveToo = source.join();
    const [first, again] = await Promise.all([source.read(0, mib), source.read(0, mib)]);
    expect(again === first).toBe(true);
    expect(reads).toHaveBeenCalledTimes(3);
    await readAll();
    await source.read(0, 2 * mib);
    expect(reads).toHaveBeenCalledTimes(3 + 6 + 1);
    leaveToo();
    leaveToo();
    await source.read(10 * mib, 12 * mib);
    expect(reads).toHaveBeenCalledTimes(3 + 6 + 1 + 1);
    leave();
  });
});
