import { type RefObject, useLayoutEffect, useRef } from "react";

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Move {
  readonly from: Place;
  readonly to: Place;
  readonly animation: Animation | null;
}

const timing: KeyframeAnimationOptions = { duration: 250, easing: "cubic-bezier(0.2, 0, 0, 1)" };

/**
 * When the arrangement changes, tiles move smoothly from their previous place and new ones fade in. Nothing
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
      const to = placeOf(element);
      if (skipsAnimation) now.set(id, { from: to, to, animation: known?.animation ?? null });
      else if (known === undefined) {
        if (before.size > 0) element.animate({ opacity: [0, 1] }, timing);
        now.set(id, { from: to, to, animation: null });
      } else {
        const from = shownPlace(known);
        known.animation?.cancel();
        now.set(id, { from, to, animation: isSame(from, to) ? null : animate(element, from, to) });
      }
    }
    moves.current = now;
    last.current = arrangement;
  });
}

/** The place of an element in the layout, ignoring animations. */
function placeOf(element: HTMLElement): Place {
  const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = element;
  return { x, y, width, height };
}

/** The place where a tile is visible now, perhaps during an animation. */
function shownPlace({ from, to, animation }: Move): Place {
  const progress = animation?.effect?.getComputedTiming().progress ?? 1;
  const between = (a: number, b: number) => a + (b - a) * progress;
  return {
    x: between(from.x, to.x),
    y: between(from.y, to.y),
    width: between(from.width, to.width),
    height: between(from.height, to.height),
  };
}

function isSame(a: Place, b: Place): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

function animate(element: HTMLElement, from: Place, to: Place): Animation | null {
  if (from.width === 0 || to.width === 0 || to.height === 0) return null;
  const scale = `scale(${from.width / to.width}, ${from.height / to.height})`;
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) ${scale}`;
  return element.animate({ transformOrigin: ["0 0", "0 0"], transform: [start, "none"] }, timing);
}
