import { isComposing } from "../ui/is-composing.ts";

/** What of a key press decides whether it sends. */
export interface ComposerKey {
  readonly key: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

/** Whether a key press is Enter alone, which begins a line where it does not send. */
export function beginsLine(press: ComposerKey): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = press;
  return key === "Enter" && !isComposing(press) && !(shiftKey || ctrlKey || metaKey || altKey);
}

/**
 * Whether a key press in the composer sends: Ctrl (or Command) with Enter, and Shift with Enter. Where `enterSends`,
 * Enter alone does, and Shift with Enter begins a line instead, as there is no other way to. On a touch keyboard
 * Enter always begins a line.
 */
export function sendsMessage(
  press: ComposerKey,
  { enterSends, isTouch }: { readonly enterSends: boolean; readonly isTouch: boolean },
): boolean {
  if (press.key !== "Enter" || isComposing(press) || press.altKey) return false;
  if (press.ctrlKey || press.metaKey) return true;
  return enterSends && !isTouch ? !press.shiftKey : press.shiftKey;
}
