import { cleanup, render } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useCalmLayout } from "./use-calm-layout.ts";

const animate = vi.fn();

beforeEach(() => {
  animate.mockReset().mockReturnValue({
    cancel: () => {},
    effect: { getComputedTiming: () => ({ progress: 0.5 }) },
  });
  Object.defineProperty(HTMLElement.prototype, "animate", { value: animate, configurable: true });
  // The layout that happy-dom does not do: tiles in a row, 800 px wide together.
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
  useCalmLayout(box, ids.join(" "));
  return (
    <div ref={box}>
      {ids.map((id) => (
        <p key={id} data-tile={id} />
      ))}
    </div>
  );
}

it("lets tiles glide from where they are seen, and a new one fade in", () => {
  const { rerender } = render(<Row ids={["me"]} />);
  expect(animate).not.toHaveBeenCalled();
  rerender(<Row ids={["bo", "me"]} />);
  expect(animate.mock.calls.map(([frames]) => frames)).toEqual([
    { opacity: [0, 1] },
    { transformOrigin: ["0 0", "0 0"], transform: ["translate(-400px, 0px) scale(2, 1)", "none"] },
  ]);
  // Half-way, mine is seen at 200 px, 600 px wide; it goes on from there.
  animate.mockClear();
  rerender(<Row ids={["bo", "me", "cy", "di"]} />);
  expect(animate.mock.calls.map(([frames]) => frames)).toContainEqual({
    transformOrigin: ["0 0", "0 0"],
    transform: ["translate(0px, 0px) scale(3, 1)", "none"],
  });
});

it("moves nothing while the arrangement is the same, or where a person prefers that", () => {
  const { rerender } = render(<Row ids={["me"]} />);
  rerender(<Row ids={["me"]} />);
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  rerender(<Row ids={["bo", "me"]} />);
  vi.unstubAllGlobals();
  expect(animate).not.toHaveBeenCalled();
});
