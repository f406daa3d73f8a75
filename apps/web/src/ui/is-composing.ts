/** The keyCode that browsers report while an input method handles a key. */
const composingKeyCode = 229;

/**
 * Whether an input method is composing with this key, so that nothing else may handle it. Safari only reports
 * it by the key code.
 */
export function isComposing(press: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return press.isComposing || press.keyCode === composingKeyCode;
}
