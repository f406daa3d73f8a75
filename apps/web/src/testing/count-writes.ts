/**
 * Counts writes to an element from now on. Rendering a field writes its attributes again even if none
 * changed.
 * @returns a function that gives the number of writes so far.
 */
export function countWrites(element: Element): () => number {
  let writes = 0;
  const observer = new MutationObserver((records) => {
    writes += records.length;
  });
  observer.observe(element, { attributes: true, childList: true, characterData: true, subtree: true });
  return () => {
    writes += observer.takeRecords().length;
    return writes;
  };
}
