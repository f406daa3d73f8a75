import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useStore } from "zustand";
import { useTab } from "../tab/tab-context.ts";
import { useHeightProperty } from "../ui/hooks/use-height-property.ts";
import { useBreakpoint } from "../ui/hooks/use-media-query.ts";
import { isOfConversation } from "../wiring/paths.ts";

const corners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;
type Corner = (typeof corners)[number];

/** The storage key of the corner in which the tile was left in this tab. */
const cornerKey = "call_tile_corner";
/** A press that moves less is a click. */
const slopPx = 6;
const gapPx = 12;

const cornerClasses: Readonly<Record<Corner, string>> = {
  "top-left": "top-(--tile-top) left-3 md:left-[76px]",
  "top-right": "top-(--tile-top) right-3 md:right-4",
  "bottom-left": "bottom-[calc(var(--toast-inset,0px)+12px)] left-3 md:bottom-3 md:left-[76px]",
  "bottom-right": "right-3 bottom-[calc(var(--toast-inset,0px)+12px)] md:right-4",
};

/** A tile that floats in a corner of the window. */
export interface FloatingTile {
  readonly corner: Corner;
  readonly className: string;
  readonly isLarge: boolean;
  readonly setLarge: (isLarge: boolean) => void;
  /** Moves it with the arrow keys. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly dragHandlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => void;
  };
}

/** Keeps a tile in a corner: dragged to another one, or sent there with the arrow keys. */
export function useFloatingTile(box: RefObject<HTMLElement | null>): FloatingTile {
  const { storage, logEndPx } = useTab();
  const isPhone = useBreakpoint() === "phone";
  const [pathname] = useLocation();
  const [chosen, setChosen] = useState(() => cornerOf(storage.read(cornerKey)));
  const [isLarge, setLarge] = useState(false);
  const isLogFull = useStore(logEndPx, (end) => end === null);
  // Where it covers no message: over the list of people, on a phone below the messages, or over the oldest ones.
  const hasRoomBelow = isOfConversation(pathname) && !isLogFull;
  const corner = chosen ?? (!isPhone ? "bottom-left" : hasRoomBelow ? "bottom-right" : "top-right");
  useHeightProperty(box, propertyFor(corner, isPhone), gapPx);
  const wasDragged = useRef(false);

  const settle = (next: Corner): void => {
    const element = box.current;
    const before = element?.getBoundingClientRect();
    element?.style.removeProperty("translate");
    storage.write(cornerKey, next);
    setChosen(next);
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
    corner,
    // A page without a conversation begins with its title, its buttons and its search.
    className: `${cornerClasses[corner]} ${isOfConversation(pathname) ? "[--tile-top:calc(env(safe-area-inset-top)+64px+var(--banner-height,0px)+var(--connection-height,0px))] transition-[top] duration-200" : "[--tile-top:calc(env(safe-area-inset-top)+176px)] md:[--tile-top:68px]"}`,
    isLarge,
    setLarge,
    onKeyDown: (event) => {
      const next = afterKey(corner, event.key);
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
          settle(rect === undefined || event.type === "pointercancel" ? corner : nearestCorner(rect));
        };
        // A fast pointer leaves the tile before its first move.
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

/** The property for what makes way for the tile: the toasts, or the list of people, which scrolls past it. */
function propertyFor(corner: Corner, isPhone: boolean): string | undefined {
  if (isPhone ? corner.startsWith("top") : corner === "bottom-right") return "--toast-tile";
  return !isPhone && corner === "bottom-left" ? "--list-tile" : undefined;
}

function cornerOf(stored: string | null): Corner | null {
  return corners.find((corner) => corner === stored) ?? null;
}

/** The corner of the window that the middle of a rectangle is in. */
function nearestCorner({ left, right, top, bottom }: DOMRect): Corner {
  const y = top + bottom < window.innerHeight ? "top" : "bottom";
  return `${y}-${left + right < window.innerWidth ? "left" : "right"}`;
}

function afterKey(corner: Corner, key: string): Corner | null {
  const [y, x] = corner.split("-") as ["top" | "bottom", "left" | "right"];
  switch (key) {
    case "ArrowUp":
      return `top-${x}`;
    case "ArrowDown":
      return `bottom-${x}`;
    case "ArrowLeft":
      return `${y}-left`;
    case "ArrowRight":
      return `${y}-right`;
    default:
      return null;
  }
}
