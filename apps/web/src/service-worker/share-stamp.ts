/** Which share a thing of the share tray came with, and when: stored beside it. */
export interface ShareStamp {
  readonly id: string;
  /** In ms since 1970. */
  readonly at: number;
}

/** What nobody was chosen for by then is deleted. */
const keptMs = 24 * 60 * 60 * 1_000;

/** The stamp of a stored record; null where an older version stored none. */
export function stampOf(record: unknown): ShareStamp | null {
  if (typeof record !== "object" || record === null || !("share" in record)) return null;
  const { share } = record;
  if (typeof share !== "object" || share === null || !("id" in share) || !("at" in share)) return null;
  return typeof share.id === "string" && typeof share.at === "number" ? { id: share.id, at: share.at } : null;
}

/** Whether a record has waited for more than a day. One from the future comes from a clock that was wrong: so has it. */
export function isStale(record: unknown): boolean {
  const stamp = stampOf(record);
  return stamp !== null && !(Math.abs(Date.now() - stamp.at) <= keptMs);
}
