import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SheetHandle } from "./sheet-handle.tsx";

beforeEach(() => {
  // happy-dom has no pointer capture.
  HTMLElement.prototype.setPointerCapture = () => {};
});
afterEach(cleanup);

/** Pulls the handle of a sheet down and lets go. */
function pull(byPx: number) {
  const keys: string[] = [];
  const { container } = render(
    <div>
      <SheetHandle className="" />
    </div>,
  );
  container.addEventListener("keydown", ({ key }) => keys.push(key));
  const sheet = container.firstElementChild as HTMLElement;
  const handle = sheet.firstElementChild as HTMLElement;
  fireEvent.pointerDown(handle, { pointerId: 1, clientY: 400 });
  fireEvent.pointerMove(handle, { pointerId: 1, clientY: 400 + byPx });
  const whilePulled = sheet.style.translate;
  fireEvent.pointerUp(handle, { pointerId: 1, clientY: 400 + byPx });
  return { whilePulled, keys, sheet };
}

test("a sheet follows its handle down, and closes as by Escape", () => {
  const { whilePulled, keys } = pull(90);
  expect([whilePulled, keys]).toEqual(["0 90px", ["Escape"]]);
});

test("a sheet that was pulled a little returns, and is not pulled up", () => {
  const { whilePulled, keys, sheet } = pull(40);
  expect([whilePulled, keys, sheet.style.translate]).toEqual(["0 40px", [], ""]);
  cleanup();
  expect(pull(-90)).toMatchObject({ whilePulled: "", keys: [] });
});
