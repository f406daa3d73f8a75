import { cleanup, render } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useTileAnimation } from "./use-tile-animation.ts";

const animate = vi.fn();

beforeEach(() => {
  animate.mockReset().mockReturnValue({
    cancel: () => {},
    effect: { getComputedTiming: () => ({ progress: 0.5 }) },
  });
  Object.defineProperty(HTMLElement.prototype, "animate", { value: animate, configurable: true });
  // happy-dom has no layout: tiles in a row, 800 px wide together.
  const layout = { offsetLeft: leftOf, offsetTop: () => 0, offsetWidth: widthOf, offsetHeight: () => 100 };
  for (const [name, get] of Object.entries(layout))
    vi.spyOn(HTMLElement.prototype, name as "offsetLeft", "get").mockImplementation(function (
      this: HTMLElement,
    ) {
      return get(this);
    });
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  Reflect.deleteProperty(HTMLElement.prototype, "animate");
});

function widthOf(element: HTMLElement): number {
  return 800 / (element.parentElement?.children.length ?? 1);
}

function leftOf(element: HTMLElement): number {
  return [...(element.parentElement?.children ?? [])].indexOf(element) * widthOf(element);
}

function Row({ ids }: { readonly ids: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  useTileAnimation(box, ids.join(" "));
  return (
    <div ref={box}>
      {ids.map((id) => (
        <p key={id} data-tile={id} />
      ))}
    </div>
  );
}

it("animates tiles from their visible position, and fades in a new one", () => {
  const { rerender } = render(<Row ids={["me"]} />);
  expect(animate).not.toHaveBeenCalled();
  rerender(<Row ids={["bo", "me"]} />);
  expect(animate.mock.calls.map(([frames]) => frames)).toEqual([
    { opacity: [0, 1] },
    { transformOrigin: ["0 0", "0 0"], transform: ["translate(-400px, 0px) scale(2, 1)", "none"] },
  ]);
  // Half-way, mine is visible at 200 px with a width of 600 px; the next animation starts there.
  animate.mockClear();
  rerender(<Row ids={["bo", "me", "cy", "di"]} />);
  expect(animate.mock.calls.map(([frames]) => frames)).toContainEqual({
    transformOrigin: ["0 0", "0 0"],
    transform: ["translate(0px, 0px) scale(3, 1)", "none"],
  });
});

it("animates nothing if the arrangement is unchanged or reduced motion is preferred", () => {
  const { rerender } = render(<Row ids={["me"]} />);
  rerender(<Row ids={["me"]} />);
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  rerender(<Row ids={["bo", "me"]} />);
  vi.unstubAllGlobals();
  expect(animate).not.toHaveBeenCalled();
});
