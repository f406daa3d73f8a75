import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useWakeLock } from "./use-wake-lock.ts";

/** The requested locks, latest last. */
let locks: { released: boolean }[];

beforeEach(() => {
  locks = [];
  const request = async () => {
    const lock = {
      released: false,
      release: async () => {
        lock.released = true;
      },
    };
    locks.push(lock);
    return lock;
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request }, configurable: true });
});

afterEach(() => {
  cleanup();
  Reflect.deleteProperty(navigator, "wakeLock");
  vi.restoreAllMocks();
});

function keepOn(wanted: boolean) {
  const hook = renderHook(({ isWanted }) => useWakeLock(isWanted), { initialProps: { isWanted: wanted } });
  return (isWanted: boolean) => hook.rerender({ isWanted });
}

test("the screen is kept on while wanted, and released afterwards", async () => {
  const want = keepOn(false);
  expect(locks).toEqual([]);
  want(true);
  await expect.poll(() => locks.map(({ released }) => released)).toEqual([false]);
  want(true);
  want(false);
  await expect.poll(() => locks.map(({ released }) => released)).toEqual([true]);
});

test("the lock is requested again when the page becomes visible: the browser had released it", async () => {
  keepOn(true);
  await expect.poll(() => locks.length).toBe(1);
  for (const lock of locks) lock.released = true;
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(locks).toHaveLength(1);
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.poll(() => locks.length).toBe(2);
});

test("a browser that refuses or lacks wake locks is ignored", async () => {
  const said = vi.spyOn(console, "info").mockImplementation(() => {});
  const refusing = async () => Promise.reject(new Error("low battery"));
  Object.defineProperty(navigator, "wakeLock", { value: { request: refusing }, configurable: true });
  keepOn(true);
  await expect.poll(() => said.mock.calls.length).toBe(1);
  Reflect.deleteProperty(navigator, "wakeLock");
  keepOn(true);
  expect(said).toHaveBeenCalledTimes(1);
});
