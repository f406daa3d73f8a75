// Creating a segmenter costs far more than using it.
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** In UTF-16 units. No real grapheme of any script is longer, so longer clusters are cut between code points. */
const graphemeLengthMax = 32;

/** The start and the end of the grapheme that contains an index; the index itself, twice, between two graphemes. */
function graphemeAround(text: string, index: number): readonly [start: number, end: number] {
  if (index <= 0 || index >= text.length) return [index, index];
  // Only around the index: a segmenter takes minutes for 100,000 characters.
  const from = certainStart(text, index - 2 * graphemeLengthMax);
  const near = segmenter.segment(text.slice(from, index + graphemeLengthMax)).containing(index - from);
  if (near === undefined || from + near.index === index) return [index, index];
  if (near.segment.length <= graphemeLengthMax) {
    return [from + near.index, from + near.index + near.segment.length];
  }
  return isPair(text, index - 1) ? [index - 1, index + 1] : [index, index];
}

/** The last index before or at `index` that is neither within a code point nor within a row of flags. */
function certainStart(text: string, index: number): number {
  let start = Math.max(0, index);
  if (isPair(text, start - 1)) start--;
  // A flag is a pair of letters, so where one starts depends on all letters before it.
  while (isFlagLetter(text, start) && isFlagLetter(text, start - 2)) start -= 2;
  return start;
}

function isFlagLetter(text: string, index: number): boolean {
  const code = text.codePointAt(index) ?? 0;
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isPair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

/** Where the grapheme starts that contains an index: the index itself between two graphemes. */
export function graphemeStart(text: string, index: number): number {
  return graphemeAround(text, index)[0];
}

/** Where the grapheme ends that contains an index: the index itself between two graphemes. */
export function graphemeEnd(text: string, index: number): number {
  return graphemeAround(text, index)[1];
}

/** The longest prefix of at most `lengthMax` UTF-16 units that ends with a whole grapheme. */
export function truncated(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : text.slice(0, graphemeStart(text, lengthMax));
}

/** The first grapheme of a text: what a reader takes for its first letter. */
export function firstGrapheme(text: string): string {
  return text.slice(0, graphemeEnd(text, 1));
}
