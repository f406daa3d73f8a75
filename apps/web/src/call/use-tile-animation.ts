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
 * Tiles glide from where they stood when the arrangement changes, and new ones fade in. They stand at once where a
 * person prefers reduced motion, and when only the window is resized.
 * @param box the positioned parent of the elements that have `data-tile`, whose values name them.
 * @param arrangement changes whenever tiles are to glide.
 */
export function useCalmLayout(box: RefObject<HTMLElement | null>, arrangement: string): void {
  const moves = useRef<ReadonlyMap<string, Move>>(new Map());
  const last = useRef("");
  useLayoutEffect(() => {
    const isCalm = last.current === arrangement || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const before = moves.current;
    const now = new Map<string, Move>();
    for (const element of box.current?.querySelectorAll<HTMLElement>("[data-tile]") ?? []) {
      const id = element.dataset.tile ?? "";
      const known = before.get(id);
      const to = placeOf(element);
      if (isCalm) now.set(id, { from: to, to, animation: known?.animation ?? null });
      else if (known === undefined) {
        if (before.size > 0) element.animate({ opacity: [0, 1] }, timing);
        now.set(id, { from: to, to, animation: null });
      } else {
        const from = shownPlace(known);
        known.animation?.cancel();
        now.set(id, { from, to, animation: isSame(from, to) ? null : glide(element, from, to) });
      }
    }
    moves.current = now;
    last.current = arrangement;
  });
}

/** Where the layout puts an element, whatever moves it meanwhile. */
function placeOf(element: HTMLElement): Place {
  const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = element;
  return { x, y, width, height };
}

/** Where a tile is seen now: on its way, perhaps. */
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

function glide(element: HTMLElement, from: Place, to: Place): Animation | null {
  if (from.width === 0 || to.width === 0 || to.height === 0) return null;
  const scale = `scale(${from.width / to.width}, ${from.height / to.height})`;
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) ${scale}`;
  return element.animate({ transformOrigin: ["0 0", "0 0"], transform: [start, "none"] }, timing);
}
