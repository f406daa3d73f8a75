/** A Chinese character beside a Latin letter, a digit or a percent sign. */
const seam = /^(?:\p{sc=Han}[\p{sc=Latin}\d]|[\p{sc=Latin}\d%]\p{sc=Han})$/u;

/** What stands between two pieces of a text: Chinese is set a space apart from Latin letters and digits. */
export function gap(left: string, right: string): "" | " " {
  return seam.test(left.slice(-1) + right.slice(0, 1)) ? " " : "";
}

/** Sentences one after the other; Chinese ones need no space, their full stop brings it. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((said, next) => `${said}${/[。！？]$/u.test(said) ? "" : " "}${next}`);
}
