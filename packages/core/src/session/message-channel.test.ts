import type { PeerMessage } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { createFakeChannelPair, type FakeDataChannel } from "../testing/fake-data-channel.ts";
import { type ClientBudgets, MessageBudgets } from "./message-budget.ts";
import { MessageChannel } from "./message-channel.ts";

const ann = "00000000-0000-4000-8000-00000000000a";
const ben = "00000000-0000-4000-8000-00000000000b";
const text = (change: Partial<PeerMessage> = {}) => ({
  type: "send-text",
  id: "some-message",
  client: ben,
  target: ann,
  createdAt: 1,
  data: "x",
  ...change,
});

describe("a message channel", () => {
  let clock: FakeClock;
  let budgets: ClientBudgets;
  let channel: MessageChannel;
  let remote: FakeDataChannel;
  let messages: PeerMessage[];
  let violations: string[];

  beforeEach(async () => {
    clock = new FakeClock();
    budgets = new MessageBudgets(clock).of(ben);
    const pair = createFakeChannelPair({ label: "message", protocol: "message", ordered: true });
    remote = pair.remote;
    channel = new MessageChannel(pair.local, { selfId: ann, peerId: ben }, clock, budgets);
    messages = [];
    violations = [];
    channel.on("message", (message) => messages.push(message));
    channel.on("violation", (issue) => violations.push(issue));
    await clock.advance(0);
  });

  const deliver = async (...frames: (string | object)[]) => {
    for (const frame of frames) remote.send(typeof frame === "string" ? frame : JSON.stringify(frame));
    await vi.waitFor(() => expect(remote.bufferedAmount).toBe(0), { timeout: 15_000 });
  };

  it("delivers a message as it was sent", async () => {
    await deliver(text());
    expect(messages).toEqual([text()]);
  });

  it("drops and counts invalid frames and messages with a wrong sender or receiver", async () => {
    await deliver(
      text({ client: ann }),
      text({ target: ben }),
      "no json",
      { type: "nothing" },
      text({ id: "x" }),
    );
    remote.send(new ArrayBuffer(4));
    await clock.advance(0);
    expect(messages).toEqual([]);
    expect(violations).toEqual([
      "forged client",
      "forged target",
      "frame-not-json",
      "frame-invalid",
      "frame-invalid",
      "binary frame",
    ]);
  });

  it("is open before its first message, also where the browser tells of that first", async () => {
    const { local } = createFakeChannelPair({ label: "message", protocol: "message", ordered: true });
    const early = new MessageChannel(local, { selfId: ann, peerId: ben }, clock, budgets);
    const told: string[] = [];
    early.on("open", () => told.push("open"));
    early.on("message", () => told.push("message"));
    local.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(text()) }));
    await clock.advance(0);
    expect(told).toEqual(["open", "message"]);
  });

  it("queues no binary frame and none over the limit", async () => {
    await deliver(...Array.from({ length: 200 }, () => text()));
    for (let count = 0; count < 20; count++) remote.send(new ArrayBuffer(256 * 1024));
    remote.send("x".repeat(2_000_000));
    await clock.advance(0);
    expect(violations).toEqual([...Array(20).fill("binary frame"), "frame-too-large"]);
    await deliver(text({ id: "one-more-message" }));
    await clock.advance(1_000);
    expect(messages.at(-1)?.id).toBe("one-more-message");
  });

  it("accepts 2 Mi characters at once and then 64 Ki a second, even over a new channel", async () => {
    const large = Array.from({ length: 20 }, (_, index) =>
      text({ id: `message-${index}`, data: "x".repeat(200_000) }),
    );
    await deliver(...large);
    expect(messages).toHaveLength(10);
    channel.close();
    const pair = createFakeChannelPair({ label: "message", protocol: "message", ordered: true });
    remote = pair.remote;
    channel = new MessageChannel(pair.local, { selfId: ann, peerId: ben }, clock, budgets);
    channel.on("message", (message) => messages.push(message));
    await clock.advance(0);
    await deliver(...large.slice(10));
    expect(messages).toHaveLength(10);
    await clock.advance(60_000);
    expect(messages).toHaveLength(20);
  });

  it("accepts a burst of 200 messages and delays any above 50 a second, in order", async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `message-${index}`);
    await deliver(...ids.map((id) => text({ id })));
    expect(messages).toHaveLength(200);
    await clock.advance(1_000);
    expect(messages).toHaveLength(250);
    await clock.advance(1_000);
    expect(messages.map(({ id }) => id)).toEqual(ids);
    expect(violations).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });

  it("queues at most 1,000 frames, and counts each 250 that it drops as one violation", async () => {
    const send = (count: number) => deliver(...Array.from({ length: count }, () => text()));
    await send(1_200);
    expect(violations).toEqual([]);
    await send(250);
    expect(violations).toEqual(["flood"]);
    await send(1);
    expect(violations).toEqual(["flood", "flood"]);
  });

  it("queues at most 4 Mi characters, and counts each Mi that it drops as one violation", async () => {
    await deliver(...Array.from({ length: 200 }, () => text()));
    const send = (count: number) =>
      deliver(...Array.from({ length: count }, () => text({ data: "x".repeat(200_000) })));
    await send(20);
    expect(violations).toEqual([]);
    await send(5);
    expect(violations).toEqual(["flood"]);
    await send(1);
    expect(violations).toEqual(["flood", "flood"]);
  });

  it("reports why it cannot send", async () => {
    const message: PeerMessage = {
      type: "request-storage",
      id: "some-message",
      client: ann,
      target: ben,
      createdAt: 1,
    };
    const large: PeerMessage = { ...message, type: "error", error: "x".repeat(300_000) };
    expect(() => channel.send(large)).toThrow(expect.objectContaining({ code: "frame-too-large" }));
    channel.close();
    expect(() => channel.send(message)).toThrow(expect.objectContaining({ code: "channel-not-open" }));
  });

  it("reports when the peer closes it, and emits nothing after its own close", async () => {
    let closed = 0;
    channel.on("closed", () => {
      closed += 1;
    });
    remote.close();
    await clock.advance(0);
    expect(closed).toBe(1);
    channel.close();
    await clock.advance(0);
    expect(closed).toBe(1);
  });
});
