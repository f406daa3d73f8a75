// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const computers = {
  mac: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15",
  other: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
};

async function keysOn(userAgent: string) {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(userAgent);
  return (await import("./printed-keys.ts")).printedKeys;
}

beforeEach(() => vi.resetModules());
afterEach(() => vi.restoreAllMocks());

test("keys are named as printed on the keyboards of each system", async () => {
  const keys = await keysOn(computers.other);
  expect(["Ctrl F", "Alt T", "Shift Enter", "Delete", "ArrowUp", "ArrowLeft", "?"].map(keys)).toEqual([
    "Ctrl F",
    "Alt T",
    "Shift Enter",
    "Del",
    "↑",
    "←",
    "?",
  ]);
});

test("a Mac has its command key, also within a sentence", async () => {
  const keys = await keysOn(computers.mac);
  expect(["Ctrl F", "Alt T", "Delete"].map(keys)).toEqual(["⌘ F", "⌥ T", "⌫"]);
  expect(keys("Shift Enter then starts a new line. Ctrl Enter sends either way.")).toBe(
    "Shift Enter then starts a new line. ⌘ Enter sends either way.",
  );
  expect(keys("在聊天页按 Ctrl V 就发送你复制的内容")).toBe("在聊天页按 ⌘ V 就发送你复制的内容");
});
