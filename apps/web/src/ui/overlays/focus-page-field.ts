/**
 * Focuses a field because its page opened, which nobody asked for: not while a menu, popover or dialog above the page has the focus,
 * which would close without it.
 */
export function focusPageField(field: HTMLElement): void {
  const layer = document.activeElement?.closest('[data-state="open"]:is([role="menu"], [role="dialog"])');
  if (layer === undefined || layer === null || layer.contains(field)) field.focus({ preventScroll: true });
}
