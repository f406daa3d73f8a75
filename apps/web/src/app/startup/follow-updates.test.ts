import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeServiceWorker, FakeServiceWorkers } from "../../testing/fake-service-workers.ts";
import { followUpdates } from "./follow-updates.ts";

let ending: AbortController;
beforeEach(() => {
  ending = new AbortController();
});
afterEach(() => {
  ending.abort();
  vi.useRealTimers();
});

/** A page of build "one" that follows updates, in a tab that may have been prompted before. */
async function page({ busy = false, prompted = false, workers = controlledPage() } = {}) {
  const kept = new Map(prompted ? [["prompted", "true"]] : []);
  const offers: (() => void)[] = [];
  const reload = vi.fn();
  await followUpdates({
    workers: workers.asContainer,
    register: async () => workers.asRegistration,
    ownBuild: "one",
    tabStorage: {
      read: (key) => kept.get(key) ?? null,
      write: (key, value) => void kept.set(key, value),
      remove: (key) => void kept.delete(key),
    },
    isBusy: () => busy,
    offer: (onReload) => offers.push(onReload),
    reload,
    signal: ending.signal,
  });
  return { workers, offers, reload, kept };
}

function controlledPage(): FakeServiceWorkers {
  const workers = new FakeServiceWorkers();
  workers.control(new FakeServiceWorker("one", "activated"));
  return workers;
}

describe("a new version", () => {
  test("is checked for every 60 s until the page closes", async () => {
    vi.useFakeTimers();
    const { workers } = await page();
    expect(workers.checks).toBe(0);
    await vi.advanceTimersByTimeAsync(180_000);
    expect(workers.checks).toBe(3);
    ending.abort();
    await vi.advanceTimersByTimeAsync(180_000);
    expect(workers.checks).toBe(3);
  });

  test("is offered when waiting, and the page reloads once it took over on request", async () => {
    const { workers, offers, reload, kept } = await page();
    const two = new FakeServiceWorker("two");
    workers.find(two);
    await expect.poll(() => offers.length).toBe(1);
    expect(kept.get("prompted")).toBe("true");
    expect(two.asked).not.toContain("take-over");
    offers[0]?.();
    expect(two.asked).toContain("take-over");
    expect(reload).not.toHaveBeenCalled();
    workers.takeOver(two);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test("is offered too if it was waiting before the page opened", async () => {
    const workers = controlledPage();
    workers.registration.waiting = new FakeServiceWorker("two");
    const { offers } = await page({ workers });
    expect(offers).toHaveLength(1);
  });

  test("takes over immediately if this tab was prompted before", async () => {
    const { workers, offers, reload } = await page({ prompted: true });
    const two = new FakeServiceWorker("two");
    workers.find(two);
    await expect.poll(() => two.asked).toContain("take-over");
    workers.takeOver(two);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(offers).toEqual([]);
  });

  test("is offered again if taking over would interrupt something", async () => {
    const { workers, offers } = await page({ prompted: true, busy: true });
    const two = new FakeServiceWorker("two");
    workers.find(two);
    await expect.poll(() => offers.length).toBe(1);
    expect(two.asked).not.toContain("take-over");
  });

  test("is not mentioned if the page already has it", async () => {
    const { workers, offers, reload } = await page({ prompted: true });
    const own = new FakeServiceWorker("one");
    workers.find(own);
    await expect.poll(() => own.asked).toEqual(["tell-build", "take-over-when-alone"]);
    workers.takeOver(own);
    await expect.poll(() => own.asked.length).toBe(3); // the page has asked the controlling worker by now
    expect(offers).toEqual([]);
    expect(reload).not.toHaveBeenCalled();
  });

  test("reloads the page if it does not take over in time", async () => {
    vi.useFakeTimers();
    const { workers, offers, reload } = await page();
    workers.find(new FakeServiceWorker(null)); // an older or unresponsive worker does not report its build
    await vi.advanceTimersByTimeAsync(3_000);
    offers[0]?.();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test("reloads no page that stopped following before that", async () => {
    vi.useFakeTimers();
    const { workers, offers, reload } = await page();
    workers.find(new FakeServiceWorker(null));
    await vi.advanceTimersByTimeAsync(3_000);
    offers[0]?.();
    ending.abort();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reload).not.toHaveBeenCalled();
  });
});

describe("a version accepted in another tab", () => {
  test("reloads this page", async () => {
    const { workers, reload } = await page();
    workers.takeOver(new FakeServiceWorker("two"));
    await expect.poll(() => reload.mock.calls.length).toBe(1);
  });

  test("is offered if reloading would interrupt something", async () => {
    const { workers, offers, reload } = await page({ busy: true });
    workers.takeOver(new FakeServiceWorker("two"));
    await expect.poll(() => offers.length).toBe(1);
    expect(reload).not.toHaveBeenCalled();
    offers[0]?.();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test("changes nothing for a page without a service worker", async () => {
    const { workers, offers, reload } = await page({ workers: new FakeServiceWorkers() });
    const first = new FakeServiceWorker("two");
    workers.find(first);
    workers.takeOver(first);
    await Promise.resolve();
    expect(first.asked).toEqual([]);
    expect([offers.length, reload.mock.calls.length]).toEqual([0, 0]);
  });
});

test("a service worker that fails to register is reported to the caller, and nothing follows", async () => {
  vi.useFakeTimers();
  const following = followUpdates({
    workers: new FakeServiceWorkers().asContainer,
    register: () => Promise.reject(new Error("blocked")),
    ownBuild: "one",
    tabStorage: { read: () => null, write: () => {}, remove: () => {} },
    isBusy: () => false,
    offer: () => {},
    reload: () => {},
    signal: ending.signal,
  });
  await expect(following).rejects.toThrow("blocked");
  expect(vi.getTimerCount()).toBe(0);
});
