import { folded } from "@warren/core";
import { graphemeEnd, graphemeStart } from "@warren/protocol";

/** A range of a text; the end is exclusive. */
type TextRange = readonly [start: number, end: number];

/** The occurrences of folded words in a text, regardless of accents and case; those that overlap are one. */
export function textMatches(text: string, words: readonly string[]): readonly TextRange[] {
  if (words.length === 0) return [];
  const { whole, starts } = foldedWithStarts(text);
  const found = words
    .flatMap((word) => occurrencesOf(word, whole))
    .map(([from, to]): TextRange => {
      // A mark inside of an emoji of several parts would draw the parts.
      return [graphemeStart(text, starts[from] ?? 0), graphemeEnd(text, starts[to] ?? text.length)];
    })
    .sort(([one], [other]) => one - other);
  const ranges: TextRange[] = [];
  for (const [start, end] of found) {
    const last = ranges.at(-1);
    if (last === undefined || start >= last[1]) ranges.push([start, end]);
    else ranges[ranges.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return ranges;
}

function occurrencesOf(word: string, whole: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length))
    ranges.push([at, at + word.length]);
  return ranges;
}

/** A folded text, with the original position of each of its characters. */
function foldedWithStarts(text: string): { readonly whole: string; readonly starts: readonly number[] } {
  let whole = "";
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const piece = folded(character);
    for (let i = 0; i < piece.length; i++) starts.push(at);
    whole += piece;
    at += character.length;
  }
  // A combining accent folds to nothing: it belongs to the character before.
  starts.push(text.length);
  return { whole, starts };
}
