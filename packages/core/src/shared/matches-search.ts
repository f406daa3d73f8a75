/** A text without accents and case, for searching. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** The folded words of a search. */
export function searchWords(query: string): readonly string[] {
  return folded(query).split(/\s+/u).filter(Boolean);
}

/** Whether a name contains every word of a search, anywhere. */
export function matchesSearch(name: string, query: string): boolean {
  const text = folded(name);
  return searchWords(query).every((word) => text.includes(word));
}
