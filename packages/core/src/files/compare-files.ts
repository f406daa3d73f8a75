import type { FileDescription } from "@warren/protocol";
import type { StoredFile } from "./stored-file.ts";

/**
 * How a file stands between two people: only theirs, theirs changed later, partly here, mine changed later, only mine,
 * or the same on both sides.
 */
export type Verdict = "new" | "newer" | "partial" | "older" | "only-mine" | "same";

/** One file on two sides; at least one of them has it. */
export interface FileComparison {
  readonly verdict: Verdict;
  /** What they share of it. */
  readonly theirs: FileDescription | null;
  /** What this browser holds of it. */
  readonly mine: StoredFile | null;
}

/** What is missing comes first. */
const verdictOrder: readonly Verdict[] = ["new", "newer", "partial", "older", "only-mine", "same"];

/** Puts names of files in the order people count in: 2 before 10. */
export const compareNames = new Intl.Collator(undefined, { numeric: true }).compare;

/**
 * Sets the files somebody shares beside those of this browser. Files are the same by id, or by name, size and time; of
 * several with one name the latest on either side are versions of each other. What is in a tree is the same where its
 * manifest is; files sent together have no name of their own. Sorted by what is missing, then by name.
 */
export function compareFiles(
  theirs: readonly FileDescription[],
  mine: Iterable<StoredFile>,
): readonly FileComparison[] {
  const rest = new Map([...mine].map((file) => [file.description.fid, file]));
  const rows: FileComparison[] = [];
  /** Pairs each of their files with what `find` gives, and returns those without. */
  const pair = (
    files: readonly FileDescription[],
    find: (file: FileDescription) => StoredFile | undefined,
    verdictOf: (theirs: FileDescription, mine: StoredFile) => Verdict,
  ): readonly FileDescription[] =>
    files.filter((file) => {
      const own = find(file);
      if (own === undefined) return true;
      rest.delete(own.description.fid);
      rows.push({ verdict: verdictOf(file, own), theirs: file, mine: own });
      return false;
    });

  const otherwise = pair(theirs, ({ fid }) => rest.get(fid), completeness);
  const complete = [...rest.values()].filter(({ state }) => state === "complete").sort(byTime);
  const free = (own: StoredFile) => rest.has(own.description.fid);
  const others = pair(
    otherwise,
    (file) => complete.find((own) => free(own) && isCopy(own.description, file)),
    () => "same",
  );
  const leftOver = pair(
    others.toSorted((a, b) => b.lastModified - a.lastModified),
    (file) => complete.find((own) => free(own) && isVersion(own.description, file)),
    (file, own) => (file.lastModified < own.description.lastModified ? "older" : "newer"),
  );
  for (const file of leftOver) rows.push({ verdict: "new", theirs: file, mine: null });
  for (const own of complete.filter(free)) rows.push({ verdict: "only-mine", theirs: null, mine: own });
  return rows.sort(
    (a, b) =>
      verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict) ||
      compareNames(descriptionOf(a).fileName, descriptionOf(b).fileName),
  );
}

/** What is said of the file of a row: theirs, where they have it. */
export function descriptionOf({ theirs, mine }: FileComparison): FileDescription {
  const description = theirs ?? mine?.description;
  if (description === undefined) throw new Error("a comparison has a file on one side at least");
  return description;
}

function completeness(_theirs: FileDescription, mine: StoredFile): Verdict {
  return mine.state === "complete" ? "same" : "partial";
}

function isCopy(a: FileDescription, b: FileDescription): boolean {
  return (
    (a.fileName === b.fileName || (isBatch(a) && isBatch(b))) &&
    a.fileSize === b.fileSize &&
    a.lastModified === b.lastModified &&
    a.tree?.manifestDigest === b.tree?.manifestDigest
  );
}

function isVersion(a: FileDescription, b: FileDescription): boolean {
  return a.fileName === b.fileName && !isBatch(a) && !isBatch(b);
}

/** Files sent together are called by their number, in the words of whoever sent them: that name tells nothing. */
function isBatch({ tree }: FileDescription): boolean {
  return tree?.kind === "files";
}

function byTime(a: StoredFile, b: StoredFile): number {
  return b.description.lastModified - a.description.lastModified;
}
