/** A Chinese character beside a Latin letter, a digit or a percent sign. */
const seam = /^(?:\p{sc=Han}[\p{sc=Latin}\d]|[\p{sc=Latin}\d%]\p{sc=Han})$/u;

/** The separator of two pieces of text: a space between Chinese and Latin letters or digits. */
export function gap(left: string, right: string): "" | " " {
  return seam.test(left.slice(-1) + right.slice(0, 1)) ? " " : "";
}

/** Joins sentences; Chinese ones need no space, because their full stop includes it. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((said, next) => `${said}${/[。！？]$/u.test(said) ? "" : " "}${next}`);
}
