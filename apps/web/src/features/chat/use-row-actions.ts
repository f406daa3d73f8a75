import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from "react";

const longPressMs = 500;
const longPressSlopPx = 10;

/** Whether the actions of a row are shown, and the handlers that the row needs for it. */
export interface RowActions {
  readonly isShown: boolean;
  readonly handlers: {
    onPointerEnter(event: PointerEvent): void;
    onPointerLeave(event: PointerEvent): void;
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onFocus(): void;
    onBlur(event: FocusEvent): void;
  };
}

/** Shows a row's actions under a pointer, with the focus, or after a long press of a finger until the next press elsewhere. */
export function useRowActions(): RowActions {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const press = useRef<{
    readonly timer: ReturnType<typeof setTimeout>;
    readonly x: number;
    readonly y: number;
  }>(null);

  const endPress = (): void => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);
  useEffect(() => {
    if (!isFocused) return;
    // What had the focus may be taken away, a button that was pressed for instance: no blur tells of that.
    const listening = new AbortController();
    const check = (): void => {
      if (document.activeElement === document.body) setFocused(false);
    };
    document.addEventListener("pointerover", check, { signal: listening.signal });
    return () => listening.abort();
  }, [isFocused]);
  useEffect(() => {
    if (!isPressed) return;
    const listening = new AbortController();
    // After the press has reached what it was for: an action of the strip, perhaps.
    document.addEventListener("click", () => setPressed(false), { signal: listening.signal });
    return () => listening.abort();
  }, [isPressed]);

  return {
    isShown: isHovered || isFocused || isPressed,
    handlers: {
      onPointerEnter: ({ pointerType }) => pointerType !== "touch" && setHovered(true),
      onPointerLeave: () => {
        setHovered(false);
        endPress();
      },
      onPointerDown: ({ pointerType, clientX: x, clientY: y }) => {
        if (pointerType !== "touch") return;
        endPress();
        press.current = { timer: setTimeout(() => setPressed(true), longPressMs), x, y };
      },
      onPointerMove: ({ clientX, clientY }) => {
        const start = press.current;
        if (start && Math.hypot(clientX - start.x, clientY - start.y) > longPressSlopPx) endPress();
      },
      onPointerUp: endPress,
      onPointerCancel: endPress,
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setFocused(false);
      },
    },
  };
}
