// @vitest-environment happy-dom
import type { KeyValueStorage } from "@warren/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeLocks } from "../../testing/fake-locks.ts";
import { RoomLock } from "./room-lock.ts";

let locks: LockManager;
let stored: Map<string, string>;
let stops: (() => void)[];

beforeEach(() => {
  locks = fakeLocks();
  stored = new Map();
  stops = [];
});

afterEach(() => {
  for (const stop of stops) stop();
  vi.useRealTimers();
});

function tab(roomId = "harbour", its: LockManager | undefined = locks): RoomLock {
  const storage: KeyValueStorage = {
    read: (key) => stored.get(key) ?? null,
    write: (key, value) => void stored.set(key, value),
    remove: (key) => void stored.delete(key),
  };
  return new RoomLock({ locks: its, storage, roomId: () => roomId });
}

function watched(lock = tab()): RoomLock {
  stops.push(lock.watch());
  return lock;
}

describe("the room lock shared by tabs", () => {
  it("is known to be taken, and by which room, before it is requested", async () => {
    const late = tab();
    await late.check();
    expect(late.other.getState()).toEqual({ status: "unseen" });
    await tab("quay").take({});
    await late.check();
    expect(late.other.getState()).toEqual({ status: "there", roomId: "quay" });
  });

  it("is watched: reports when another tab takes it and when that one closes", async () => {
    vi.useFakeTimers();
    const watcher = watched();
    await vi.advanceTimersByTimeAsync(1_000);
    const release = await tab().take({});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watcher.other.getState().status).toBe("there");
    release?.();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(watcher.other.getState().status).toBe("gone");
  });

  it("is checked when the page becomes visible, and not while hidden", async () => {
    vi.useFakeTimers();
    const sight = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    const watcher = watched();
    await tab().take({});
    await vi.advanceTimersByTimeAsync(5_000);
    expect(watcher.other.getState().status).toBe("unseen");
    sight.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(0);
    expect(watcher.other.getState().status).toBe("there");
  });

  it("does not count as another tab's while it is ours or being released", async () => {
    const own = tab();
    const release = await own.take({});
    await own.check();
    expect(own.other.getState().status).toBe("unseen");
    release?.();
    await own.check();
    expect(own.other.getState().status).toBe("unseen");
    expect(await own.take({ steal: true })).not.toBeNull();
    await own.check();
    expect(own.other.getState().status).toBe("unseen");
  });

  it("notifies its owner at once when another tab takes it", async () => {
    const loser = tab();
    await loser.take({});
    await tab().take({ steal: true });
    await expect.poll(() => loser.other.getState().status).toBe("there");
  });

  it("is never known to be taken if a browser has no locks, or does not report their owners", async () => {
    const { request } = locks;
    const silent = { request: request.bind(locks) } as unknown as LockManager;
    await tab("harbour", silent).take({});
    for (const lock of [tab("harbour", silent), new RoomLock({ ...noLocks(), roomId: () => "harbour" })]) {
      await lock.check();
      expect(lock.other.getState().status).toBe("unseen");
    }
    expect(await new RoomLock({ ...noLocks(), roomId: () => "harbour" }).take({})).not.toBeNull();
  });
});

function noLocks() {
  return { locks: undefined, storage: { read: () => null, write: () => {}, remove: () => {} } };
}
