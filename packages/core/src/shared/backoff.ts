/** A retry policy: a random delay below a bound that doubles with each attempt ("full jitter"). */
export interface BackoffPolicy {
  readonly baseMs: number;
  readonly capMs: number;
}

/**
 * The delay before an attempt.
 * @param attempt 1 for the first retry.
 * @param random a number in [0, 1).
 * @returns milliseconds between a fifth of the bound and the bound, so that no attempt is immediate.
 */
export function backoffDelayMs(policy: BackoffPolicy, attempt: number, random: number): number {
  const bound = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
  return Math.round(bound * (0.2 + 0.8 * random));
}
