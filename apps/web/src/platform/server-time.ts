const patienceMs = 2_000;

/**
 * The time in ms since the epoch by the clock of the server that the page comes from; by the browser's own clock where
 * the server does not answer within 2 s. Never rejects.
 */
export async function serverTime(): Promise<number> {
  try {
    const response = await fetch(import.meta.env.BASE_URL, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs),
    });
    const time = Date.parse(response.headers.get("Date") ?? "");
    return Number.isNaN(time) ? Date.now() : time;
  } catch {
    return Date.now();
  }
}
