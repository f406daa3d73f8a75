import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FakeChannelPair } from "../testing/fake-data-channel.ts";
import { chunkSize, digestText, FilePeers, noise } from "../testing/file-peers.ts";
import { queueLimitBytes } from "./engine/channel-writer.ts";
import { fileIdOfLabel } from "./transfer-channels.ts";

const sentBytes = (pairs: readonly FakeChannelPair[]) =>
  pairs.reduce((bytes, { local }) => bytes + local.sentBytes, 0);

describe.each(["page", "worker"] as const)("a file on lanes, moved in a %s", (thread) => {
  const bytes = noise(6_000_000);
  let peers: FilePeers;
  let messages: number;
  /** Called as the nth message arrives. */
  let happening: (message: number) => void;
  beforeEach(() => {
    peers = new FilePeers(thread);
    messages = 0;
    happening = () => {};
    peers.link.channelOptions = {
      // Slower than a sender reads, so that queues fill.
      later: (turn) => setTimeout(turn, 1),
      tamper: (message) => {
        messages++;
        happening(messages);
        return message;
      },
    };
  });
  afterEach(() => peers.close());

  /** Sends the file, and does something to the lanes as the nth of some 190 messages arrives. */
  async function sendAround(run: () => void, n = 60): Promise<void> {
    happening = (message) => {
      if (message === n) run();
    };
    await sendWhole();
  }

  async function sendWhole(): Promise<void> {
    const description = peers.offer(bytes);
    await peers.begin(description);
    await peers.bothComplete(description);
    expect(await peers.receivedDigest(description)).toBe(digestText(bytes));
  }

  it("is spread over the session's connection and every lane, including later ones", async () => {
    const lanes = ["lane-number-1", "lane-number-2"].map((id) => peers.link.openLane(id));
    await sendAround(() => lanes.push(peers.link.openLane("lane-number-3")));
    for (const lane of lanes) {
      expect(lane.pairs).toHaveLength(1);
      // The distribution depends on the scheduler.
      expect(sentBytes(lane.pairs)).toBeGreaterThan(2 * chunkSize);
    }
    expect(peers.link.pairs[0]?.local.sentBytes).toBeGreaterThan(2 * chunkSize);
    expect(sentBytes(peers.link.pairs)).toBeLessThan(bytes.byteLength * 1.02);
  });

  it("loses nothing when a lane dies: unconfirmed chunks are sent over the others, without a pause", async () => {
    const lane = peers.link.openLane("lane-number-1");
    peers.link.openLane("lane-number-2");
    const before = peers.clock.now();
    await sendAround(() => lane.lose());
    // No receiver had to detect a loss by timeout.
    expect(peers.clock.now()).toBe(before);
    expect(sentBytes(lane.pairs)).toBeGreaterThan(0);
  });

  it("resends little of the data sent on a lane that dies", async () => {
    const lane = peers.link.openLane("lane-number-1");
    peers.link.openLane("lane-number-2");
    await sendAround(() => lane.lose(), 150);
    expect(sentBytes(peers.link.pairs)).toBeLessThan(bytes.byteLength * 1.25);
  });

  it("continues when every lane dies, and on a lane that reopens", async () => {
    const lanes = ["lane-number-1", "lane-number-2"].map((id) => peers.link.openLane(id));
    let next = lanes[0];
    await sendAround(() => {
      for (const lane of lanes) lane.lose();
      next = peers.link.openLane("lane-number-3");
    });
    expect(sentBytes(next?.pairs ?? [])).toBeGreaterThan(chunkSize);
  });

  it("sends nothing twice when a lane closes in order", async () => {
    const lane = peers.link.openLane("lane-number-1");
    await sendAround(() => lane.end());
    const [pair] = lane.pairs;
    expect(pair?.local.readyState).toBe("closed");
    expect(sentBytes(peers.link.pairs)).toBeLessThan(bytes.byteLength * 1.02);
  });

  it("loses nothing when a lane closes on a line too slow to drain it in time", async () => {
    const slowly = (turn: () => void) => setTimeout(turn, 20);
    const lane = peers.link.openLane("lane-number-1", { turnBytes: 1, later: slowly });
    const before = peers.clock.now();
    let isCut = false;
    happening = (message) => {
      if (message === 60) lane.end();
      const [pair] = lane.pairs;
      if (isCut || pair?.local.readyState !== "closing" || pair.local.bufferedAmount === 0) return;
      isCut = true;
      pair.cut();
    };
    await sendWhole();
    expect(isCut).toBe(true);
    // No receiver had to detect a loss by timeout.
    expect(peers.clock.now()).toBe(before);
    expect(sentBytes(peers.link.pairs)).toBeLessThan(bytes.byteLength * 1.25);
  });

  it("queues at most 128 KiB on each connection", async () => {
    peers.options.bufferedAmountLowThreshold = 1024 * 1024;
    peers.options.channelsNumber = 2;
    const lane = peers.link.openLane("lane-number-1");
    await sendAround(() => {});
    const [pair] = lane.pairs;
    expect(pair?.local.peakBufferedAmount).toBeGreaterThan(queueLimitBytes / 2);
    expect(pair?.local.peakBufferedAmount).toBeLessThanOrEqual(queueLimitBytes);
  });

  it("tolerates lanes that open and close endlessly", async () => {
    const lanes = [peers.link.openLane("lane-number-0")];
    happening = (message) => {
      if (message % 6 !== 0) return;
      lanes.at(-1)?.end();
      lanes.push(peers.link.openLane(`lane-number-${lanes.length}`));
    };
    await sendWhole();
    expect(lanes.length).toBeGreaterThan(20);
    expect(lanes.filter(({ pairs }) => sentBytes(pairs) > 0).length).toBeGreaterThan(20);
    expect(sentBytes(peers.link.pairs)).toBeLessThan(bytes.byteLength * 1.02);
  });
});

it.each([
  ["some-file-1-0", "some-file-1"],
  ["some-file-1-12345", "some-file-1"],
  ["some-file", null],
  ["some-file-", null],
])("the label %s is one of the file %s", (label, fid) => {
  expect(fileIdOfLabel(label)).toBe(fid);
});
