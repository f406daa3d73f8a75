import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { useTab } from "../tab/tab-context.ts";

const allCorners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;
export type Corner = (typeof allCorners)[number];

/** A press that moves less is a click. */
const slopPx = 6;

/** The corner in which something was left in this tab, and how to leave it in another; null before that. */
export function useChosenCorner(storageKey: string): readonly [Corner | null, (corner: Corner) => void] {
  const { storage } = useTab();
  const [chosen, setChosen] = useState(() => cornerOf(storage.read(storageKey)));
  const choose = (corner: Corner): void => {
    storage.write(storageKey, corner);
    setChosen(corner);
  };
  return [chosen, choose];
}

interface CornerDrag {
  /** Moves it with the arrow keys. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly dragHandlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => void;
  };
}

interface CornerDragOptions {
  readonly corner: Corner;
  /** Those it may be in; without them, all. */
  readonly corners?: readonly Corner[];
  /** Renders the box in another corner. */
  readonly onChoose: (corner: Corner) => void;
  /** What it is in a corner of; without it, the window. */
  readonly area?: RefObject<HTMLElement | null>;
}

/** Lets a box be dragged into another corner, or sent there with the arrow keys; it glides into its place. */
export function useCornerDrag(
  box: RefObject<HTMLElement | null>,
  { corner, corners = allCorners, onChoose, area }: CornerDragOptions,
): CornerDrag {
  const wasDragged = useRef(false);

  const settle = (next: Corner): void => {
    const element = box.current;
    const before = element?.getBoundingClientRect();
    element?.style.removeProperty("translate");
    onChoose(next);
    if (before === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    requestAnimationFrame(() => {
      const after = element?.getBoundingClientRect();
      if (after === undefined || (after.x === before.x && after.y === before.y)) return;
      element?.animate(
        { translate: [`${before.x - after.x}px ${before.y - after.y}px`, "0 0"] },
        { duration: 200, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" },
      );
    });
  };

  return {
    onKeyDown: (event) => {
      const next = afterKey(corner, event.key, corners);
      if (next === null) return;
      event.preventDefault();
      settle(next);
    },
    dragHandlers: {
      onPointerDown: ({ clientX, clientY, button, pointerId }) => {
        wasDragged.current = false;
        if (button !== 0) return;
        const dragging = new AbortController();
        const { signal } = dragging;
        let isMoving = false;
        const move = (event: globalThis.PointerEvent): void => {
          const [x, y] = [event.clientX - clientX, event.clientY - clientY];
          if (event.pointerId !== pointerId || (!isMoving && Math.hypot(x, y) < slopPx)) return;
          isMoving = true;
          box.current?.style.setProperty("translate", `${x}px ${y}px`);
        };
        const end = (event: globalThis.PointerEvent): void => {
          if (event.pointerId !== pointerId) return;
          dragging.abort();
          if (!isMoving) return;
          // No click follows a cancelled drag, and a later one would be lost.
          wasDragged.current = event.type === "pointerup";
          const rect = box.current?.getBoundingClientRect();
          const within = area?.current?.getBoundingClientRect() ?? windowRect();
          settle(
            rect === undefined || event.type === "pointercancel"
              ? corner
              : nearestCorner(rect, within, corners),
          );
        };
        // A fast pointer leaves the box before its first move.
        window.addEventListener("pointermove", move, { signal });
        window.addEventListener("pointerup", end, { signal });
        window.addEventListener("pointercancel", end, { signal });
      },
      onClickCapture: (event) => {
        if (!wasDragged.current) return;
        wasDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}

function cornerOf(stored: string | null): Corner | null {
  return allCorners.find((corner) => corner === stored) ?? null;
}

function windowRect(): DOMRect {
  return new DOMRect(0, 0, window.innerWidth, window.innerHeight);
}

/** Which of the corners of an area a rectangle is nearest to. */
function nearestCorner(rect: DOMRect, area: DOMRect, corners: readonly Corner[]): Corner {
  const distanceTo = (corner: Corner): number => {
    const x = corner.endsWith("left") ? rect.left - area.left : area.right - rect.right;
    const y = corner.startsWith("top") ? rect.top - area.top : area.bottom - rect.bottom;
    return Math.hypot(x, y);
  };
  return corners.reduce((best, corner) => (distanceTo(corner) < distanceTo(best) ? corner : best));
}

const keySides: Readonly<Record<string, string>> = {
  ArrowUp: "top",
  ArrowDown: "bottom",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** The corner on the side of an arrow key, straight on if there is one; null for other keys. */
function afterKey(corner: Corner, key: string, corners: readonly Corner[]): Corner | null {
  const side = keySides[key];
  if (side === undefined) return null;
  if (corner.split("-").includes(side)) return corner;
  const there = corners.filter((one) => one.split("-").includes(side));
  const isStraight = (one: Corner): boolean =>
    one.split("-").some((part) => corner.split("-").includes(part));
  return there.find(isStraight) ?? there[0] ?? corner;
}
