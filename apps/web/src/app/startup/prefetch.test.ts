// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { onDemand } from "../../ui/on-demand.tsx";
import { prefetchWhenIdle } from "./prefetch.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("code that nothing on the page asks for is fetched again every 10 s until that succeeds", async () => {
  let isUp = false;
  const fetches: number[] = [];
  const code = onDemand(async () => {
    fetches.push(Date.now());
    if (!isUp) throw new TypeError("Failed to fetch");
    return "loaded";
  });
  const { warren } = fakeWarren();
  Object.assign(warren.chat, { exchange: { load: () => Promise.reject(new Error("no network")) } });
  prefetchWhenIdle(warren, code);
  await vi.waitUntil(() => fetches.length === 3, { timeout: 40_000 });
  const [first = 0] = fetches;
  expect(fetches.map((at) => at - first)).toEqual([0, 10_000, 20_000]);

  isUp = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(code.get()).toBe("loaded"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetches).toHaveLength(4);
});
