// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { webStorage } from "./web-storage.ts";

function fullStorage(held: Readonly<Record<string, string>> = {}): Storage {
  const storage: Storage = Object.create(Storage.prototype);
  return Object.assign(storage, {
    getItem: (key: string) => held[key] ?? null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
    removeItem: () => {
      throw new DOMException("denied", "SecurityError");
    },
  });
}

function denied(): Storage {
  throw new DOMException("denied", "SecurityError");
}

describe("web storage", () => {
  it("reads what it wrote, and nothing once removed", () => {
    const onDenied = vi.fn();
    const storage = webStorage(() => sessionStorage, onDenied);
    expect(storage.read("a")).toBeNull();
    storage.write("a", "1");
    expect(sessionStorage.getItem("a")).toBe("1");
    expect(storage.read("a")).toBe("1");
    storage.remove("a");
    expect(storage.read("a")).toBeNull();
    expect(onDenied).not.toHaveBeenCalled();
  });

  it("keeps values in memory if the browser denies storage, and reports it once", () => {
    const onDenied = vi.fn();
    const storage = webStorage(denied, onDenied);
    storage.write("a", "1");
    storage.write("b", "2");
    expect(storage.read("a")).toBe("1");
    storage.remove("a");
    expect(storage.read("a")).toBeNull();
    expect(onDenied).toHaveBeenCalledTimes(1);
  });

  it("returns the newest value if storage is full and still has an old one", () => {
    const storage = webStorage(
      () => fullStorage({ a: "old" }),
      () => {},
    );
    expect(storage.read("a")).toBe("old");
    storage.write("a", "new");
    expect(storage.read("a")).toBe("new");
    storage.remove("a");
    expect(storage.read("a")).toBeNull();
  });
});
