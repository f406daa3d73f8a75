import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { NewcomerQueue } from "./newcomer-queue.ts";

describe("the queue of newcomers", () => {
  let clock: FakeClock;
  let met: string[];
  let queue: NewcomerQueue<string>;

  beforeEach(() => {
    clock = new FakeClock();
    met = [];
    queue = new NewcomerQueue(clock, (name) => met.push(name));
  });

  const add = (...names: string[]) => {
    for (const name of names) queue.add(name, name);
  };
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix} ${i}`);

  it("attends to the first eight at once", () => {
    add(...names("a", 8));
    expect(met).toEqual(names("a", 8));
  });

  it("attends to one at once after each quiet second", async () => {
    add(...names("a", 8));
    await clock.advance(1_000);
    add("b", "c");
    expect(met.slice(8)).toEqual(["b"]);
  });

  it("attends to the others after 300 ms, then four a second, in order of arrival", async () => {
    add(...names("a", 8), ...names("b", 20));
    await clock.advance(299);
    expect(met).toHaveLength(8);
    await clock.advance(1);
    expect(met.slice(8)).toEqual(["b 0"]);
    await clock.advance(1_000);
    expect(met.slice(8)).toEqual(names("b", 5));
  });

  it("attends to one a second of those that do not stay", async () => {
    add(...names("a", 8));
    for (let i = 0; i < 100; i++) {
      add(`x ${i}`);
      await clock.advance(100);
      queue.delete(`x ${i}`);
    }
    expect(met.slice(8).length).toBeLessThanOrEqual(10);
  });

  it("attends to somebody that stays within 9 s, whatever 31 others do", async () => {
    add(...names("a", 8));
    add(...names("b", 31));
    add("honest");
    for (let passedMs = 0; passedMs < 9_000; passedMs += 50) {
      await clock.advance(50);
      const name = `b ${(passedMs / 50) % 31}`;
      queue.delete(name);
      add(name);
    }
    expect(met).toContain("honest");
  });

  it("leaves no timer behind", () => {
    add(...names("a", 20));
    queue.clear();
    expect(clock.timerCount).toBe(0);
  });
});
