import { folded } from "./matches-search.ts";

/** A part of a text, from a letter to before another. */
export type TextRange = readonly [start: number, end: number];

/** Where a folded query stands in a text, whatever the accents and case of it; nothing for an empty query. */
export function textMatches(text: string, foldedQuery: string): readonly TextRange[] {
  if (foldedQuery === "") return [];
  const { words, starts } = foldedWithStarts(text);
  const ranges: TextRange[] = [];
  for (
    let at = words.indexOf(foldedQuery);
    at !== -1;
    at = words.indexOf(foldedQuery, at + foldedQuery.length)
  ) {
    const start = starts[at] ?? 0;
    ranges.push([start, starts[at + foldedQuery.length] ?? text.length]);
  }
  return ranges;
}

/** A folded text, with the place in the text that each of its letters comes from. */
function foldedWithStarts(text: string): { readonly words: string; readonly starts: readonly number[] } {
  let words = "";
  const starts: number[] = [];
  let at = 0;
  for (const letter of text) {
    const piece = folded(letter);
    for (let i = 0; i < piece.length; i++) starts.push(at);
    words += piece;
    at += letter.length;
  }
  // An accent of its own folds to nothing: it belongs to the letter before.
  starts.push(text.length);
  return { words, starts };
}
