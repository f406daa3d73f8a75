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

  it("writes the newest text once when the window gets its focus back", async () => {
    vi.spyOn(document, "hasFocus").mockReturnValue(false);
    writeText.mockRejectedValue(new Error("Document is not focused."));
    expect(await writeClipboard("first")).toEqual({ status: "queued" });
    expect(await writeClipboard("second")).toEqual({ status: "queued" });
    writeText.mockReset().mockResolvedValue();
    window.dispatchEvent(new Event("focus"));
    window.dispatchEvent(new Event("focus"));
    expect(writeText.mock.calls).toEqual([["second"]]);
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
