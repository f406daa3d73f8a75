import { type FocusEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { useTab } from "../../../tab/tab-context.ts";
import { useAbortableEffect } from "../../../ui/hooks/use-abortable-effect.ts";
import { type LongPress, useLongPress } from "../../../ui/hooks/use-long-press.ts";
import { useStore } from "../../../wiring/warren-context.ts";

/** Whether a row's actions are shown, and the handlers for the row. */
export interface RowActions {
  readonly isShown: boolean;
  /** Keeps the actions while one of them has something open, wherever the pointer and the focus are. */
  readonly hold: (isOpen: boolean) => void;
  readonly handlers: LongPress["handlers"] & {
    onPointerLeave(event: PointerEvent): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

/**
 * Shows a row's actions when the pointer moves over it, and on keyboard focus. Only one row shows its actions at a time, the
 * latest one. Focused actions stay, so that focus is not lost, and so do those that have something open.
 * @param onLongPress returns whether it handled a long press of the row.
 */
export function useRowActions(onLongPress: () => boolean): RowActions {
  const [isHovered, setHovered] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const [focused, setFocused] = useState<"row" | "actions" | null>(null);
  const row = useRef<Element>(null);
  const longPress = useLongPress(onLongPress);
  useAbortableEffect(
    (signal) => {
      if (focused === null) return;
      // A focused element may be removed, such as a pressed button; that fires no blur event.
      const check = (): void => {
        if (!row.current?.contains(document.activeElement)) setFocused(null);
      };
      document.addEventListener("pointerover", check, { signal });
    },
    [focused],
  );
  const isShown = useIsLatestRow(isHovered || isHeld || focused !== null, isHeld || focused === "actions");

  return {
    isShown,
    hold: (isOpen) => {
      setHeld(isOpen);
      // What closes gives the focus back to its button, which has to be there still.
      if (!isOpen) setFocused("actions");
    },
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
      onFocus: ({ target, currentTarget }) => {
        row.current = currentTarget;
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
