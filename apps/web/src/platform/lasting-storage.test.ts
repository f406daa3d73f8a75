import { describe, expect, it, vi } from "vitest";
import { LastingStorage } from "./lasting-storage.ts";

describe("persistent storage", () => {
  it("is requested once, whatever the browser answers", async () => {
    const persist = vi.fn(() => Promise.reject(new TypeError("not here")));
    const storage = new LastingStorage({ persist });
    await storage.ask();
    await storage.ask();
    expect(persist).toHaveBeenCalledTimes(1);
  });

  it.each([undefined, {}])("is not requested if unsupported: %j", async (storage) => {
    await expect(new LastingStorage(storage).ask()).resolves.toBeUndefined();
  });
});
