// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserEnvironment } from "./browser-environment.ts";

describe("browser environment", () => {
  const wake = vi.fn();
  let stop = (): void => {};
  let connection = Object.assign(new EventTarget(), { type: "wifi" });

  beforeEach(() => {
    connection = Object.assign(new EventTarget(), { type: "wifi" });
    vi.stubGlobal("navigator", { onLine: true, connection });
    vi.useFakeTimers();
    wake.mockClear();
    stop = browserEnvironment.on("wake", wake);
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("wakes when the network is back", () => {
    window.dispatchEvent(new Event("online"));
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it("wakes when the network changes without having been offline", () => {
    for (const [index, type] of ["cellular", "wifi", "ethernet"].entries()) {
      connection.type = type;
      connection.dispatchEvent(new Event("change"));
      expect(wake).toHaveBeenCalledTimes(index + 1);
    }
  });

  it("wakes for changes of unknown kind at most once in 30 s, and misses none", () => {
    const change = () => connection.dispatchEvent(new Event("change"));
    change();
    expect(wake).toHaveBeenCalledTimes(1);
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(5_000);
      change();
    }
    vi.advanceTimersByTime(4_999);
    expect(wake).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(300_000);
    expect(wake).toHaveBeenCalledTimes(2);
  });

  it("does not wake once stopped, even for an earlier change", () => {
    connection.dispatchEvent(new Event("change"));
    connection.dispatchEvent(new Event("change"));
    stop();
    vi.advanceTimersByTime(300_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it("does not wake for a change that leaves no network", () => {
    vi.stubGlobal("navigator", { onLine: false, connection });
    connection.type = "none";
    connection.dispatchEvent(new Event("change"));
    expect(wake).not.toHaveBeenCalled();
  });

  it("works without network information", () => {
    stop();
    vi.stubGlobal("navigator", { onLine: true });
    stop = browserEnvironment.on("wake", wake);
    window.dispatchEvent(new Event("online"));
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it("wakes when the page becomes visible, not when hidden", () => {
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(wake).not.toHaveBeenCalled();
    visibility.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it("wakes when timers are far too late, as after sleep, but not for a hidden tab's minute", () => {
    vi.advanceTimersByTime(20_000);
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(5_000);
    expect(wake).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 600_000);
    vi.advanceTimersByTime(5_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it("does not wake once stopped", () => {
    stop();
    window.dispatchEvent(new Event("online"));
    connection.dispatchEvent(new Event("change"));
    vi.setSystemTime(Date.now() + 600_000);
    vi.advanceTimersByTime(10_000);
    expect(wake).not.toHaveBeenCalled();
  });
});

describe("a closing page", () => {
  const hide = (persisted: boolean) =>
    window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted }));

  it("is reported if closed for good, not if cached for going back", () => {
    const gone = vi.fn();
    const stop = browserEnvironment.on("gone", gone);
    hide(true);
    expect(gone).not.toHaveBeenCalled();
    hide(false);
    expect(gone).toHaveBeenCalledTimes(1);
    stop();
    hide(false);
    expect(gone).toHaveBeenCalledTimes(1);
  });
});
