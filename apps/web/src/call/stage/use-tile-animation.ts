import { type RefObject, useLayoutEffect, useRef } from "react";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Move {
  readonly from: Box;
  readonly to: Box;
  readonly animation: Animation | null;
}

const timing: KeyframeAnimationOptions = { duration: 250, easing: "cubic-bezier(0.2, 0, 0, 1)" };

/**
 * When the arrangement changes, tiles move smoothly from their previous box and new ones fade in. Nothing
 * is animated with reduced motion, or if only the window is resized.
 * @param box the positioned parent of the elements with `data-tile`, whose values identify them.
 * @param arrangement changes whenever tiles should be animated.
 */
export function useTileAnimation(box: RefObject<HTMLElement | null>, arrangement: string): void {
  const moves = useRef<ReadonlyMap<string, Move>>(new Map());
  const last = useRef("");
  useLayoutEffect(() => {
    const skipsAnimation =
      last.current === arrangement || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = moves.current;
    const now = new Map<string, Move>();
    for (const element of box.current?.querySelectorAll<HTMLElement>("[data-tile]") ?? []) {
      const id = element.dataset.tile ?? "";
      const known = before.get(id);
      const to = boxOf(element);
      if (skipsAnimation) now.set(id, { from: to, to, animation: known?.animation ?? null });
      else if (known === undefined) {
        if (before.size > 0) element.animate({ opacity: [0, 1] }, timing);
        now.set(id, { from: to, to, animation: null });
      } else {
        const from = shownBox(known);
        known.animation?.cancel();
        now.set(id, { from, to, animation: isSame(from, to) ? null : animate(element, from, to) });
      }
    }
    moves.current = now;
    last.current = arrangement;
  });
}

/** The box of an element in the layout, ignoring animations. */
function boxOf(element: HTMLElement): Box {
  const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = element;
  return { x, y, width, height };
}

/** The box in which a tile is visible now, perhaps during an animation. */
function shownBox({ from, to, animation }: Move): Box {
  const progress = animation?.effect?.getComputedTiming().progress ?? 1;
  const between = (a: number, b: number) => a + (b - a) * progress;
  return {
    x: between(from.x, to.x),
    y: between(from.y, to.y),
    width: between(from.width, to.width),
    height: between(from.height, to.height),
  };
}

function isSame(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

function animate(element: HTMLElement, from: Box, to: Box): Animation | null {
  if (from.width === 0 || to.width === 0 || to.height === 0) return null;
  const scale = `scale(${from.width / to.width}, ${from.height / to.height})`;
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) ${scale}`;
  return element.animate({ transformOrigin: ["0 0", "0 0"], transform: [start, "none"] }, timing);
}
