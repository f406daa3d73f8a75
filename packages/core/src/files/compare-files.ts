import type { FileDescription } from "@warren/protocol";
import type { StoredFile } from "./stored-file.ts";

/**
 * How a file compares between two people: only theirs, theirs is newer, partly here, mine is newer, only mine, or the
 * same on both sides.
 */
export type Verdict = "new" | "newer" | "partial" | "older" | "only-mine" | "same";

/** One file on two sides; at least one of them has it. */
export interface FileComparison {
  readonly verdict: Verdict;
  /** Their shared file. */
  readonly theirs: FileDescription | null;
  /** The file in this browser. */
  readonly mine: StoredFile | null;
}

/** Sort order: missing files first. */
const verdictOrder: readonly Verdict[] = ["new", "newer", "partial", "older", "only-mine", "same"];

/** Sorts file names in natural order: 2 before 10. */
export const compareNames = new Intl.Collator(undefined, { numeric: true }).compare;

/**
 * Compares the files somebody shares with those of this browser. Files are the same if their id, or their name, size
 * and time are equal; of several files with one name, the latest on each side are versions of each other. Trees have
 * the same content if their manifests are equal; batches have no name of their own. Sorted by verdict, missing files
 * first, then by name.
 */
export function compareFiles(
  theirs: readonly FileDescription[],
  mine: Iterable<StoredFile>,
): readonly FileComparison[] {
  const rest = new Map([...mine].map((file) => [file.description.fid, file]));
  const rows: FileComparison[] = [];
  /** Pairs each of their files with the result of `find`, and returns the unpaired ones. */
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

/** The description shown in a row: theirs if they have the file. */
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

/** A batch is named after its number of files, in its sender's language: the name identifies nothing. */
function isBatch({ tree }: FileDescription): boolean {
  return tree?.kind === "files";
}

function byTime(a: StoredFile, b: StoredFile): number {
  return b.description.lastModified - a.description.lastModified;
}
