import { isComposing } from "../../ui/is-composing.ts";

/** The parts of a key event that decide whether it sends. */
export interface ComposerKey {
  readonly key: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

/** Whether a key event is Enter alone, which starts a new line unless it sends. */
export function beginsLine(press: ComposerKey): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = press;
  return key === "Enter" && !isComposing(press) && !(shiftKey || ctrlKey || metaKey || altKey);
}

/** Whether an input event began a new line. */
export function isLineBreak(input: Event): boolean {
  return input instanceof InputEvent && input.inputType === "insertLineBreak";
}

/**
 * Whether a key event in the composer sends: Ctrl (or Command) with Enter, and Shift with Enter. With
 * `enterSends`, Enter alone sends and Shift with Enter starts a new line, as there is no other way to. On a
 * touch keyboard Enter always starts a new line.
 */
export function sendsMessage(
  press: ComposerKey,
  { enterSends, isTouch }: { readonly enterSends: boolean; readonly isTouch: boolean },
): boolean {
  if (press.key !== "Enter" || isComposing(press) || press.altKey) return false;
  if (press.ctrlKey || press.metaKey) return true;
  return enterSends && !isTouch ? !press.shiftKey : press.shiftKey;
}
