const requestKey = "erase_all";

/** Asks the next load of this tab to delete everything, before anything is opened that would hold it. */
export function requestErasing(): void {
  try {
    sessionStorage.setItem(requestKey, "true");
  } catch {
    // A browser that denies this keeps nothing either.
  }
}

/** Whether this load is to delete everything. It is told once: a load that fails is not tried again unasked. */
export function takeErasingRequest(): boolean {
  try {
    const isAsked = sessionStorage.getItem(requestKey) !== null;
    sessionStorage.removeItem(requestKey);
    return isAsked;
  } catch {
    return false;
  }
}
