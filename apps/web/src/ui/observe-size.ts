/**
 * Calls back once an element is laid out, and whenever its size changes.
 * @returns a function that ends this; an effect returns it.
 */
export function observeSize(element: Element, onChange: () => void): () => void {
  const observer = new ResizeObserver(onChange);
  observer.observe(element);
  return () => observer.disconnect();
}
