import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { AttemptQueue } from "./attempt-queue.ts";

describe("the queue of attempts", () => {
  let clock: FakeClock;
  let queue: AttemptQueue;
  let started: string[];

  beforeEach(() => {
    clock = new FakeClock();
    queue = new AttemptQueue(clock);
    started = [];
  });

  /** Queues attempts by name; names of peers' attempts start with "in". */
  const enter = (...names: string[]): (() => void)[] =>
    names.map((name) => queue.enter(!name.startsWith("in"), () => started.push(name)));

  it("starts three of our own attempts at once, and the next in order as others end", () => {
    const [a, b] = enter("a", "b", "c", "d", "e");
    expect(started).toEqual(["a", "b", "c"]);
    b?.();
    a?.();
    expect(started).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("starts four of the peers' attempts at once", () => {
    enter("in 1", "in 2", "in 3", "in 4", "in 5");
    expect(started).toEqual(["in 1", "in 2", "in 3", "in 4"]);
  });

  it("starts peers' attempts before our own", () => {
    const [a] = enter("a", "b", "c", "in 1", "d", "in 2");
    expect(started).toEqual(["a", "b", "c", "in 1"]);
    a?.();
    expect(started.at(-1)).toBe("in 2");
  });

  it("has a slot for a peer's attempt while all of ours wait for answers", () => {
    enter("a", "b", "c", "d", "in");
    expect(started).toEqual(["a", "b", "c", "in"]);
  });

  it("has a slot for our own attempt, however often peers start", () => {
    const [first, second] = enter("in 1", "in 2", "in 3", "in 4", "own", "in 5");
    first?.();
    expect(started.at(-1)).toBe("own");
    second?.();
    expect(started.at(-1)).toBe("in 5");
  });

  it("frees a slot only once, and never starts an attempt that left the queue", () => {
    const [a, , , d] = enter("a", "b", "c", "d", "e", "f");
    d?.();
    a?.();
    a?.();
    expect(started).toEqual(["a", "b", "c", "e"]);
  });

  it("does not wait more than 3 s for attempts that nobody answers", async () => {
    enter("a", "b", "c", "d", "in 1", "in 2");
    await clock.advance(2_999);
    expect(started).toEqual(["a", "b", "c", "in 1"]);
    await clock.advance(1);
    expect(started).toEqual(["a", "b", "c", "in 1", "in 2", "d"]);
  });

  it("starts at most ten of the peers' attempts a second, and 32 and then five a second of our own", async () => {
    const leaveAtOnce = (own: boolean, name: string) => {
      const leave: () => void = queue.enter(own, () => {
        started.push(name);
        queueMicrotask(() => leave());
      });
    };
    for (let i = 0; i < 100; i++) leaveAtOnce(false, "in");
    for (let i = 0; i < 100; i++) leaveAtOnce(true, "own");
    await clock.advance(2_000);
    const count = (name: string) => started.filter((other) => other === name).length;
    expect([count("in"), count("own")]).toEqual([10 + 20, 32 + 10]);
  });

  it("leaves no timer behind", () => {
    for (const leave of enter("a", "b", "c", "d", "in 1", "in 2")) leave();
    expect(clock.timerCount).toBe(0);
  });
});
