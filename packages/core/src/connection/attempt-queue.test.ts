import { describe, expect, it } from "vitest";
import { AttemptQueue } from "./attempt-queue.ts";

/** Queues attempts by name; names of peers' attempts start with "in". */
function enter(queue: AttemptQueue, started: string[], ...names: string[]): (() => void)[] {
  return names.map((name) => queue.enter(!name.startsWith("in"), () => started.push(name)));
}

describe("the queue of attempts", () => {
  it("starts three of our own attempts at once, and the next in order as others end", () => {
    const queue = new AttemptQueue();
    const started: string[] = [];
    const [a, b] = enter(queue, started, "a", "b", "c", "d", "e");
    expect(started).toEqual(["a", "b", "c"]);
    b?.();
    a?.();
    expect(started).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("starts four of the peers' attempts at once, and those before our own", () => {
    const queue = new AttemptQueue();
    const started: string[] = [];
    const [first] = enter(queue, started, "in 1", "in 2", "in 3", "in 4", "own", "in 5");
    expect(started).toEqual(["in 1", "in 2", "in 3", "in 4"]);
    first?.();
    expect(started.at(-1)).toBe("in 5");
  });

  it("has a slot for a peer's attempt while all of ours wait for answers", () => {
    const queue = new AttemptQueue();
    const started: string[] = [];
    enter(queue, started, "a", "b", "c", "d", "in");
    expect(started).toEqual(["a", "b", "c", "in"]);
  });

  it("frees a slot only once, and never starts an attempt that left the queue", () => {
    const queue = new AttemptQueue();
    const started: string[] = [];
    const [a, , , d] = enter(queue, started, "a", "b", "c", "d", "e", "f");
    d?.();
    a?.();
    a?.();
    expect(started).toEqual(["a", "b", "c", "e"]);
  });
});
