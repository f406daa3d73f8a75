import { describe, expect, it } from "vitest";
import { FakeClock } from "../../testing/fake-clock.ts";
import {
  createFakeChannelPair,
  type FakeChannelOptions,
  type FakeChannelPair,
} from "../../testing/fake-data-channel.ts";
import { ChannelWriter, queueLimitBytes } from "./channel-writer.ts";

const kib = 1024;
const message = (sizeBytes: number, tag = 0) => new Uint8Array(sizeBytes).fill(tag);

function connect(writer: ChannelWriter, count: number, options: FakeChannelOptions = {}): FakeChannelPair[] {
  return Array.from({ length: count }, () => {
    const pair = createFakeChannelPair(options);
    writer.add(pair.local);
    return pair;
  });
}

describe("the channel writer", () => {
  it.each([1, 4, 8])("never queues more than 128 KiB on a connection of %s channels", async (count) => {
    const writer = new ChannelWriter(1024 * kib);
    const pairs = connect(writer, count, { turnBytes: 16 * kib });
    let peak = 0;
    const channels = new Set(pairs.map(({ local }) => local));
    for (let n = 0; n < 40; n++) {
      await writer.write(channels, message(64 * kib));
      peak = Math.max(
        peak,
        pairs.reduce((sum, { local }) => sum + local.bufferedAmount, 0),
      );
    }
    expect(peak).toBeLessThanOrEqual(queueLimitBytes);
    expect(peak).toBeGreaterThan(0);
  });

  it("fills the queue to 64 KiB above the threshold and resumes when it is low", async () => {
    const writer = new ChannelWriter(32 * kib);
    const [pair] = connect(writer, 1, { turnBytes: 8 * kib });
    if (!pair) return;
    const channels = new Set([pair.local]);
    for (let n = 0; n < 10; n++) await writer.write(channels, message(32 * kib));
    expect(pair.local.peakBufferedAmount).toBe(96 * kib);
  });

  it("spreads messages over all channels", async () => {
    const writer = new ChannelWriter(32 * kib);
    const pairs = connect(writer, 4);
    const received = pairs.map(() => 0);
    pairs.forEach(({ remote }, index) => {
      remote.onmessage = () => {
        received[index] = (received[index] ?? 0) + 1;
      };
    });
    const channels = new Set(pairs.map(({ local }) => local));
    for (let n = 0; n < 60; n++) await writer.write(channels, message(16 * kib));
    expect(Math.min(...received)).toBeGreaterThan(4);
  });

  it("alternates between transfers on one connection", async () => {
    const writer = new ChannelWriter(32 * kib);
    const [one, other] = connect(writer, 2);
    if (!one || !other) return;
    const order: string[] = [];
    const send = async (name: string, channel: RTCDataChannel) => {
      for (let n = 0; n < 12; n++) {
        await writer.write(new Set([channel]), message(32 * kib));
        order.push(name);
      }
    };
    await Promise.all([send("one", one.local), send("other", other.local)]);
    expect(order.slice(0, 12).filter((name) => name === "other").length).toBeGreaterThanOrEqual(4);
  });

  it("moves on to the remaining channels when one closes", async () => {
    const writer = new ChannelWriter(32 * kib);
    const pairs = connect(writer, 2);
    const channels = new Set(pairs.map(({ local }) => local));
    for (let n = 0; n < 10; n++) {
      await writer.write(channels, message(32 * kib));
      if (n === 3) pairs[0]?.cut();
    }
    expect(pairs[1]?.local.readyState).toBe("open");
  });

  it.each([
    ["closes", "any-channel-closed"],
    ["fails", "any-channel-error"],
  ])("rejects what waits when the last channel %s", async (end, code) => {
    const writer = new ChannelWriter(32 * kib);
    const [pair] = connect(writer, 1);
    if (!pair) return;
    const channels = new Set([pair.local]);
    const writes = [1, 2, 3, 4].map(() => writer.write(channels, message(64 * kib)));
    const results = Promise.allSettled(writes);
    if (end === "fails") pair.local.dispatchEvent(new Event("error"));
    pair.cut();
    for (const result of await results)
      expect(result).toMatchObject({ status: "rejected", reason: { code } });
    expect(writer.isEmpty).toBe(true);
  });

  it("rejects a write when every channel has closed", async () => {
    const writer = new ChannelWriter(32 * kib);
    const [pair] = connect(writer, 1);
    if (!pair) return;
    pair.cut();
    await expect.poll(() => pair.local.readyState).toBe("closed");
    const code = "no-available-channel";
    await expect(writer.write(new Set([pair.local]), message(1))).rejects.toMatchObject({ code });
  });

  it("rejects a write when there is no channel", async () => {
    const writer = new ChannelWriter(32 * kib);
    await expect(writer.write(new Set(), message(1))).rejects.toMatchObject({ code: "no-channel" });
  });

  it("limits the pace over all its channels, until the limit is lifted", async () => {
    const clock = new FakeClock();
    const writer = new ChannelWriter(32 * kib);
    const pairs = connect(writer, 2);
    const channels = new Set(pairs.map(({ local }) => local));
    writer.setPace(100 * kib, clock);
    let written = 0;
    const all = Array.from({ length: 60 }, async () => {
      await writer.write(channels, message(16 * kib));
      written += 16;
    });
    await clock.advance(1_000);
    // The saved-up burst, and then the pace per second.
    expect(written).toBeGreaterThanOrEqual(144);
    expect(written).toBeLessThanOrEqual(64 + 100 + 16);
    await clock.advance(4_000);
    expect(written).toBeLessThanOrEqual(64 + 500 + 16);
    writer.setPace(null, clock);
    await Promise.all(all);
    expect(written).toBe(960);
    expect(clock.timerCount).toBe(0);
  });
});
