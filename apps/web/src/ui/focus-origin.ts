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

/** An element and what it lies in that can have the focus too: it may go, as a message's actions do, and that stays. */
export function withSurroundings(origin: HTMLElement): readonly HTMLElement[] {
  const around = origin.parentElement?.closest<HTMLElement>("[tabindex]");
  return around ? [origin, around] : [origin];
}

function layerOf(element: Element | null): Element | null {
  return element?.closest('[role="menu"][id], [role="dialog"][id]') ?? null;
}
