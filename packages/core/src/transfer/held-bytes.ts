const mib = 1024 * 1024;
/** The bytes one file on its way holds between disk and wire at most. */
export const heldPerFileBytes = 16 * mib;
/** What files that pass between a client and us in one direction hold together, and all on their way in. */
export const heldTogetherBytes = 4 * heldPerFileBytes;
/** A small file counts as much, so that eight are under way at once: with four channels each, all that a side may open. */
const needLeastBytes = 8 * mib;

/** What a file may hold while it is on its way. */
export function heldNeedOf({ fileSize }: { readonly fileSize: number }): number {
  return Math.min(Math.max(fileSize, needLeastBytes), heldPerFileBytes);
}

/** One file's part of {@link HeldShares}. */
export interface HeldShare {
  /** What it may hold now. */
  bytes(): number;
  leave(): void;
}

/** Divides what all files on their way in may hold, by what each needs. Those of which nothing comes do not count. */
export class HeldShares {
  readonly #files = new Set<{ readonly needBytes: number; readonly isQuiet: () => boolean }>();

  /** @param isQuiet whether nothing has come of it for a while. */
  join(needBytes: number, isQuiet: () => boolean): HeldShare {
    const file = { needBytes, isQuiet };
    this.#files.add(file);
    return {
      bytes: () => Math.floor(needBytes * Math.min(1, heldTogetherBytes / this.#neededBytes())),
      leave: () => void this.#files.delete(file),
    };
  }

  #neededBytes(): number {
    return [...this.#files].reduce((sum, { needBytes, isQuiet }) => (isQuiet() ? sum : sum + needBytes), 0);
  }
}
