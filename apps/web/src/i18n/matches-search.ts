/** A text without accents and case, for searching. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/** Whether a name contains every word of a search, anywhere. */
export function matchesSearch(name: string, query: string): boolean {
  const words = folded(query).split(/\s+/u).filter(Boolean);
  const text = folded(name);
  return words.every((word) => text.includes(word));
}
