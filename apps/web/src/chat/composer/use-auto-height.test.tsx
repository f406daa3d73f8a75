import { cleanup, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useAutoHeight } from "./use-auto-height.ts";

/** Simulated layout: the width determines the characters per line. */
const layout = { width: 600, text: "" };
const charactersPerLine = () => layout.width / 10;
let reportSizes = (): void => {};

beforeEach(() => {
  layout.width = 600;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        reportSizes = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockImplementation(() => layout.width);
  vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockImplementation(
    () => 20 * Math.ceil(layout.text.length / charactersPerLine()),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Field({ text, placeholder = "" }: { readonly text: string; readonly placeholder?: string }) {
  const input = useRef<HTMLTextAreaElement>(null);
  useAutoHeight(input, text, placeholder);
  return <textarea ref={input} readOnly value={text} style={{ lineHeight: "20px", padding: "0px" }} />;
}

function show(text: string): HTMLTextAreaElement {
  layout.text = text;
  render(<Field text={text} />);
  return screen.getByRole("textbox");
}

test("measures an unchanged text again when the window narrows, and when it widens", async () => {
  const field = show("x".repeat(120));
  expect(field.style.height).toBe("40px");
  layout.width = 300;
  reportSizes();
  await expect.poll(() => field.style.height).toBe("80px");
  layout.width = 600;
  reportSizes();
  await expect.poll(() => field.style.height).toBe("40px");
});

test("is as high as the current placeholder", () => {
  layout.text = "x".repeat(120);
  const { rerender } = render(<Field text="" placeholder={layout.text} />);
  const field = screen.getByRole("textbox");
  expect(field.style.height).toBe("40px");
  layout.text = "x".repeat(30);
  rerender(<Field text="" placeholder={layout.text} />);
  expect(field.style.height).toBe("20px");
});

test("grows to eight lines, then scrolls", async () => {
  const field = show("x".repeat(360));
  expect([field.style.height, field.style.overflowY]).toEqual(["120px", "hidden"]);
  layout.width = 200;
  reportSizes();
  await expect.poll(() => [field.style.height, field.style.overflowY]).toEqual(["160px", "auto"]);
});

test("does not measure again because of its own height", async () => {
  const field = show("x".repeat(120));
  field.style.height = "41px";
  reportSizes();
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(field.style.height).toBe("41px");
});
