import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { serverTime } from "./server-time.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(1969, 6, 20) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("is the server's, whatever the browser's own clock is", async () => {
  const fetch = vi.fn(async (..._request: unknown[]) => {
    return new Response(null, { headers: { Date: "Mon, 23 Nov 2026 12:00:00 GMT" } });
  });
  vi.stubGlobal("fetch", fetch);
  expect(await serverTime()).toBe(Date.UTC(2026, 10, 23, 12));
  expect(fetch.mock.calls).toEqual([
    [import.meta.env.BASE_URL, expect.objectContaining({ method: "HEAD", cache: "no-store" })],
  ]);
});

it.each([
  ["no answer", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["an answer without a date", async () => new Response(null)],
  ["a date that is none", async () => new Response(null, { headers: { Date: "soon" } })],
])("is unknown with %s", async (_why, fetch) => {
  vi.stubGlobal("fetch", fetch);
  expect(await serverTime()).toBeNull();
});
