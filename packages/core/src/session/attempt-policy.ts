import type { Rate, RoomMember } from "@warren/protocol";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";

/* The figures of attempts to connect. session-policy.ts decides when one starts. */

/** The time limit of an attempt, then of the peer's profile, and of the search for new paths. */
export const attemptLimitMs = 10_000;
/** An attempt younger than this is not replaced when the machine wakes. */
export const freshMs = 3_000;

/**
 * A connection that lasted this long resets the backoff. One that breaks sooner may break each time for the same
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
const backoff: BackoffPolicy = { baseMs: 500, capMs: 20_000 };

/** How long to wait for the peer's attempt before we start our own. */
export function graceBeforeFirstMs(isPolite: boolean): number {
  return isPolite ? inviteGraceMs : 0;
}

/**
 * How long to wait before the next attempt.
 * @param failures how many in a row, from 1.
 * @param random a number in [0, 1).
 */
export function backoffMs(failures: number, random: number): number {
  return backoffDelayMs(backoff, failures, random);
}

/** Whether we yield to the other: the later joiner does; with equal order, the one with the greater id. */
export function isPolite(self: RoomMember, other: RoomMember): boolean {
  return self.order === other.order ? self.clientId > other.clientId : self.order > other.order;
}
