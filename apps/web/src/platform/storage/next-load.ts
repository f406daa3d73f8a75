const erasingKey = "erase_all";
const memoryOnlyKey = "memory_only";
let isAgreed = false;

/** Whether a person has agreed that this load ends now, and what it has not stored with it. */
export function isEndAgreed(): boolean {
  return isAgreed;
}

/** Makes the next load of this tab delete everything, before anything is opened that would prevent it. */
export function requestErasing(): void {
  note(erasingKey);
}

/** Whether this load deletes everything. Cleared on reading: a failed deletion is not repeated unasked. */
export function takeErasingRequest(): boolean {
  const isAsked = isNoted(erasingKey);
  if (isAsked) sessionStorage.removeItem(erasingKey);
  return isAsked;
}

/** Makes every further load of this tab leave storage closed and keep messages and files in memory. */
export function requestMemoryOnly(): void {
  note(memoryOnlyKey);
}

/** Whether this tab was asked to keep messages and files in memory. */
export function isMemoryOnly(): boolean {
  return isNoted(memoryOnlyKey);
}

function note(key: string): void {
  isAgreed = true;
  try {
    sessionStorage.setItem(key, "true");
  } catch {
    // A browser that denies this keeps nothing either.
  }
}

function isNoted(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
