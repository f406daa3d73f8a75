import type { FileDescription } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { chunkSize, digestText, FilePeers, noise } from "../testing/file-peers.ts";
import { quietMs } from "./engine/file-receiver.ts";
import { reasonGraceMs } from "./transfer.ts";

describe.each(["page", "worker"] as const)("a transfer that is interrupted in a %s", (thread) => {
  let peers: FilePeers;
  beforeEach(() => {
    peers = new FilePeers(thread);
  });
  afterEach(() => peers.close());

  it("breaks off on both sides when all channels close and no reason follows, and fails the second time in a minute", async () => {
    const description = await peers.beginAndStore(noise(3_000_000), 2);
    const broken: string[] = [];
    for (const { transfers } of [peers.a, peers.b]) transfers.on("broken", ({ key }) => broken.push(key));
    peers.link.cut();
    await peers.clock.advance(reasonGraceMs);
    for (const [peer, key] of endsOf(peers, description)) {
      expect(peer.transfers.store.getState().get(key)?.now).toEqual({ state: "accepted" });
      expect(broken).toContain(key);
    }
    // Nothing more can be stored.
    peers.b.storage.lose();
    peers.b.storage.holdAt = 0;
    await settle();
    await peers.begin(description);
    await peers.until(() => peers.link.pairs.at(-1)?.local.readyState === "open");
    peers.link.cut();
    await peers.clock.advance(reasonGraceMs);
    const [, [, received]] = endsOf(peers, description);
    const state = peers.b.transfers.store.getState().get(received)?.now;
    expect(state).toMatchObject({ state: "failed", error: { code: "connection-closed" } });
    expect(broken).toHaveLength(2);
  });

  it("waits for a client whose connection was lost, and fetches only the missing chunks when it is back", async () => {
    const bytes = noise(3_000_000);
    const description = await peers.beginAndStore(bytes, 10);
    peers.link.cut();
    peers.a.transfers.peerLost(peers.b.id);
    peers.b.transfers.peerLost(peers.a.id);
    peers.b.storage.release();
    await peers.clock.advance(2 * reasonGraceMs);
    for (const [peer, key] of endsOf(peers, description))
      expect(peer.transfers.store.getState().get(key)?.now).toEqual({ state: "accepted" });
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
    expect(peers.b.storage.writeCount).toBe(Math.ceil(bytes.byteLength / chunkSize));
  });

  it("continues when one of several channels is lost", async () => {
    peers.options.channelsNumber = 3;
    const bytes = noise(2_000_000);
    peers.onMessage(10, () => peers.link.pairs[1]?.cut());
    const description = peers.offer(bytes);
    await peers.begin(description);
    await peers.until(async () => {
      await peers.clock.advance(1_000);
      return peers.b.library.isComplete(description.fid);
    });
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });

  it("pauses and resumes where it stopped", async () => {
    const bytes = noise(3_000_000);
    const description = await peers.beginAndStore(bytes, 5);
    peers.b.transfers.stop(peers.receivedKey(description), { state: "pausedHere" });
    peers.a.transfers.stop(peers.sentKey(description), { state: "needsSpace" });
    peers.b.storage.release();
    await peers.allClosed();
    const stopped = peers.b.storage.writeCount;
    await peers.clock.advance(30_000);
    expect(peers.b.storage.writeCount).toBe(stopped);
    expect(peers.b.transfers.store.getState().get(peers.receivedKey(description))).toMatchObject({
      now: { state: "pausedHere" },
      // All bytes may have been received and waiting for the disk when the pause reached the worker.
      transferredBytes: Math.min(stopped * chunkSize, bytes.byteLength),
    });
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
    expect(peers.b.storage.writeCount).toBe(Math.ceil(bytes.byteLength / chunkSize));
  });

  it("deletes received data when the receiver cancels, and can start again", async () => {
    const bytes = noise(3_000_000);
    const description = await peers.beginAndStore(bytes, 5);
    peers.b.transfers.drop(peers.receivedKey(description), { state: "givenUp" });
    peers.a.transfers.drop(peers.sentKey(description), { state: "givenUp" });
    peers.b.storage.release();
    await peers.until(async () => (await peers.b.storage.readDigests(description.fid)).size === 0);
    expect(peers.b.library.store.getState().get(description.fid)).toBeUndefined();
    expect(peers.a.library.isComplete(description.fid)).toBe(true);
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });

  it("deletes a paused file when it is cancelled after a reload", async () => {
    const description = await peers.beginAndStore(noise(3_000_000), 5);
    await peers.reloadReceiver();
    peers.b.transfers.drop(peers.receivedKey(description), { state: "givenUp" });
    await peers.until(async () => (await peers.b.storage.listRecords()).length === 0);
  });

  it("resumes after the receiver's tab was killed at any moment, resending little", async () => {
    const bytes = noise(2_000_000);
    const chunkCount = Math.ceil(bytes.byteLength / chunkSize);
    for (let round = 0; round < (process.env.WARREN_LONG ? 200 : 8); round++) {
      const description = peers.offer(bytes);
      const before = peers.b.storage.writeCount;
      peers.b.storage.holdAt = before + ((round * 7) % chunkCount);
      await peers.begin(description);
      await peers.until(() => peers.b.storage.writeCount >= peers.b.storage.holdAt);
      await peers.reloadReceiver();
      peers.a.transfers.peerLost(peers.b.id);
      const stored = (await peers.b.storage.readDigests(description.fid)).size;
      let wireBytes = 0;
      peers.link.channelOptions = {
        tamper: (message) => {
          wireBytes += typeof message === "string" ? 0 : message.byteLength;
          return message;
        },
      };
      await peers.begin(description);
      await peers.bothComplete(description);
      expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
      expect(wireBytes).toBeLessThan((chunkCount - stored) * chunkSize * 1.01 + 1);
      await peers.b.library.remove(description.fid);
    }
  });

  it("detects a bit flipped in storage before it resumes, and fetches that chunk again", async () => {
    const bytes = noise(2_000_000);
    const description = await peers.beginAndStore(bytes, 8);
    await peers.reloadReceiver();
    peers.a.transfers.peerLost(peers.b.id);
    const [stored] = await peers.b.storage.readDigests(description.fid);
    peers.b.storage.corrupt(description.fid, stored?.[0] ?? 0);
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });

  it("keeps the chunks when the disk is full, and resumes when there is space", async () => {
    const bytes = noise(2_000_000);
    const description = await peers.beginAndStore(bytes, 4);
    peers.b.storage.limitBytes = 0;
    peers.b.storage.release();
    const state = await peers.reaches(peers.b, peers.receivedKey(description), "needsSpace");
    expect(state).toEqual({ state: "needsSpace" });
    const stored = (await peers.b.storage.readDigests(description.fid)).size;
    expect(stored).toBe(4);
    peers.b.storage.limitBytes = 10_000_000;
    peers.a.transfers.stop(peers.sentKey(description), { state: "pausedThere" });
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });

  it("requests missing chunks again after ten quiet seconds", async () => {
    let swallowed = 0;
    peers.link.channelOptions = {
      tamper: (message) => (typeof message !== "string" && swallowed++ < 3 ? null : message),
    };
    const bytes = noise(500_000);
    const description = peers.offer(bytes);
    await peers.begin(description);
    await peers.until(() => peers.b.storage.writeCount >= 5);
    await settle();
    expect(peers.b.library.isComplete(description.fid)).toBe(false);
    await peers.clock.advance(quietMs + 1_000);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  });
});

function endsOf(peers: FilePeers, description: FileDescription) {
  return [
    [peers.a, peers.sentKey(description)],
    [peers.b, peers.receivedKey(description)],
  ] as const;
}
