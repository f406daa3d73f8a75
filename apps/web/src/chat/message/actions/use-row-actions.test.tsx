import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fakeWarren } from "../../../testing/fake-warren.ts";
import { renderWithWarren } from "../../../testing/render-with-warren.tsx";
import { useRowActions } from "./use-row-actions.ts";

afterEach(cleanup);

function Row({ name }: { readonly name: string }) {
  const { isShown, hold, handlers } = useRowActions(() => false);
  return (
    <article {...handlers} aria-label={name} tabIndex={-1}>
      {isShown && (
        <div role="toolbar" aria-label={`Actions of ${name}`}>
          <button type="button">Copy</button>
          <button type="button" onClick={() => hold(true)}>
            Open
          </button>
          <button type="button" onClick={() => hold(false)}>
            Close
          </button>
        </div>
      )}
    </article>
  );
}

const row = (name: string) => screen.getByRole("article", { name });
const shown = () => screen.queryAllByRole("toolbar").map((strip) => strip.getAttribute("aria-label"));

function show() {
  return renderWithWarren(
    ["one", "two"].map((name) => <Row key={name} name={name} />),
    fakeWarren(),
  ).user;
}

test("shows the hovered row's actions instead of the focused one's, which return afterwards", async () => {
  const user = show();
  act(() => row("one").focus());
  expect(shown()).toEqual(["Actions of one"]);
  await user.hover(row("two"));
  expect(shown()).toEqual(["Actions of two"]);
  await user.unhover(row("two"));
  expect(shown()).toEqual(["Actions of one"]);
});

test("shows nothing of a row that came to lie below a resting pointer until that moves", () => {
  show();
  fireEvent.pointerEnter(row("one"), { pointerType: "mouse" });
  expect(shown()).toEqual([]);
  fireEvent.pointerMove(row("one"), { pointerType: "mouse" });
  expect(shown()).toEqual(["Actions of one"]);
});

test("shows the actions of a newly focused row instead of the hovered one's", async () => {
  const user = show();
  await user.hover(row("two"));
  act(() => row("one").focus());
  expect(shown()).toEqual(["Actions of one"]);
});

test("focused actions stay while the pointer crosses another row", async () => {
  const user = show();
  act(() => row("one").focus());
  const copy = screen.getByRole("button", { name: "Copy" });
  act(() => copy.focus());
  await user.hover(row("two"));
  expect(document.activeElement).toBe(copy);
  expect(shown()).toEqual(["Actions of one"]);
});

test("actions stay while one of them has something open, and go with the pointer once it is closed", () => {
  show();
  fireEvent.pointerMove(row("one"), { pointerType: "mouse" });
  fireEvent.click(screen.getByRole("button", { name: "Open" }));
  fireEvent.pointerOut(row("one"), { relatedTarget: document.body });
  fireEvent.pointerMove(row("two"), { pointerType: "mouse" });
  expect(shown()).toEqual(["Actions of one"]);
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  fireEvent.pointerOver(row("two"), { pointerType: "mouse" });
  expect(shown()).toEqual(["Actions of two"]);
});
