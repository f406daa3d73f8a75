import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { browserData, eraseStorage } from "./browser-data.ts";

const never = () => new Promise<never>(() => {});
const noArea = { clear: () => {} };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", noArea);
  vi.stubGlobal("sessionStorage", noArea);
  vi.stubGlobal("navigator", {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ["keys", { keys: never }],
  ["delete", { keys: async () => ["shell"], delete: never }],
])("gives up clearing where the browser never answers caches.%s", async (_call, caches) => {
  vi.stubGlobal("caches", caches);
  const cleared = vi.fn();
  browserData.clearCaches().catch(cleared);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cleared).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "transfer-stalled" }));
});

it("gives up clearing where a service worker is never unregistered", async () => {
  vi.stubGlobal("navigator", { serviceWorker: { getRegistrations: async () => [{ unregister: never }] } });
  const cleared = vi.fn();
  browserData.clearCaches().catch(cleared);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cleared).toHaveBeenCalledOnce();
});

it("opens the app although the browser deletes no database", async () => {
  vi.stubGlobal("indexedDB", { databases: async () => [], deleteDatabase: () => ({}) });
  const erased = vi.fn();
  void eraseStorage().then(erased);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(erased).toHaveBeenCalledExactlyOnceWith("partly");
});
