// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { lazyWithPreload } from "../../wiring/lazy-with-preload.ts";
import { fetchLaterCode } from "./prefetch.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("later code is fetched again every 10 s until it has arrived, and only then imported", async () => {
  document.body.innerHTML = `<script type="application/json" id="later-chunks">["/page.js"]</script>`;
  let isUp = false;
  const fetches: number[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    expect(address).toBe("/page.js");
    fetches.push(Date.now());
    if (fetches.length === 1) throw new TypeError("Failed to fetch");
    return new Response("", { status: isUp ? 200 : 502 });
  });
  const importIt = vi.fn(async () => ({ default: () => null }));
  lazyWithPreload(importIt);
  const { warren } = fakeWarren();
  const load = vi.fn(() => Promise.reject(new Error("no network")));
  Object.assign(warren.chat, { exchange: { load } });
  const fetched = fetchLaterCode(warren);
  await vi.advanceTimersByTimeAsync(25_000);
  const [first = 0] = fetches;
  expect(fetches.map((at) => at - first)).toEqual([0, 10_000, 20_000]);
  expect(importIt).not.toHaveBeenCalled();

  isUp = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await fetched;
  expect(importIt).toHaveBeenCalledTimes(1);
  expect(load).toHaveBeenCalledTimes(1);
  expect(fetches).toHaveLength(4);
});
