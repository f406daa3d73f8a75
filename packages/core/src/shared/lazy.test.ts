import { WarrenError } from "@warren/protocol";
import { describe, expect, it, vi } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { Lazy } from "./lazy.ts";

describe("an object whose code is loaded at its first use", () => {
  it("is created once, however many ask for it", async () => {
    const create = vi.fn(async () => () => ({}));
    const lazy = new Lazy(new FakeClock(), create);
    expect(lazy.value).toBeNull();
    const [one, other] = await Promise.all([lazy.load(), lazy.load()]);
    expect(one).toBe(other);
    expect(lazy.value).toBe(one);
    expect(create).toHaveBeenCalledTimes(1);
  });

  it("is tried again after its code could not be fetched, once a second at most", async () => {
    const clock = new FakeClock();
    const fetch = vi.fn(async () => () => "here").mockRejectedValueOnce(new TypeError("offline"));
    const lazy = new Lazy(clock, fetch);
    for (let n = 0; n < 3; n++)
      await expect(lazy.load()).rejects.toEqual(new WarrenError("app-code-missing"));
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(lazy.value).toBeNull();
    await clock.advance(1_000);
    expect(await lazy.load()).toBe("here");
  });

  it("rejects with what creating it throws, and is created again at once", async () => {
    const create = vi
      .fn(() => "here")
      .mockImplementationOnce(() => {
        throw new WarrenError("connection-closed");
      });
    const lazy = new Lazy(new FakeClock(), async () => create);
    await expect(lazy.load()).rejects.toEqual(new WarrenError("connection-closed"));
    expect(await lazy.load()).toBe("here");
  });

  it("is known before anything else runs, so that nothing happens to it unseen", async () => {
    const seen: unknown[] = [];
    const lazy: Lazy<string> = new Lazy(new FakeClock(), async () => () => {
      queueMicrotask(() => seen.push(lazy.value));
      return "here";
    });
    await lazy.load();
    expect(seen).toEqual(["here"]);
  });
});
