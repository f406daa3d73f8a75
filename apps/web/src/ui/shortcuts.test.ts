// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { isShortcut, isTyping } from "./shortcuts.ts";

const nothingHeld = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test("a shortcut is its key with exactly what is held", () => {
  const press = { ...nothingHeld, key: "f" };
  expect(isShortcut({ ...press, ctrlKey: true }, "search")).toBe(true);
  expect(isShortcut({ ...press, metaKey: true }, "search")).toBe(true);
  expect(isShortcut({ ...press, key: "F", ctrlKey: true }, "search")).toBe(true);
  expect(isShortcut(press, "search")).toBe(false);
  expect(isShortcut({ ...press, ctrlKey: true, shiftKey: true }, "search")).toBe(false);
  expect(isShortcut({ ...press, ctrlKey: true, altKey: true }, "search")).toBe(false);
});

test("a sign is the same with Shift and without, as keyboards differ", () => {
  expect(isShortcut({ ...nothingHeld, key: "?", shiftKey: true }, "help")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "?" }, "help")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "?", ctrlKey: true }, "help")).toBe(false);
});

test("every way to press a shortcut counts", () => {
  expect(isShortcut({ ...nothingHeld, key: "Enter", ctrlKey: true }, "send")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "Enter", shiftKey: true }, "send")).toBe(true);
  expect(isShortcut({ ...nothingHeld, key: "Enter" }, "send")).toBe(false);
});

test("what a browser calls a press while it fills in a field is no shortcut", () => {
  for (const name of ["help", "search", "send"] as const) expect(isShortcut(nothingHeld, name)).toBe(false);
});

test("what goes into a field is no shortcut", () => {
  document.body.innerHTML = '<textarea></textarea><button><span id="s"></span></button>';
  expect(isTyping({ target: document.querySelector("textarea") })).toBe(true);
  expect(isTyping({ target: document.querySelector("#s") })).toBe(false);
  expect(isTyping({ target: document })).toBe(false);
});
