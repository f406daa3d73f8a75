import { type PointerEvent, useEffect, useRef } from "react";

const longPressMs = 500;
const slopPx = 10;
/** How long after its lift a finger may still click. */
const clickAfterMs = 400;

/** The position of a resting finger. */
export interface PressedAt {
  readonly target: EventTarget;
  readonly x: number;
  readonly y: number;
}

/** The handlers of an element that detects long presses. */
export interface LongPress {
  readonly cancel: () => void;
  readonly handlers: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(): void;
    onPointerCancel(): void;
  };
}

/**
 * Detects a long press by touch, which not all phone browsers report.
 * @param onLongPress returns whether it handled the press: then lifting the finger does not click.
 */
export function useLongPress(onLongPress: (at: PressedAt) => boolean): LongPress {
  const press = useRef<PressedAt & { readonly timer: ReturnType<typeof setTimeout> }>(null);
  useEffect(() => () => clearTimeout(press.current?.timer), []);

  const cancel = (): void => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  return {
    cancel,
    handlers: {
      onPointerDown: ({ pointerType, target, clientX: x, clientY: y }) => {
        cancel();
        if (pointerType !== "touch") return;
        const timer = setTimeout(() => {
          if (onLongPress({ target, x, y })) ignoreLift();
        }, longPressMs);
        press.current = { target, x, y, timer };
      },
      onPointerMove: ({ clientX, clientY }) => {
        const start = press.current;
        if (start && Math.hypot(clientX - start.x, clientY - start.y) > slopPx) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
    },
  };
}

/** Keeps the lift of the finger that is down from clicking what has appeared below it since. */
export function ignoreLift(): void {
  const ending = new AbortController();
  const capture = { capture: true, signal: ending.signal };
  const end = (): void => ending.abort();
  const ignore = (event: MouseEvent): void => {
    end();
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", ignore, capture);
  // Browsers that detect the long press themselves do not click, and later clicks may come without a pointer, as from a screen reader.
  window.addEventListener("pointercancel", end, capture);
  window.addEventListener("pointerup", () => setTimeout(end, clickAfterMs), capture);
  window.addEventListener("pointerdown", end, capture);
  window.addEventListener("keydown", end, capture);
}
