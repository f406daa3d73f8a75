const timeoutMs = 2_000;

/**
 * The time in ms since the epoch by the clock of the page's server; null if it does not respond within 2 s.
 * Never rejects.
 */
export async function serverTime(): Promise<number | null> {
  try {
    const response = await fetch(import.meta.env.BASE_URL, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const time = Date.parse(response.headers.get("Date") ?? "");
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
}
