import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readClipboard, writeClipboard } from "./clipboard.ts";

describe("clipboard", () => {
  const writeText = vi.fn<(text: string) => Promise<void>>();

  beforeEach(() => {
    writeText.mockReset().mockResolvedValue();
    vi.stubGlobal("navigator", { clipboard: { writeText } });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("writes a text", async () => {
    expect(await writeClipboard("hello")).toEqual({ status: "written" });
    expect(writeText).toHaveBeenCalledWith("hello");
  });

  it("is not supported outside a secure context", async () => {
    vi.stubGlobal("navigator", {});
    expect(await writeClipboard("hello")).toEqual({ status: "unsupported" });
  });

  it("says why when the browser refuses while the window has focus", async () => {
    vi.spyOn(document, "hasFocus").mockReturnValue(true);
    writeText.mockRejectedValue(new Error("Write permission denied."));
    expect(await writeClipboard("hello")).toEqual({ status: "failed", reason: "Write permission denied." });
  });

  it("writes what waited, all in order and once, when the window gets its focus back", async () => {
    const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
    writeText.mockRejectedValue(new Error("Document is not focused."));
    expect(await writeClipboard("first")).toEqual({ status: "queued" });
    expect(await writeClipboard("second")).toEqual({ status: "queued" });
    writeText.mockClear();
    // The focus is lost again before anything could be written.
    window.dispatchEvent(new Event("focus"));
    expect(await writeClipboard("third")).toEqual({ status: "queued" });
    writeText.mockReset().mockResolvedValue();
    focus.mockReturnValue(true);
    window.dispatchEvent(new Event("focus"));
    window.dispatchEvent(new Event("focus"));
    expect(await writeClipboard("fourth")).toEqual({ status: "written" });
    expect(writeText.mock.calls).toEqual([["first"], ["second"], ["third"], ["fourth"]]);
  });

  it("goes on with the next when one that waited is refused", async () => {
    const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
    writeText.mockRejectedValue(new Error("Document is not focused."));
    await writeClipboard("first");
    await writeClipboard("second");
    focus.mockReturnValue(true);
    const refusal = new Error("Write permission denied.");
    writeText.mockReset().mockRejectedValueOnce(refusal).mockRejectedValueOnce(refusal).mockResolvedValue();
    window.dispatchEvent(new Event("focus"));
    await writeClipboard("third");
    expect(writeText.mock.calls).toEqual([["first"], ["first"], ["second"], ["third"]]);
  });

  it("reads a text, or says why it cannot", async () => {
    vi.stubGlobal("navigator", { clipboard: { readText: async () => "hello" } });
    expect(await readClipboard()).toEqual({ status: "read", text: "hello" });
    vi.stubGlobal("navigator", { clipboard: { readText: () => Promise.reject(new Error("no")) } });
    expect(await readClipboard()).toEqual({ status: "denied" });
    vi.stubGlobal("navigator", {});
    expect(await readClipboard()).toEqual({ status: "unsupported" });
  });
});
