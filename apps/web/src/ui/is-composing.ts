/** What browsers report as the code of a key while it belongs to an input method. */
const composingKeyCode = 229;

/** Whether a key belongs to an input method that puts a word together: then it is nobody else's. Safari tells it by the code alone. */
export function isComposing(press: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return press.isComposing || press.keyCode === composingKeyCode;
}
