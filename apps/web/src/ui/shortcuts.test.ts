// @vitest-environment happy-dom
import { expect, test } from "vitest";
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

test("every combination of a shortcut matches", () => {
  expect(isShortcut({ ...nothingHeld, key: "Enter", ctrlKey: true }, "send")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "Enter", shiftKey: true }, "send")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "Enter" }, "send")).toBe(false);
});

test("a browser's autofill event is not a shortcut", () => {
  for (const name of ["help", "search", "send"] as const) expect(isShortcut(nothingHeld, name)).toBe(false);
});

test("typing in a field is not a shortcut", () => {
  document.body.innerHTML = '<textarea></textarea><button><span id="s"></span></button>';
  expect(isTyping({ target: document.querySelector("textarea") })).toBe(true);
  expect(isTyping({ target: document.querySelector("#s") })).toBe(false);
  expect(isTyping({ target: document })).toBe(false);
});
