/** Which share an item of the tray belongs to, and when it came: stored with it. */
export interface ShareStamp {
  readonly id: string;
  /** In ms since 1970. */
  readonly at: number;
}

/** Items without a recipient are deleted after this time. */
const dayMs = 24 * 60 * 60 * 1_000;
const keptMs = dayMs;
/** A stamp older than this, or in the future, means that the clock was or is wrong. */
const credibleMs = 30 * dayMs;

/** The stamp of a stored record; null for one stored by an older version. */
export function stampOf(record: unknown): ShareStamp | null {
  if (typeof record !== "object" || record === null || !("share" in record)) return null;
  const { share } = record;
  if (typeof share !== "object" || share === null || !("id" in share) || !("at" in share)) return null;
  return typeof share.id === "string" && typeof share.at === "number" ? { id: share.id, at: share.at } : null;
}

/** Whether a record has been pending for more than a day, if the clock can be trusted. */
export function isStale(record: unknown): boolean {
  const stamp = stampOf(record);
  return stamp !== null && isCredible(stamp) && Date.now() - stamp.at > keptMs;
}

/** Whether a stamp's time is plausible; otherwise it is replaced, and the day starts again. */
export function isCredible({ at }: ShareStamp): boolean {
  const ageMs = Date.now() - at;
  return ageMs >= 0 && ageMs <= credibleMs;
}
