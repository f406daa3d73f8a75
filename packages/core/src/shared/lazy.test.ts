import { WarrenError } from "@warren/protocol";
import { describe, expect, it, vi } from "vitest";
import { Lazy } from "./lazy.ts";

describe("an object whose code is loaded at its first use", () => {
  it("is created once, however many ask for it", async () => {
    const create = vi.fn(async () => () => ({}));
    const lazy = new Lazy(create);
    expect(lazy.value).toBeNull();
    const [one, other] = await Promise.all([lazy.load(), lazy.load()]);
    expect(one).toBe(other);
    expect(lazy.value).toBe(one);
    expect(create).toHaveBeenCalledTimes(1);
  });

  it("is tried again after its code could not be fetched", async () => {
    const lazy = new Lazy(vi.fn(async () => () => "here").mockRejectedValueOnce(new TypeError("offline")));
    await expect(lazy.load()).rejects.toEqual(new WarrenError("transferer-not-initialized"));
    expect(lazy.value).toBeNull();
    expect(await lazy.load()).toBe("here");
  });

  it("is known before anything else runs, so that nothing happens to it unseen", async () => {
    const seen: unknown[] = [];
    const lazy: Lazy<string> = new Lazy(async () => () => {
      queueMicrotask(() => seen.push(lazy.value));
      return "here";
    });
    await lazy.load();
    expect(seen).toEqual(["here"]);
  });
});
