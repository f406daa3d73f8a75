// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ClipboardWriter, readClipboard } from "./clipboard.ts";

describe("clipboard", () => {
  const writeText = vi.fn<(text: string) => Promise<void>>();
  const userActivation = { isActive: false };
  let writer: ClipboardWriter;

  beforeEach(() => {
    writer = new ClipboardWriter();
    userActivation.isActive = false;
    writeText.mockReset().mockResolvedValue();
    vi.stubGlobal("navigator", { clipboard: { writeText }, userActivation });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("writes a text", async () => {
    expect(await writer.write("hello")).toEqual({ status: "written" });
    expect(writeText).toHaveBeenCalledWith("hello");
  });

  it.each([
    ["written by the older command outside a secure context", true, "written"],
    ["not supported outside a secure context without a press", false, "unsupported"],
  ])("is %s", async (_case, isPressed, status) => {
    vi.stubGlobal("navigator", {});
    const setData = vi.fn();
    document.execCommand = (command) => {
      const event = Object.assign(new Event(command), { clipboardData: { setData } });
      return isPressed && document.dispatchEvent(event);
    };
    expect(await writer.write("hello")).toEqual({ status });
    expect(setData.mock.calls).toEqual(isPressed ? [["text/plain", "hello"]] : []);
    expect(document.body.textContent).toBe("");
  });

  it("reports why the browser refuses while the window has the focus", async () => {
    vi.spyOn(document, "hasFocus").mockReturnValue(true);
    writeText.mockRejectedValue(new Error("Write permission denied."));
    expect(await writer.write("hello")).toEqual({ status: "failed", reason: "Write permission denied." });
  });

  it("writes pending texts once and in order when the window gets the focus back", async () => {
    const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
    writeText.mockRejectedValue(new Error("Document is not focused."));
    expect(await writer.write("first")).toEqual({ status: "queued" });
    expect(await writer.write("second")).toEqual({ status: "queued" });
    writeText.mockClear();
    // The focus is lost again before anything could be written.
    window.dispatchEvent(new Event("focus"));
    expect(await writer.write("third")).toEqual({ status: "queued" });
    writeText.mockReset().mockResolvedValue();
    focus.mockReturnValue(true);
    window.dispatchEvent(new Event("focus"));
    window.dispatchEvent(new Event("focus"));
    expect(await writer.write("fourth")).toEqual({ status: "written" });
    expect(writeText.mock.calls).toEqual([["first"], ["second"], ["third"], ["fourth"]]);
  });

  it("keeps rejected texts while the focus returns", async () => {
    const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
    writeText.mockImplementationOnce(async () => {
      focus.mockReturnValue(true);
      throw new Error("Document is not focused.");
    });
    expect(await writer.write("first")).toEqual({ status: "queued" });
    expect(await writer.write("second")).toEqual({ status: "written" });
    expect(writeText.mock.calls).toEqual([["first"], ["first"], ["second"]]);
  });

  it.each(["pointerup", "keydown"])(
    "keeps pending texts if the focus alone is not enough, as in Firefox, until the next %s",
    async (press) => {
      const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
      writeText.mockImplementation(async () => {
        if (!userActivation.isActive) throw new Error("Clipboard write is not allowed.");
      });
      await writer.write("first");
      await writer.write("second");
      focus.mockReturnValue(true);
      window.dispatchEvent(new Event("focus"));
      expect(await writer.write("third")).toEqual({ status: "queued" });
      userActivation.isActive = true;
      writeText.mockClear();
      window.dispatchEvent(new Event(press));
      expect(await writer.write("fourth")).toEqual({ status: "written" });
      expect(writeText.mock.calls).toEqual([["first"], ["second"], ["third"], ["fourth"]]);
    },
  );

  it("continues with the next text if a pending one is rejected after a click", async () => {
    const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
    writeText.mockRejectedValue(new Error("Document is not focused."));
    await writer.write("first");
    await writer.write("second");
    focus.mockReturnValue(true);
    userActivation.isActive = true;
    writeText.mockReset().mockRejectedValueOnce(new Error("Write permission denied.")).mockResolvedValue();
    window.dispatchEvent(new Event("pointerup"));
    await writer.write("third");
    expect(writeText.mock.calls).toEqual([["first"], ["second"], ["third"]]);
  });

  /** A clipboard with one item, given by its types. */
  const holding = (content: Readonly<Record<string, string>>) => ({
    read: async () => [
      {
        types: Object.keys(content),
        getType: async (type: string) => new Blob([content[type] ?? ""], { type }),
      },
    ],
  });

  it("reads text, markup and pictures", async () => {
    vi.stubGlobal("navigator", {
      clipboard: holding({ "text/plain": "a", "text/html": "<b>a</b>", "image/png": "PNG" }),
    });
    const read = await readClipboard();
    expect(read).toMatchObject({ status: "read", text: "a", html: "<b>a</b>" });
    const files = read.status === "read" ? read.files : [];
    expect(files.map(({ name, type, size }) => ({ name, type, size }))).toEqual([
      { name: "image.png", type: "image/png", size: 3 },
    ]);
  });

  it("reads nothing from a clipboard with only unknown types", async () => {
    const unknown = new DOMException("No valid data on clipboard.", "DataError");
    vi.stubGlobal("navigator", { clipboard: { read: () => Promise.reject(unknown) } });
    expect(await readClipboard()).toEqual({ status: "read", text: "", html: "", files: [] });
  });

  it("reports why it cannot read", async () => {
    vi.stubGlobal("navigator", { clipboard: { read: () => Promise.reject(new Error("no")) } });
    expect(await readClipboard()).toEqual({ status: "denied" });
    vi.stubGlobal("navigator", {});
    expect(await readClipboard()).toEqual({ status: "unsupported" });
  });
});
