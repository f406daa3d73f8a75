import { type FocusEvent, type PointerEvent, useEffect, useState } from "react";
import { type LongPress, useLongPress } from "../../hooks/use-long-press.ts";

/** Whether the actions of a row are shown, and the handlers that the row needs for it. */
export interface RowActions {
  readonly isShown: boolean;
  readonly handlers: LongPress["handlers"] & {
    onPointerEnter(event: PointerEvent): void;
    onPointerLeave(event: PointerEvent): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

/**
 * Shows a row's actions under a pointer, with the focus of a keyboard, or after a long press of a finger until the next
 * press.
 */
export function useRowActions(): RowActions {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isPressed, setPressed] = useState(false);
  const longPress = useLongPress(() => {
    setPressed(true);
    return true;
  });
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
      ...longPress.handlers,
      onPointerEnter: ({ pointerType }) => pointerType !== "touch" && setHovered(true),
      onPointerLeave: () => {
        setHovered(false);
        longPress.cancel();
      },
      // A tap on a button of the row focuses it too, and would leave the strip standing over what is above.
      onFocus: ({ target }) => setFocused(target.matches(":focus-visible")),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setFocused(false);
      },
    },
  };
}
