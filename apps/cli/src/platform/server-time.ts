const timeoutMs = 2_000;

/** The time by the clock of the server at this address, in ms since the epoch; null if it does not answer within 2 s. */
export async function serverTimeAt(home: string): Promise<number | null> {
  try {
    const response = await fetch(home, { method: "HEAD", signal: AbortSignal.timeout(timeoutMs) });
    const time = Date.parse(response.headers.get("Date") ?? "");
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
}
