/**
 * The element that focus should return to after a dialog opened now: what has focus, or, inside a menu or a
 * popover that closes as the dialog opens, the button that opened it.
 */
export function findFocusOrigin(): HTMLElement | undefined {
  let origin = document.activeElement;
  for (let layer = layerOf(origin); layer !== null; layer = layerOf(origin)) {
    const opener = document.querySelector(`[aria-controls="${CSS.escape(layer.id)}"]`);
    if (opener === null || opener === origin) break;
    origin = opener;
  }
  return origin instanceof HTMLElement && origin !== document.body ? origin : undefined;
}

function layerOf(element: Element | null): Element | null {
  return element?.closest('[role="menu"][id], [role="dialog"][id]') ?? null;
}
