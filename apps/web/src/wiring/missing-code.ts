/** Errors of code that could not be fetched. */
const missing = new WeakSet<Error>();
window.addEventListener("vite:preloadError", ({ payload }) => missing.add(payload));

/**
 * Whether an error is that of code that could not be fetched. Browsers remember it for the lifetime of the page, so only a
 * reload fetches it again.
 */
export function isMissingCode(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}
