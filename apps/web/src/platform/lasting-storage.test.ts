import { describe, expect, it, vi } from "vitest";
import { LastingStorage } from "./lasting-storage.ts";

describe("storage that lasts", () => {
  it("is asked for once, whatever the browser says", async () => {
    const persist = vi.fn(() => Promise.reject(new TypeError("not here")));
    const storage = new LastingStorage({ persist });
    await storage.ask();
    await storage.ask();
    expect(persist).toHaveBeenCalledTimes(1);
  });

  it.each([undefined, {}])("is not asked for where there is none: %j", async (storage) => {
    await expect(new LastingStorage(storage).ask()).resolves.toBeUndefined();
  });
});
