import type { WarrenError } from "@warren/protocol";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";

/** How long an attempt may take to connect, and then to bring a profile; a fresh one is left alone when the machine wakes. */
export const attemptMs = { limit: 10_000, fresh: 3_000 } as const;
/** How often a session that was connected is tried again before it is given up (SPEC §9). */
export const maxReconnectAttempts = 10;

const policy: BackoffPolicy = { baseMs: 500, capMs: 10_000 };

/** The random wait before an attempt, growing with its number. @param random a number in [0, 1). */
export function reconnectDelayMs(attempt: number, random: number): number {
  return backoffDelayMs(policy, attempt, random);
}

/** Whether a connection broke, in contrast to being refused: another one may hold. */
export function isBreak({ code }: WarrenError): boolean {
  return code === "connection-failed" || code === "channel-closed";
}
