import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";

const longPressMs = 500;
const slopPx = 10;

/** The position of a resting finger. */
export interface PressedAt {
  readonly target: EventTarget;
  readonly x: number;
  readonly y: number;
}

/** The handlers of an element that detects long presses. */
export interface LongPress {
  /** Whether the last touch was a long press that was handled. */
  readonly wasLong: RefObject<boolean>;
  readonly cancel: () => void;
  readonly handlers: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onClickCapture(event: MouseEvent): void;
  };
}

/**
 * Detects a long press by touch, which not all phone browsers report.
 * @param onLongPress returns whether it handled the press: then lifting the finger does not click.
 */
export function useLongPress(onLongPress: (at: PressedAt) => boolean): LongPress {
  const press = useRef<PressedAt & { readonly timer: ReturnType<typeof setTimeout> }>(null);
  const wasLong = useRef(false);
  useEffect(() => () => clearTimeout(press.current?.timer), []);

  const cancel = (): void => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  return {
    wasLong,
    cancel,
    handlers: {
      onPointerDown: ({ pointerType, target, clientX: x, clientY: y }) => {
        wasLong.current = false;
        cancel();
        if (pointerType !== "touch") return;
        const timer = setTimeout(() => {
          wasLong.current = onLongPress({ target, x, y });
        }, longPressMs);
        press.current = { target, x, y, timer };
      },
      onPointerMove: ({ clientX, clientY }) => {
        const start = press.current;
        if (start && Math.hypot(clientX - start.x, clientY - start.y) > slopPx) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
      onClickCapture: (event) => {
        if (!wasLong.current) return;
        wasLong.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
}
