import { describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { StallWatch, settledInTime, stallLimitMs } from "./stall-watch.ts";

const never = () => new Promise<never>(() => {});
/** The time is counted in ticks. */
const certainlyMs = stallLimitMs + 4_000;

function setUp() {
  const clock = new FakeClock();
  const watch = new StallWatch(clock);
  const stalls: unknown[] = [];
  watch.on("stall", ({ code, values }) => stalls.push([code, values.step]));
  return { clock, watch, stalls };
}

describe("a stall watch", () => {
  it("names what has been pending longest, once", async () => {
    const { clock, watch, stalls } = setUp();
    void watch.follow("read", never());
    void watch.follow("digest", never());
    await clock.advance(certainlyMs);
    await clock.advance(certainlyMs);
    expect(stalls).toEqual([["transfer-stalled", "read"]]);
    expect(clock.timerCount).toBe(0);
  });

  it("does not stall while something settles, or while nothing is pending", async () => {
    const { clock, watch, stalls } = setUp();
    let resolve = (): void => {};
    void watch.follow("read", never());
    for (let round = 0; round < 4; round++) {
      void watch.follow("store", new Promise<void>((settle) => (resolve = settle)));
      await clock.advance(stallLimitMs - 8_000);
      resolve();
      await clock.advance(0);
    }
    expect(stalls).toEqual([]);
    const idle = setUp();
    await idle.watch.follow("read", Promise.resolve());
    await idle.clock.advance(10 * certainlyMs);
    expect(idle.stalls).toEqual([]);
    watch.close();
  });

  it("does not count the time in which the page was suspended", async () => {
    const { clock, watch, stalls } = setUp();
    void watch.follow("read", never());
    await clock.advance(8_000);
    clock.suspend(3_600_000);
    await clock.advance(8_000);
    expect(stalls).toEqual([]);
    await clock.advance(12_000);
    expect(stalls).toHaveLength(1);
  });

  it("gives up what would otherwise be waited for, and waits less for what comes after", async () => {
    const { clock, watch } = setUp();
    const first = expect(watch.within("store", never())).rejects.toMatchObject({ code: "transfer-stalled" });
    await clock.advance(certainlyMs);
    await first;
    const second = expect(watch.within("store", never())).rejects.toMatchObject({ code: "transfer-stalled" });
    await clock.advance(2_000);
    await second;
    expect(await watch.within("store", Promise.resolve(7))).toBe(7);
    expect(clock.timerCount).toBe(0);
  });
});

it("a promise that settles in time keeps its result, and leaves no timer", async () => {
  const clock = new FakeClock();
  expect(await settledInTime(clock, "load", Promise.resolve(7))).toBe(7);
  await expect(settledInTime(clock, "load", Promise.reject(new Error("why")))).rejects.toThrow("why");
  expect(clock.timerCount).toBe(0);
});
