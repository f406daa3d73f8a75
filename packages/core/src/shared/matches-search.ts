/** A text without accents and case, for searching. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** The folded words of a search. */
export function searchWords(query: string): readonly string[] {
  return folded(query).split(/\s+/u).filter(Boolean);
}

/** Whether a folded text contains every word of a search, anywhere and in any order. */
export function containsWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Whether a name contains every word of a search. */
export function matchesSearch(name: string, query: string): boolean {
  return containsWords(folded(name), searchWords(query));
}
