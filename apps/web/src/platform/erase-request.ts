const requestKey = "erase_all";

/** Asks the next load of this tab to delete everything, before anything is opened that would hold it. */
export function requestErasing(): void {
  try {
    sessionStorage.setItem(requestKey, "true");
  } catch {
    // A browser that denies this keeps nothing either.
  }
}

/** Whether this load is to delete everything. */
export function isErasingAsked(): boolean {
  try {
    return sessionStorage.getItem(requestKey) !== null;
  } catch {
    return false;
  }
}
