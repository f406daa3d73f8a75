import type { ClientFrame, ClientId } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { sampleBox } from "../testing/sample-box.ts";
import { SignalOutbox } from "./signal-outbox.ts";

const idOf = (number: number): ClientId => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const [ann, ben] = [idOf(1), idOf(2)];

describe("signals that wait for the server", () => {
  let clock: FakeClock;
  let outbox: SignalOutbox;

  beforeEach(() => {
    clock = new FakeClock();
    outbox = new SignalOutbox(clock);
  });

  const frame = (to: ClientId, content = "x"): Extract<ClientFrame, { type: "signal" }> => ({
    type: "signal",
    to,
    signal: sampleBox("candidate", content),
  });
  const add = (to: ClientId, count: number) => {
    for (let i = 0; i < count; i++) outbox.add(frame(to, String(i)));
  };
  const rest = (only?: ClientId) => {
    const frames: Extract<ClientFrame, { type: "signal" }>[] = [];
    for (let next = outbox.next(only); next !== null; next = outbox.next(only)) frames.push(next);
    return frames;
  };

  it("keep the order of those to one member", () => {
    add(ann, 5);
    expect(rest()).toEqual(["0", "1", "2", "3", "4"].map((content) => frame(ann, content)));
  });

  it("go first to the member that was sent the least lately", () => {
    add(ann, 40);
    for (let i = 0; i < 30; i++) outbox.next();
    add(ben, 10);
    expect(rest().map(({ to }) => to)).toEqual([...Array(10).fill(ben), ...Array(10).fill(ann)]);
  });

  it("go in turns to members that were sent as much, so that each waits only for its share of the others", () => {
    for (let member = 1; member <= 20; member++) add(idOf(member), 15);
    const order = rest().map(({ to }) => to);
    const last = order.lastIndexOf(idOf(20));
    for (let member = 1; member < 20; member++)
      expect(order.slice(0, last).filter((to) => to === idOf(member)).length).toBeGreaterThanOrEqual(14);
  });

  it("are forgotten 10 s after they were added", async () => {
    add(ann, 3);
    await clock.advance(10_001);
    add(ann, 1);
    expect(rest()).toHaveLength(1);
  });

  it("are dropped when their member leaves", () => {
    add(ann, 3);
    add(ben, 1);
    outbox.forget(ann);
    expect(rest()).toEqual([frame(ben, "0")]);
  });

  it("are at most 64 for one member and 512 in all; the oldest of whoever has most are dropped", () => {
    add(ben, 2);
    for (let member = 10; member < 30; member++) add(idOf(member), 100);
    const frames = rest();
    expect(frames).toHaveLength(512);
    expect(frames.filter(({ to }) => to === ben)).toHaveLength(2);
  });

  it("can be taken for one member only", () => {
    add(ann, 2);
    add(ben, 2);
    expect(rest(ben)).toHaveLength(2);
    expect(rest()).toHaveLength(2);
  });
});
