import type { ErrorCode, WarrenError } from "@warren/protocol";
import type { SignallingClientStatus } from "../ports/signalling.ts";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";
import { type Row, rowsOf } from "../shared/policy-table.ts";

/**
 * The state machine of our seat in a room, which outlives the sockets (or connections to a database) that hold it: the figures,
 * and the next state and the effects of each event in each state. `Seat` runs the effects. When the socket is lost:
 *
 * - At once: `connection-lost` leads to `backingOff`, and the page shows that it reconnects. Texts, files and calls carry on over
 *   the connections between members, which need no socket.
 * - After 0.5 s, then twice as long each time up to 30 s: `wait-ends` leads to `asking`, a new socket. An attempt takes at most
 *   `joinMs`.
 * - After `signalsKeptMs`: signals that waited for a socket are dropped, so a new connection to a member has to wait.
 * - Within `seatKeptMs` (90 s, of the protocol): the server gives the seat back for its token, and the others noticed nothing,
 *   unless it needed the seat for somebody else. Later they are told that we left, which ends no working connection (`peer-leaves`), and that we joined.
 * - Held again: every session takes `peer-rejoins` (session-policy.ts), as signals may have been lost. It replaces no connection
 *   that works. A connection whose own paths broke meanwhile is `interrupted` there.
 *
 * A socket that only falls silent is noticed after `silenceMs` here, and after a minute at the server. A database keeps no seat: it
 * removes us as soon as it misses us.
 */

/** How long a signal waits for a socket: an older one belongs to an attempt to connect that has ended. */
export const signalsKeptMs = 10_000;

/** The figures of a socket. A database has its own (firebase-signalling-client.ts). */
export const socketTimes = {
  /** For the answer to `join`. */
  joinMs: 10_000,
  // A little longer than the server's limits for a newcomer without and with a person's approval.
  admissionMs: 25_000,
  approvalMs: 65_000,
  pingEveryMs: 15_000,
  /** A closed socket is noticed at once; a silent one after this long without a frame, or after `probeMs` when we wake. */
  silenceMs: 35_000,
  probeMs: 5_000,
} as const;

/** How long a person waits for the first seat while a server refuses it for the moment. */
export const firstSeatMs = 10_000;
/** A busy server asks us to wait 5 s; a newcomer should not wait much longer. */
const firstBackoff: BackoffPolicy = { baseMs: 2_000, capMs: 5_000 };
/** Later ones are repeated for ever, about every 30 s in the end. A database keeps no seat. */
const backoff: BackoffPolicy = { baseMs: 500, capMs: 30_000 };

export const seatStates = [
  "new",
  /** An attempt asks for the seat. */
  "asking",
  /** Until the next attempt. */
  "backingOff",
  "held",
  /** Held, while an attempt is about to take it over from the current connection. */
  "moving",
  /** The service closed the current connection in favour of the attempt, before it answered that. */
  "crossing",
  "closed",
] as const;
export type SeatState = (typeof seatStates)[number];

export const seatEvents = [
  "start",
  // The attempt: it fails, or is refused where trying again is pointless.
  "takes-seat",
  "attempt-fails",
  "attempt-refused",
  // The connection that holds the seat, likewise.
  "connection-lost",
  "connection-refused",
  /** The service asks us to move. */
  "drained",
  "wait-ends",
  /** The machine or the network is back. */
  "wake",
  "leave",
] as const;
export type SeatEvent = (typeof seatEvents)[number];

/** What a seat may have. Entering a state ends all that the state does not keep. */
export const seatHoldings = ["connection", "attempt", "wait"] as const;
export type SeatHolding = (typeof seatHoldings)[number];

/** Effects, run in this order after the state has changed. */
export type SeatEffect =
  /** Asks for the seat: followed by `takes-seat`, `attempt-fails` or `attempt-refused`. */
  | "ask"
  /** Checks whether the connection is alive. */
  | "probe"
  /** Followed by `wait-ends`. */
  | "start-wait";

interface StateSpec {
  readonly status: SignallingClientStatus["status"];
  /** What survives entering it. */
  readonly keeps: readonly SeatHolding[];
  /** What entering it does. */
  readonly enters: readonly SeatEffect[];
}

/** What each state shows, keeps and does. Everything else is reset on the way into it. */
export const seatStateSpecs: Readonly<Record<SeatState, StateSpec>> = {
  new: { status: "reconnecting", keeps: [], enters: [] },
  asking: { status: "reconnecting", keeps: ["attempt"], enters: [] },
  backingOff: { status: "reconnecting", keeps: [], enters: ["start-wait"] },
  held: { status: "online", keeps: ["connection"], enters: [] },
  moving: { status: "online", keeps: ["connection"], enters: ["ask"] },
  crossing: { status: "online", keeps: ["attempt"], enters: [] },
  closed: { status: "closed", keeps: [], enters: [] },
};

/** The outcome of an event in one state. Without `to` the state does not change. */
export interface SeatRule {
  readonly to?: SeatState;
  /** Failed attempts since the seat was last held, from now on. */
  readonly failures?: "none" | "one more";
  readonly effects?: readonly SeatEffect[];
}

const { row } = rowsOf<SeatState, SeatRule>(seatStates);
const ignore: SeatRule = {};
const again: SeatRule = { to: "backingOff", failures: "one more" };
const taken: SeatRule = { to: "held", failures: "none" };
const over: SeatRule = { to: "closed" };

export const seatTable: Readonly<Record<SeatEvent, Row<SeatState, SeatRule>>> = {
  start: row(ignore, { new: { to: "asking", effects: ["ask"] } }),
  "takes-seat": row(ignore, { asking: taken, moving: taken, crossing: taken }),
  // While the current connection holds the seat nothing is lost: its end triggers the next attempt.
  "attempt-fails": row(ignore, { asking: again, moving: { to: "held" }, crossing: again }),
  "attempt-refused": row(ignore, { asking: over, moving: { to: "held" }, crossing: over }),
  "connection-lost": row(ignore, { held: again, moving: { to: "crossing" } }),
  "connection-refused": row(over, { moving: { to: "crossing" }, crossing: ignore, closed: ignore }),
  drained: row(ignore, { held: { effects: ["start-wait"] } }),
  "wait-ends": row(ignore, { held: { to: "moving" }, backingOff: { to: "asking", effects: ["ask"] } }),
  wake: row(ignore, {
    held: { effects: ["probe"] },
    moving: { effects: ["probe"] },
    backingOff: { to: "asking", effects: ["ask"] },
  }),
  leave: row(over, { closed: ignore }),
};

/** What a seat remembers from one event to the next. */
export interface SeatMemory {
  readonly state: SeatState;
  readonly failures: number;
  /** Whether it was held before. */
  readonly wasHeld: boolean;
}

export const newSeat: SeatMemory = { state: "new", failures: 0, wasHeld: false };

/** The outcome of an event: `ends` and `effects` are carried out in this order. */
export interface SeatStep {
  readonly memory: SeatMemory;
  readonly ends: readonly SeatHolding[];
  readonly effects: readonly SeatEffect[];
}

export function advanceSeat(before: SeatMemory, event: SeatEvent): SeatStep {
  const { to, failures: counts, effects = [] } = seatTable[event][before.state];
  if (to === undefined) return { memory: before, ends: [], effects };
  const failures = counts === "none" ? 0 : before.failures + (counts === "one more" ? 1 : 0);
  const { keeps, enters } = seatStateSpecs[to];
  return {
    memory: { state: to, failures, wasHeld: before.wasHeld || to === "held" },
    ends: seatHoldings.filter((held) => !keeps.includes(held)),
    effects: [...effects, ...enters],
  };
}

/** Errors after which retrying is pointless for a client that was in the room: one that is full may have a seat again. */
const finalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "signalling-replaced",
  "password-required",
  "incorrect-password",
  "room-is-open",
  "not-admitted",
  "another-version",
  "nearby-unavailable",
]);

/** The event of an attempt that failed. A person waits for the first one, which is repeated only if that `mayHelp`. */
export function attemptEvent(
  { wasHeld }: SeatMemory,
  { code }: WarrenError,
  mayHelp: boolean,
): "attempt-refused" | "attempt-fails" {
  const isRefused = wasHeld ? finalCodes.has(code) : !mayHelp;
  return isRefused ? "attempt-refused" : "attempt-fails";
}

/** The event of a connection that ended. */
export function lossEvent({ code }: WarrenError): "connection-refused" | "connection-lost" {
  return finalCodes.has(code) ? "connection-refused" : "connection-lost";
}

/**
 * How long to wait before another attempt, should the present one fail; it grows with each failed attempt.
 * @param random a number in [0, 1).
 */
export function seatBackoffMs({ wasHeld, failures }: SeatMemory, random: number): number {
  return backoffDelayMs(wasHeld ? backoff : firstBackoff, failures + 1, random);
}
