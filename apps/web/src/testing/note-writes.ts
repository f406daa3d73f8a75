/**
 * Notes what is written into an element from now on. Each drawing of a field writes its attributes again, also where nothing
 * of them has changed. @returns how often something was written so far.
 */
export function noteWrites(element: Element): () => number {
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
