import type { ErrorCode, WarrenError } from "@warren/protocol";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";

/*
 * When the next attempt to connect to a peer begins, as long as it is in the room with us:
 *
 * | What happens                                                       | Next attempt                                    |
 * |--------------------------------------------------------------------|-------------------------------------------------|
 * | it came or came back, or our link to the server did: earlier joiner | at once                                        |
 * | the same: later joiner                                             | in 2 s, if the other has not begun by then      |
 * | it begins an attempt                                               | that one is taken up, and ends our own pause    |
 * | network or machine back, page shown, a person asks                 | at once, unless one younger than 3 s is running |
 * | an attempt failed, a connection was lost                           | after a random pause below 0.5, 1, 2, 4 … 20 s  |
 * | refused: the answer would be the same, and may count as a guess    | with its next attempt, or when a person asks    |
 * | it left the room                                                   | none                                            |
 */

/** How long an attempt may take to connect, and then to bring a profile; a fresh one is left alone when the machine wakes. */
const attemptMs = { limit: 10_000, fresh: 3_000 } as const;
export const attemptLimitMs = attemptMs.limit;

/** So many attempts in a row a lost connection counts as reconnecting; from then on the peer is offline, and still tried. */
export const reconnectAttempts = 10;

/**
 * How many attempts a page runs at once; in a crowd they would time out together. One place is kept for attempts of
 * others: were our own to take all, a ring of pages could wait for each other.
 */
export const attemptsAtOnce = { all: 4, own: 3 } as const;

/** How long the later joiner leaves it to the earlier one to begin; SPEC gives the beginning to the earlier one. */
const inviteGraceMs = 2_000;

/** With the 10 s of an attempt under way, the end of an outage is noticed within half a minute. */
const pauses: BackoffPolicy = { baseMs: 500, capMs: 20_000 };

/** Errors by which the peer, or the budget of passwords, says no. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "incorrect-password",
  "handshake-failed",
  "approval-needed",
  "not-verifiable",
  "session-ended",
]);

/** How long to wait for the other side's attempt before we begin. */
export function graceBeforeFirstMs(isPolite: boolean): number {
  return isPolite ? inviteGraceMs : 0;
}

/** Whether to begin at once because the network or the machine is back, or a person asks. @param runningMs age of the attempt under way. */
export function isDueOnWake(runningMs: number | null): boolean {
  return runningMs === null || runningMs >= attemptMs.fresh;
}

/**
 * The pause before the next attempt; null where there is none by itself.
 * @param failures how many in a row, from 1.
 * @param random a number in [0, 1).
 */
export function pauseAfterFailureMs(error: WarrenError, failures: number, random: number): number | null {
  return refusals.has(error.code) ? null : backoffDelayMs(pauses, failures, random);
}

/** Whether a connection broke, in contrast to being refused or running out of time: another one may hold at once. */
export function isBreak({ code }: WarrenError): boolean {
  return code === "connection-failed" || code === "channel-closed";
}
