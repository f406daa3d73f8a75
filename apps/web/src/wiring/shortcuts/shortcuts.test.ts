// @vitest-environment happy-dom
import { describe, expect, test, vi } from "vitest";
import { isShortcut, isTyping } from "./shortcuts.ts";

const nothingHeld = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test("a shortcut is its key with exactly its modifiers", () => {
  const press = { ...nothingHeld, key: "f" };
  expect(isShortcut({ ...press, ctrlKey: true }, "search")).toBe(true);
  expect(isShortcut({ ...press, metaKey: true }, "search")).toBe(true);
  expect(isShortcut({ ...press, key: "F", ctrlKey: true }, "search")).toBe(true);
  expect(isShortcut(press, "search")).toBe(false);
  expect(isShortcut({ ...press, ctrlKey: true, shiftKey: true }, "search")).toBe(false);
  expect(isShortcut({ ...press, ctrlKey: true, altKey: true }, "search")).toBe(false);
});

test("a symbol matches with and without Shift, because keyboards differ", () => {
  expect(isShortcut({ ...nothingHeld, key: "?", shiftKey: true }, "help")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "?" }, "help")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "?", ctrlKey: true }, "help")).toBe(false);
});

test("+, − and 0 zoom, wherever and with whatever digits a keyboard has them", () => {
  expect(isShortcut({ ...nothingHeld, key: "+", shiftKey: true }, "zoomIn")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "+", ctrlKey: true }, "zoomIn")).toBe(false);
  expect(isShortcut({ ...nothingHeld, key: "-" }, "zoomOut")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "۰", code: "Digit0" }, "zoomReset")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "à", code: "Digit0" }, "zoomReset")).toBe(false);
});

test("every combination of a shortcut matches", () => {
  expect(isShortcut({ ...nothingHeld, key: "Enter", ctrlKey: true }, "send")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "Enter", shiftKey: true }, "send")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "Enter" }, "send")).toBe(false);
});

test("a browser's autofill event is not a shortcut", () => {
  for (const name of ["help", "search", "send"] as const) expect(isShortcut(nothingHeld, name)).toBe(false);
});

describe("a letter", () => {
  const press = (key: string, code: string, change: object = {}) => ({
    ...nothingHeld,
    key,
    code,
    ...change,
  });
  const ctrl = { ctrlKey: true };

  test.each([
    ["Russian", "а", "KeyF"],
    ["Greek", "φ", "KeyF"],
    ["Hebrew", "כ", "KeyF"],
    ["Arabic", "ب", "KeyF"],
    ["Korean", "ㄹ", "KeyF"],
    ["Russian, with caps lock", "А", "KeyF"],
  ])("is the key at its place where the layout yields none: %s", (_layout, key, code) => {
    expect(isShortcut(press(key, code, ctrl), "search")).toBe(true);
    expect(isShortcut(press(key, "KeyA", ctrl), "search")).toBe(false);
  });

  test.each([
    ["Dvorak", "f", "KeyY", true],
    ["Dvorak, where another letter is at its place", "u", "KeyF", false],
    ["AZERTY", "f", "KeyF", true],
    ["a Latin letter with an accent at its place", "é", "KeyF", false],
  ])("is the printed one where the layout yields Latin letters: %s", (_layout, key, code, isPressed) => {
    expect(isShortcut(press(key, code, ctrl), "search")).toBe(isPressed);
  });

  test("of a call is found on every layout", () => {
    expect(isShortcut(press("ь", "KeyM"), "mute")).toBe(true);
    expect(isShortcut(press("μ", "KeyM"), "mute")).toBe(true);
    expect(isShortcut(press("м", "KeyV"), "camera")).toBe(true);
    expect(isShortcut(press("ы", "KeyS"), "shareScreen")).toBe(true);
    // Russian has a letter that looks like M at another place.
    expect(isShortcut(press("м", "KeyV"), "mute")).toBe(false);
  });

  test("is not an Arabic question mark, which asks for help", () => {
    expect(isShortcut(press("؟", "Slash", { shiftKey: true }), "help")).toBe(true);
    expect(isShortcut(press("？", "Slash", { shiftKey: true }), "help")).toBe(true);
    expect(isShortcut(press("ظ", "Slash"), "help")).toBe(false);
  });
});

describe("the third level of a keyboard", () => {
  const field = document.createElement("textarea");
  document.body.append(field);
  const altT = { ...nothingHeld, altKey: true, code: "KeyT" };
  const held = (name: string) => ({ getModifierState: (modifier: string) => modifier === name });

  test("writes characters and is no shortcut: AltGr", () => {
    expect(isShortcut({ ...altT, key: "ŧ", ...held("AltGraph") }, "toasts")).toBe(false);
    expect(isShortcut({ ...altT, key: "t", ...held("AltGraph") }, "toasts")).toBe(false);
    expect(isShortcut({ ...altT, key: "t", ctrlKey: true }, "toasts")).toBe(false);
    expect(isShortcut({ ...nothingHeld, key: "?", code: "KeyW", ...held("AltGraph") }, "help")).toBe(false);
  });

  test("writes characters while one types on a Mac: Option", () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)",
    );
    const option = { ...altT, key: "†", ...held("AltGraph") }; // Firefox calls Option so
    expect(isShortcut({ ...option, target: field }, "toasts")).toBe(false);
    expect(isShortcut({ ...option, target: document.body }, "toasts")).toBe(true);
  });

  test("is not meant by Alt elsewhere, nor by F8", () => {
    expect(isShortcut({ ...altT, key: "t", target: field }, "toasts")).toBe(true);
    expect(isShortcut({ ...altT, key: "е", target: field }, "toasts")).toBe(true);
    expect(isShortcut({ ...nothingHeld, key: "F8", code: "F8", target: field }, "toasts")).toBe(true);
  });
});

test("a key that an input method handles is not a shortcut", () => {
  expect(isShortcut({ ...nothingHeld, key: "Enter", keyCode: 229 }, "older")).toBe(false);
  expect(isShortcut({ ...nothingHeld, key: "Process", code: "KeyM" }, "mute")).toBe(false);
});

test("typing in a field is not a shortcut", () => {
  document.body.innerHTML = '<textarea></textarea><button><span id="s"></span></button>';
  expect(isTyping({ target: document.querySelector("textarea") })).toBe(true);
  expect(isTyping({ target: document.querySelector("#s") })).toBe(false);
  expect(isTyping({ target: document })).toBe(false);
});
