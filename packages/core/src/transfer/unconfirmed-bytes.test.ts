import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { chunkSize, digestText, FilePeers, noise } from "../testing/file-peers.ts";
import { heldPerFileBytes } from "./held-bytes.ts";

const large = noise(heldPerFileBytes + 40 * chunkSize);

describe.each(["page", "worker"] as const)("bytes that are not confirmed, moved in a %s", (thread) => {
  let peers: FilePeers;
  /** Whether the network swallows confirmations. */
  let areLost: boolean;
  beforeEach(() => {
    peers = new FilePeers(thread);
    areLost = false;
    peers.link.channelOptions = {
      tamper: (message) =>
        areLost && typeof message === "string" && message.includes('"received"') ? null : message,
    };
  });
  afterEach(() => peers.close());

  const sentBytes = () => peers.link.pairs.reduce((bytes, { local }) => bytes + local.sentBytes, 0);

  async function standsStill(): Promise<void> {
    for (let before = -1; before < sentBytes(); ) {
      before = sentBytes();
      for (let turn = 0; turn < 10; turn++) await settle();
    }
  }

  /** Sends a file whose confirmations are lost, until the sender waits for them. */
  async function sendUnconfirmed() {
    areLost = true;
    const description = peers.offer(large);
    await peers.begin(description);
    await peers.until(() => sentBytes() > heldPerFileBytes / 2);
    await standsStill();
    expect(peers.b.library.isComplete(description.fid)).toBe(false);
    areLost = false;
    return description;
  }

  it("are not shown as done: both sides show what is stored", async () => {
    const description = await peers.beginAndStore(noise(3_000_000), 10);
    await standsStill();
    expect(sentBytes()).toBeGreaterThan(3_000_000);
    await peers.clock.advance(1_000);
    const sent = peers.a.transfers.store.getState().get(peers.sentKey(description));
    const received = peers.b.transfers.store.getState().get(peers.receivedKey(description));
    expect([sent?.transferredBytes, received?.transferredBytes]).toEqual(Array(2).fill(10 * chunkSize));
  });

  it("are at most as many as the receiver may hold, however slow its storage", async () => {
    const description = await peers.beginAndStore(large, 10);
    await standsStill();
    expect(sentBytes()).toBeGreaterThan(heldPerFileBytes);
    expect(sentBytes()).toBeLessThan((heldPerFileBytes + 11 * chunkSize) * 1.01);
    peers.b.storage.release();
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(large));
    // Nothing was refused and sent again.
    expect(sentBytes()).toBeLessThan(large.byteLength * 1.01);
  });

  it("are confirmed again after ten quiet seconds", async () => {
    const description = await sendUnconfirmed();
    await peers.until(async () => {
      await peers.clock.advance(1_000);
      return peers.b.library.isComplete(description.fid);
    });
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(large));
  });

  it("make the transfer silent once ten seconds pass, until the receiver confirms again", async () => {
    const description = await sendUnconfirmed();
    areLost = true;
    const isSilent = () => peers.a.transfers.store.getState().get(peers.sentKey(description))?.isSilent;
    await peers.clock.advance(8_000);
    expect(isSilent()).toBe(false);
    await peers.clock.advance(4_000);
    expect(isSilent()).toBe(true);
    areLost = false;
    await peers.until(async () => {
      await peers.clock.advance(1_000);
      return peers.b.library.isComplete(description.fid);
    });
    await peers.bothComplete(description);
    expect(isSilent()).toBe(false);
  });

  it("are confirmed again at once when a channel is lost, which may have carried confirmations", async () => {
    peers.options.channelsNumber = 3;
    const description = await sendUnconfirmed();
    const before = peers.clock.now();
    peers.link.pairs[0]?.cut();
    await peers.bothComplete(description);
    expect(peers.clock.now()).toBe(before);
    expect(await peers.receivedDigest(description)).toBe(digestText(large));
  });
});
