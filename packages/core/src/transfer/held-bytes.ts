const mib = 1024 * 1024;
/** The most bytes one transfer holds between disk and network. */
export const heldPerFileBytes = 16 * mib;
/** The limit for all transfers with one client in one direction, and for all incoming files together. */
export const heldTogetherBytes = 4 * heldPerFileBytes;
/**
 * The least need: small files count this much, so that eight run at once; with four channels each, all a side may open.
 */
const needLeastBytes = 8 * mib;

/** The bytes a transfer may hold. */
export function heldNeedOf({ fileSize }: { readonly fileSize: number }): number {
  return Math.min(Math.max(fileSize, needLeastBytes), heldPerFileBytes);
}

/** One file's quota within {@link HeldQuotas}. */
export interface HeldQuota {
  /** The current quota. */
  bytes(): number;
  leave(): void;
}

/** Divides the bytes that all incoming files may hold, in proportion to their needs. Silent files do not count. */
export class HeldQuotas {
  readonly #files = new Set<{ readonly needBytes: number; readonly isQuiet: () => boolean }>();

  /** @param isQuiet whether nothing has arrived for a while. */
  join(needBytes: number, isQuiet: () => boolean): HeldQuota {
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
