import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

/** Props for the element around the controls. */
interface FocusRecovery {
  onFocus(event: FocusEvent): void;
  onBlur(): void;
}

/**
 * Keeps keyboard focus in place when the focused control is replaced by others, as Pause is by Resume: focus
 * moves to the first of them, or, if there are none, to the nearest focusable ancestor. Pointer users need no
 * such move.
 * @param controls contains the changing controls.
 */
export function useFocusRecovery(controls: RefObject<HTMLElement | null>): FocusRecovery {
  const focused = useRef<Element>(null);
  const around = useRef<HTMLElement>(null);
  // After every render: removing a focused element fires no blur event.
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return;
    focused.current = null;
    (controls.current?.querySelector("button") ?? around.current)?.focus({ preventScroll: true });
  });
  return {
    onFocus({ target, currentTarget }) {
      focused.current = target.matches(":focus-visible") ? target : null;
      around.current = currentTarget.closest<HTMLElement>("[tabindex]");
    },
    onBlur() {
      focused.current = null;
    },
  };
}
