import { folded } from "@warren/core";
import { graphemeEnd, graphemeStart } from "@warren/protocol";

/** A range of a text; the end is exclusive. */
type TextRange = readonly [start: number, end: number];

/** The occurrences of a folded query in a text, regardless of accents and case; none for an empty query. */
export function textMatches(text: string, foldedQuery: string): readonly TextRange[] {
  if (foldedQuery === "") return [];
  const { words, starts } = foldedWithStarts(text);
  const ranges: TextRange[] = [];
  for (
    let at = words.indexOf(foldedQuery);
    at !== -1;
    at = words.indexOf(foldedQuery, at + foldedQuery.length)
  ) {
    // A mark inside of an emoji of several parts would draw the parts.
    const start = graphemeStart(text, starts[at] ?? 0);
    const end = graphemeEnd(text, starts[at + foldedQuery.length] ?? text.length);
    if (start >= (ranges.at(-1)?.[1] ?? 0)) ranges.push([start, end]);
  }
  return ranges;
}

/** A folded text, with the original position of each of its characters. */
function foldedWithStarts(text: string): { readonly words: string; readonly starts: readonly number[] } {
  let words = "";
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const piece = folded(character);
    for (let i = 0; i < piece.length; i++) starts.push(at);
    words += piece;
    at += character.length;
  }
  // A combining accent folds to nothing: it belongs to the character before.
  starts.push(text.length);
  return { words, starts };
}
