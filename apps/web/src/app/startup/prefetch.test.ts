// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { prefetchWhenIdle } from "./prefetch.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("code that nothing on the page asks for is fetched again after growing pauses, and when the browser comes online", async () => {
  let isUp = false;
  const fetches: number[] = [];
  const start = Date.now();
  const code = onDemand(async () => {
    fetches.push(Math.round((Date.now() - start) / 1_000));
    if (!isUp) throw new TypeError("Failed to fetch");
    return "loaded";
  });
  const { warren } = fakeWarren();
  Object.assign(warren.chat, { exchange: { load: () => Promise.reject(new Error("no network")) } });
  prefetchWhenIdle(warren, code);
  await vi.advanceTimersByTimeAsync(40_000);
  const [first = 0] = fetches;
  expect(fetches.map((at) => at - first)).toEqual([0, 5, 15, 35]);

  isUp = true;
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetches).toHaveLength(5);
  await vi.waitFor(() => expect(code.get()).toBe("loaded"));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(fetches).toHaveLength(5);
});
