import { type FocusEvent, type PointerEvent, useEffect, useId, useState } from "react";
import { useTab } from "../../tab/tab-context.ts";
import { type LongPress, useLongPress } from "../../ui/hooks/use-long-press.ts";
import { useStore } from "../../wiring/warren-context.tsx";

/** Whether a row's actions are shown, and the handlers for the row. */
export interface RowActions {
  readonly isShown: boolean;
  /** They are shown because of a long press. */
  readonly isPressed: boolean;
  readonly handlers: LongPress["handlers"] & {
    onPointerLeave(event: PointerEvent): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

/**
 * Shows a row's actions when the pointer moves over it, on keyboard focus, or after a long press until the next tap. Only one row
 * shows its actions at a time, the latest one. Focused actions stay, so that focus is not lost.
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
    // A focused element may be removed, such as a pressed button; that fires no blur event.
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
    // On click, after the tap has reached its target, which may be an action of the strip.
    document.addEventListener("click", () => setPressed(false), { signal: listening.signal });
    return () => listening.abort();
  }, [isPressed]);
  const isShown = useIsLatestRow(isHovered || focused !== null || isPressed, focused === "actions");

  return {
    isShown,
    isPressed,
    handlers: {
      ...longPress.handlers,
      // Not as it enters: a new row may come to lie below a pointer that rests.
      onPointerMove: (event) => {
        longPress.handlers.onPointerMove(event);
        if (event.pointerType !== "touch") setHovered(true);
      },
      onPointerLeave: () => {
        setHovered(false);
        longPress.cancel();
      },
      // A tap also focuses a button of the row, which would leave the strip covering the row above.
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

/** True for the latest of all asking rows on the page, or for the one with focused actions. */
function useIsLatestRow(isAsking: boolean, hasFocusedActions: boolean): boolean {
  const id = useId();
  const { shownRow } = useTab();
  const isLatest = useStore(shownRow.store, (shown) => shown === id);
  useEffect(() => (isAsking ? shownRow.ask(id) : undefined), [shownRow, id, isAsking]);
  useEffect(() => (hasFocusedActions ? shownRow.focus(id) : undefined), [shownRow, id, hasFocusedActions]);
  return isAsking && isLatest;
}
