import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";

const longPressMs = 500;
const slopPx = 10;

/** Where a finger rests. */
export interface PressedAt {
  readonly target: EventTarget;
  readonly x: number;
  readonly y: number;
}

/** What an element needs so that a long press on it is noticed. */
export interface LongPress {
  /** Whether the last press of a finger was a long one that meant something. */
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
 * Notices a finger that rests on an element, which browsers on phones do not all report.
 * @param onLongPress says whether the press meant something: then lifting the finger is no press on what lies below.
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
