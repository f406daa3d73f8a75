import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useVisibleHeight } from "./use-visible-height.ts";

/** What is seen of a window of 800 px, above a keyboard. */
class FakeViewport extends EventTarget {
  scale = 1;
  height = 800;

  become(height: number, scale = 1): void {
    Object.assign(this, { height, scale });
    this.dispatchEvent(new Event("resize"));
  }
}

function Page() {
  useVisibleHeight();
  return <input aria-label="in the page" />;
}

function openPage() {
  const viewport = new FakeViewport();
  vi.stubGlobal("visualViewport", viewport);
  vi.stubGlobal("innerHeight", 800);
  const scrollTo = vi.fn();
  vi.stubGlobal("scrollTo", scrollTo);
  document.body.innerHTML = '<div id="root"></div><input id="outside">';
  const root = document.getElementById("root") as HTMLElement;
  const page = render(<Page />, { container: root });
  root.querySelector("input")?.focus();
  return { viewport, scrollTo, ...page };
}

const heightOfPage = () => document.documentElement.style.getPropertyValue("--visible-height");

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

it("makes the page as high as a keyboard leaves it, and as high as before without one", () => {
  const { viewport, scrollTo, unmount } = openPage();
  viewport.become(460);
  expect(heightOfPage()).toBe("460px");
  expect(scrollTo).toHaveBeenCalledWith(0, 0);
  viewport.become(800);
  expect(heightOfPage()).toBe("");
  viewport.become(460);
  unmount();
  expect(heightOfPage()).toBe("");
});

it("leaves the page alone when it is zoomed, and when bars of the browser come", () => {
  const { viewport, scrollTo } = openPage();
  viewport.become(400, 2);
  viewport.become(740);
  expect(heightOfPage()).toBe("");
  expect(scrollTo).not.toHaveBeenCalled();
});

it("leaves the field of a dialog to the browser", () => {
  const { viewport, scrollTo } = openPage();
  document.getElementById("outside")?.focus();
  viewport.become(460);
  expect(heightOfPage()).toBe("");
  expect(scrollTo).not.toHaveBeenCalled();
});
