/** What a Chinese character is separated from, on either side of it. */
const seams = [
  [/\p{sc=Han}$/u, /^[\p{sc=Latin}\d]/u],
  [/[\p{sc=Latin}\d%]$/u, /^\p{sc=Han}/u],
] as const;

/** The separator of two pieces of text: a space between Chinese and Latin letters, digits or a percent sign. */
export function gap(left: string, right: string): "" | " " {
  // A rare Chinese character takes two units.
  const end = left.slice(-2);
  return seams.some(([before, after]) => before.test(end) && after.test(right)) ? " " : "";
}

/** Joins sentences; Chinese ones need no space, because their full stop includes it. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((said, next) => `${said}${/[。！？]$/u.test(said) ? "" : " "}${next}`);
}
