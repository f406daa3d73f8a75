import { folded } from "@warren/core";

const characterScore = 1;
const runBonus = 7;
const wordBonus = 6;

/**
 * How well a name matches a query, whose characters it must contain in order: higher for consecutive characters and
 * for those that begin a word, over all possible alignments. Null if it does not match.
 */
export function scoreMatch(name: string, query: string): number | null {
  const text = [...folded(name)];
  const characters = [...folded(query).replace(/\s+/gu, "")];
  /** The best score of the characters so far if the last of them is at this position of the text. */
  let best: readonly (number | null)[] = text.map(() => null);
  for (const [nth, character] of characters.entries()) {
    const before = best;
    let highest: number | null = nth === 0 ? 0 : null;
    best = text.map((candidate, at) => {
      const behind = at > 0 ? (before[at - 1] ?? null) : null;
      const reached = highest;
      const previous = before[at] ?? null;
      if (nth > 0 && previous !== null) highest = Math.max(highest ?? previous, previous);
      if (candidate !== character) return null;
      const inRun = behind === null ? null : behind + runBonus;
      const from = inRun === null ? reached : Math.max(inRun, reached ?? inRun);
      const startsWord = at === 0 || /[\s\-_.]/u.test(text[at - 1] ?? "");
      return from === null ? null : from + characterScore + (startsWord ? wordBonus : 0);
    });
  }
  if (characters.length === 0) return 0;
  return best.reduce((high, score) => (score === null ? high : Math.max(high ?? score, score)), null);
}
