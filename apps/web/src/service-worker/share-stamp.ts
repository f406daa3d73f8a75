/** Which share a thing of the share tray came with, and when: stored beside it. */
export interface ShareStamp {
  readonly id: string;
  /** In ms since 1970. */
  readonly at: number;
}

/** What nobody was chosen for by then is deleted. */
const dayMs = 24 * 60 * 60 * 1_000;
const keptMs = dayMs;
/** A time further away than this, or in the future, comes from a clock that was wrong, then or now. */
const credibleMs = 30 * dayMs;

/** The stamp of a stored record; null where an older version stored none. */
export function stampOf(record: unknown): ShareStamp | null {
  if (typeof record !== "object" || record === null || !("share" in record)) return null;
  const { share } = record;
  if (typeof share !== "object" || share === null || !("id" in share) || !("at" in share)) return null;
  return typeof share.id === "string" && typeof share.at === "number" ? { id: share.id, at: share.at } : null;
}

/** Whether a record has waited for more than a day, as far as the clock can be trusted. */
export function isStale(record: unknown): boolean {
  const stamp = stampOf(record);
  return stamp !== null && isCredible(stamp) && Date.now() - stamp.at > keptMs;
}

/** Whether a stamp tells how long a record has waited; any other has to be replaced, and the day begins again. */
export function isCredible({ at }: ShareStamp): boolean {
  const ageMs = Date.now() - at;
  return ageMs >= 0 && ageMs <= credibleMs;
}
