import { type FocusEvent, type PointerEvent, useEffect, useState } from "react";
import { type LongPress, useLongPress } from "../ui/use-long-press.ts";
import { useTurn } from "./use-turn.ts";

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
 * press: those of one row at a time, whichever came to it last. Actions that have the focus stay, or it would be lost.
 */
export function useRowActions(): RowActions {
  const [isHovered, setHovered] = useState(false);
  const [focused, setFocused] = useState<"row" | "actions" | null>(null);
  const [isPressed, setPressed] = useState(false);
  const longPress = useLongPress(() => {
    setPressed(true);
    return true;
  });
  useEffect(() => {
    if (focused === null) return;
    // What had the focus may be taken away, a button that was pressed for instance: no blur tells of that.
    const listening = new AbortController();
    const check = (): void => {
      if (document.activeElement === document.body) setFocused(null);
    };
    document.addEventListener("pointerover", check, { signal: listening.signal });
    return () => listening.abort();
  }, [focused]);
  useEffect(() => {
    if (!isPressed) return;
    const listening = new AbortController();
    // After the press has reached what it was for: an action of the strip, perhaps.
    document.addEventListener("click", () => setPressed(false), { signal: listening.signal });
    return () => listening.abort();
  }, [isPressed]);
  const isShown = useTurn(isHovered || focused !== null || isPressed, focused === "actions");

  return {
    isShown,
    handlers: {
      ...longPress.handlers,
      onPointerEnter: ({ pointerType }) => pointerType !== "touch" && setHovered(true),
      onPointerLeave: () => {
        setHovered(false);
        longPress.cancel();
      },
      // A tap on a button of the row focuses it too, and would leave the strip standing over what is above.
      onFocus: ({ target }) => {
        const isVisible = target.matches(":focus-visible");
        setFocused(isVisible ? (target.closest("[role=toolbar]") ? "actions" : "row") : null);
      },
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setFocused(null);
      },
    },
  };
}
