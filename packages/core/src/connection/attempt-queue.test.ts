import { describe, expect, it } from "vitest";
import { AttemptQueue } from "./attempt-queue.ts";

/** Queues attempts by name; names of peers' attempts start with "in". */
function enter(queue: AttemptQueue, begun: string[], ...names: string[]): (() => void)[] {
  return names.map((name) => queue.enter(!name.startsWith("in"), () => begun.push(name)));
}

describe("the queue of attempts", () => {
  it("starts three of our own attempts at once, and the next in order as others end", () => {
    const queue = new AttemptQueue();
    const begun: string[] = [];
    const [a, b] = enter(queue, begun, "a", "b", "c", "d", "e");
    expect(begun).toEqual(["a", "b", "c"]);
    b?.();
    a?.();
    expect(begun).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("starts four of the peers' attempts at once, and those before our own", () => {
    const queue = new AttemptQueue();
    const begun: string[] = [];
    const [first] = enter(queue, begun, "in 1", "in 2", "in 3", "in 4", "own", "in 5");
    expect(begun).toEqual(["in 1", "in 2", "in 3", "in 4"]);
    first?.();
    expect(begun.at(-1)).toBe("in 5");
  });

  it("has a slot for a peer's attempt while all of ours wait for answers", () => {
    const queue = new AttemptQueue();
    const begun: string[] = [];
    enter(queue, begun, "a", "b", "c", "d", "in");
    expect(begun).toEqual(["a", "b", "c", "in"]);
  });

  it("frees a slot only once, and never starts an attempt that left the queue", () => {
    const queue = new AttemptQueue();
    const begun: string[] = [];
    const [a, , , d] = enter(queue, begun, "a", "b", "c", "d", "e", "f");
    d?.();
    a?.();
    a?.();
    expect(begun).toEqual(["a", "b", "c", "e"]);
  });
});
