import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackGesture } from "./back-gesture.tsx";

/** As in browsers: the newest watcher hears Back, once. */
const watchers: EventTarget[] = [];
class Watcher extends EventTarget {
  constructor() {
    super();
    watchers.push(this);
  }
  destroy(): void {
    const index = watchers.indexOf(this);
    if (index >= 0) watchers.splice(index, 1);
  }
}
const goBack = (): void => void watchers.pop()?.dispatchEvent(new Event("close"));

const pointer = (kind: "coarse" | "fine") =>
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === `(pointer: ${kind})` }));

beforeEach(() => {
  watchers.length = 0;
  vi.stubGlobal("CloseWatcher", Watcher);
  pointer("coarse");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Renders a layer, and with a name of its own another one in it. */
function open(name: string, inner?: string) {
  const closed: string[] = [];
  const layer = (id: string, children?: React.ReactNode) => (
    <section aria-label={id}>
      <BackGesture />
      {children}
    </section>
  );
  const page = render(layer(name));
  if (inner !== undefined) page.rerender(layer(name, layer(inner)));
  page.container.addEventListener("keydown", ({ target, key }) => {
    closed.push(`${(target as Element).closest("section")?.getAttribute("aria-label")} ${key}`);
  });
  return { closed, close: page.unmount };
}

test("Back closes the newest layer as Escape does, every time while it is open", () => {
  const { closed, close } = open("dialog", "menu");
  goBack();
  goBack();
  expect(closed).toEqual(["menu Escape", "menu Escape"]);
  close();
  expect(watchers).toEqual([]);
});

test("with a mouse, and in a browser without close watchers, Back is the browser's", () => {
  pointer("fine");
  open("dialog");
  expect(watchers).toEqual([]);
  pointer("coarse");
  vi.stubGlobal("CloseWatcher", undefined);
  open("dialog");
  expect(watchers).toEqual([]);
});
