/**
 * The element that gets the focus back after a dialog opened now: the focused element, or, inside a menu or
 * popover that closes as the dialog opens, its trigger.
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

/**
 * An element and its focusable ancestors: the element may be removed, like a message's actions; an ancestor
 * remains.
 */
export function withSurroundings(origin: HTMLElement): readonly HTMLElement[] {
  const around = origin.parentElement?.closest<HTMLElement>("[tabindex]");
  return around ? [origin, around] : [origin];
}

function layerOf(element: Element | null): Element | null {
  return element?.closest('[role="menu"][id], [role="dialog"][id]') ?? null;
}
