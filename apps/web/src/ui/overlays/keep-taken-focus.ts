/** Leaves the focus where it went while a layer faded out: taking it from a menu opened meanwhile would close that. */
export function keepTakenFocus(event: Event): void {
  if (document.activeElement !== document.body) event.preventDefault();
}
