import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from "react";

/** What the element around the controls needs. */
interface KeptFocus {
  onFocus(event: FocusEvent): void;
  onBlur(): void;
}

/**
 * Keeps the focus of a keyboard in its place when the control that has it gives way to others, as Pause does to Resume: it
 * goes to the first of them, and where there are none to what lies around and takes it. A pointer has a place of its own.
 * @param controls holds the controls that come and go.
 */
export function useKeptFocus(controls: RefObject<HTMLElement | null>): KeptFocus {
  const focused = useRef<Element>(null);
  const around = useRef<HTMLElement>(null);
  // After every drawing: no blur tells of what is taken away.
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
