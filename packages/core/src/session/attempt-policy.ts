import type { ErrorCode, Rate, RoomMember, WarrenError } from "@warren/protocol";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";

/*
 * When the next attempt to connect to a peer starts, while the peer is in the room:
 *
 * | What happens                                                       | Next attempt                                    |
 * |--------------------------------------------------------------------|-------------------------------------------------|
 * | it joined or returned, or our link to the server did: earlier joiner | at once                                       |
 * | the same: later joiner                                             | in 2 s, if the other has not started by then      |
 * | it begins an attempt                                               | that one is taken up, and ends our own pause; at most one a second |
 * | network or machine back, page shown, retry requested               | at once, unless one younger than 3 s is running |
 * | an attempt failed, a connection was lost                           | after a random pause below 0.5, 1, 2, 4 … 20 s  |
 * | a connection was lost within 30 s of its start                     | the same, and the pauses keep growing           |
 * | refused: the answer would be the same, and may count as a guess    | with its next attempt, or on request            |
 * | it left the room                                                   | none                                            |
 */

/** The time limit of an attempt, and then of the profile; a fresh attempt is not replaced when the machine wakes. */
const attemptMs = { limit: 10_000, fresh: 3_000 } as const;
export const attemptLimitMs = attemptMs.limit;

/**
 * A connection that lasted this long resets the pauses. One that breaks sooner may break each time for the same
 * reason, such as a description that one of the browsers cannot parse.
 */
export const lastingMs = 30_000;

/**
 * For this many attempts in a row a lost connection counts as reconnecting; then the peer is offline, but still
 * retried.
 */
export const reconnectAttempts = 10;

/**
 * How many attempts a page runs at once; in a crowd, more would time out together. One slot is reserved for attempts of
 * others: if our own took all, a ring of pages could wait for each other. And one is reserved for our own, which others could
 * otherwise hold back by starting again and again.
 */
export const attemptsAtOnce = { all: 4, ofAKind: 3 } as const;

/** How long an attempt holds its slot. It may take longer, but peers that never answer must not make others wait. */
export const slotMs = 3_000;

/** How many attempts begin: our own, and those of peers that we answer. Each costs a connection and some 35 frames. */
export const attemptRates = {
  own: { burst: 32, perSecond: 5 },
  answers: { burst: 10, perSecond: 10 },
} as const satisfies Record<string, Rate>;

/** How often one peer's attempts are answered; of several the last one counts. */
export const answerEveryMs = 1_000;

/** How long the later joiner waits for the earlier one, which is the one to start. */
const inviteGraceMs = 2_000;

/** Together with the 10 s of a running attempt, the end of an outage is noticed within half a minute. */
const pauses: BackoffPolicy = { baseMs: 500, capMs: 20_000 };

/** Refusals by the peer, or by the password budget. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "incorrect-password",
  "handshake-failed",
  "approval-needed",
  "not-verifiable",
  "session-ended",
]);

/** How long to wait for the peer's attempt before we start our own. */
export function graceBeforeFirstMs(isPolite: boolean): number {
  return isPolite ? inviteGraceMs : 0;
}

/** Whether to start at once after a wake or a person's request. @param runningMs age of the current attempt. */
export function isDueOnWake(runningMs: number | null): boolean {
  return runningMs === null || runningMs >= attemptMs.fresh;
}

/**
 * The pause before the next attempt; null if there is no automatic one.
 * @param failures how many in a row, from 1.
 * @param random a number in [0, 1).
 */
export function pauseAfterFailureMs(error: WarrenError, failures: number, random: number): number | null {
  return refusals.has(error.code) ? null : backoffDelayMs(pauses, failures, random);
}

/** Whether a connection broke, rather than being refused or timing out: a new one may work immediately. */
export function isBreak({ code }: WarrenError): boolean {
  return code === "connection-failed" || code === "channel-closed";
}

/** Whether we yield to the other: the later joiner does; with equal order, the one with the greater id. */
export function isPolite(self: RoomMember, other: RoomMember): boolean {
  return self.order === other.order ? self.clientId > other.clientId : self.order > other.order;
}
