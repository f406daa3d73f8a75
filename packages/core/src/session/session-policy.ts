import type { ErrorCode, ErrorDescription, WarrenError } from "@warren/protocol";
import { type Row, rowsOf } from "../shared/policy-table.ts";
import { reconnectAttempts } from "./attempt-policy.ts";
import type { SessionStatus } from "./peer.ts";

/**
 * The state machine of a session with one other client: the next state and the effects of each event in each state. Nothing
 * here has side effects; `PeerSession` runs the effects. attempt-policy.ts has the figures.
 */

export const sessionStates = [
  "new",
  /** Listening; nobody has asked for a connection. */
  "idle",
  /** The peer may start first; or a wait within the time limit of a first attempt. */
  "waiting",
  /** Our attempt waits for its turn, and runs. */
  "queued",
  "connecting",
  /** The peer's attempt waits for its turn, and runs. */
  "invited",
  "answering",
  /** Messages can be sent, and the peer's profile is awaited. */
  "open",
  "connected",
  /** No packets get through; new paths are sought for the same connection. */
  "interrupted",
  /** Until our next attempt. */
  "backingOff",
  /** Nothing starts by itself: the peer ended the session, or the answer would be the same. */
  "offline",
  "closed",
] as const;
export type SessionState = (typeof sessionStates)[number];

export const sessionEvents = [
  // The room, and the person here.
  "listen",
  "connect",
  "retry",
  "wake",
  "close",
  // The peer's membership.
  "peer-rejoins",
  "peer-leaves",
  // The peer, by signals and messages.
  "peer-invites",
  "profile-arrives",
  "peer-ends",
  // The queue of attempts and the timers.
  "turn-comes",
  "wait-ends",
  "limit-ends",
  "has-lasted",
  // The connection. It breaks when a new one may work at once, and is refused when the next answer would be the same.
  "opens",
  "interrupted",
  "recovers",
  "breaks",
  "fails",
  "refused",
] as const;
export type SessionEvent = (typeof sessionEvents)[number];

/** Refusals by the peer, or by the password budget: the next answer would be the same, and may count as a guess. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "incorrect-password",
  "handshake-failed",
  "approval-needed",
  "not-verifiable",
  "session-ended",
]);

/** Which event an error of the attempt or its connection is. */
export function failureEvent({ code }: WarrenError): "refused" | "breaks" | "fails" {
  if (refusals.has(code)) return "refused";
  return code === "connection-failed" || code === "channel-closed" ? "breaks" : "fails";
}

/** What a session may hold. Entering a state ends all that the state does not keep. */
export const sessionHoldings = ["connection", "turn", "wait", "limit", "lasting"] as const;
export type SessionHolding = (typeof sessionHoldings)[number];

/** Effects, run in this order after the state has changed. */
export type SessionEffect =
  // Timers: each is followed by its event.
  | "start-wait"
  | "start-backoff"
  /** The time limit of an attempt, or of the profile, unless it is running. */
  | "start-limit"
  | "stop-limit"
  | "start-lasting"
  // The queue of attempts: followed by `turn-comes`.
  | "queue-own"
  | "queue-answer"
  /** The peer started again: what is queued answers its latest attempt. */
  | "renew-invitation"
  // The connection.
  | "start-own"
  | "start-answer"
  | "decline"
  | "restart-ice"
  | "close-links"
  /** Tells the room that a peer that had left is gone. */
  | "report-gone";

interface StateSpec {
  /** As shown; two where it depends on whether the session was connected before. */
  readonly shown: SessionStatus | readonly [first: SessionStatus, again: SessionStatus];
  /** What survives entering it. */
  readonly keeps: readonly SessionHolding[];
  /** What entering it does, after the effects of the rule. */
  readonly enters: readonly SessionEffect[];
}

const trying = ["connecting", "reconnecting"] as const;

/** What each state shows, keeps and does. Everything else is reset on the way into it. */
export const sessionStateSpecs: Readonly<Record<SessionState, StateSpec>> = {
  new: { shown: "init", keeps: [], enters: [] },
  idle: { shown: "created", keeps: [], enters: [] },
  waiting: { shown: trying, keeps: ["limit"], enters: ["start-wait"] },
  queued: { shown: trying, keeps: ["limit"], enters: ["queue-own"] },
  connecting: { shown: trying, keeps: ["limit", "turn"], enters: ["start-limit", "start-own"] },
  invited: { shown: trying, keeps: [], enters: ["queue-answer"] },
  answering: { shown: trying, keeps: ["limit", "turn", "wait"], enters: ["start-limit", "start-answer"] },
  open: { shown: "connected", keeps: ["connection"], enters: ["start-limit"] },
  connected: { shown: "connected", keeps: ["connection"], enters: ["start-lasting"] },
  interrupted: { shown: "reconnecting", keeps: ["connection"], enters: ["start-limit", "restart-ice"] },
  backingOff: { shown: ["disconnected", "reconnecting"], keeps: [], enters: ["start-backoff"] },
  offline: { shown: "disconnected", keeps: [], enters: [] },
  closed: { shown: "closed", keeps: [], enters: ["close-links"] },
};

/** What an event may depend on. */
export type SessionFact =
  /** The peer has left the room: only its connection is left. */
  | "away"
  /** The session was not connected since it was asked for, or for too many attempts. */
  | "first"
  /** Of two attempts at once, ours has precedence. */
  | "precedes"
  /** The attempt is so young that a new one would only cost time. */
  | "fresh"
  /** The peer has given up the attempt that we would answer. */
  | "stale"
  /** The peer's profile has not arrived over this connection. */
  | "unready";

/** The outcome of an event in one state. Without `to` the state does not change. */
export interface SessionRule {
  readonly to?: SessionState;
  /** Failed attempts and early broken connections in a row, from now on. */
  readonly failures?: "none" | "one more" | "at least one";
  readonly effects?: readonly SessionEffect[];
  /** Replaces this rule if the fact holds; of several the first. */
  readonly when?: Readonly<Partial<Record<SessionFact, SessionRule>>>;
}

const { row, each } = rowsOf<SessionState, SessionRule>(sessionStates);
const ignore: SessionRule = {};
/** An attempt after a request: what failed before no longer counts. */
const anew = (to: SessionState): SessionRule => ({ to, failures: "none" });
/** The other side may have missed our signals: an attempt that does not succeed in time is replaced. */
const grace: SessionRule = { effects: ["stop-limit", "start-wait"] };
const gone: SessionRule = { to: "closed", effects: ["report-gone"] };
const failed: SessionRule = { to: "backingOff", failures: "one more", when: { away: gone } };
const refused: SessionRule = { to: "offline", failures: "one more", when: { away: gone } };

const open = ["open", "connected", "interrupted"] as const;
const attempts = ["connecting", "answering"] as const;

export const sessionTable: Readonly<Record<SessionEvent, Row<SessionState, SessionRule>>> = {
  listen: row(ignore, { new: { to: "idle" } }),
  connect: row(ignore, each(["idle", "offline"], anew("waiting"))),
  retry: row(ignore, { ...each(["idle", "offline"], anew("queued")), backingOff: { to: "queued" } }),
  // The network or the machine is back.
  wake: row(ignore, {
    backingOff: { to: "queued" },
    ...each(attempts, { to: "queued", effects: ["stop-limit"], when: { fresh: ignore } }),
    interrupted: { to: "queued", when: { away: ignore } },
  }),
  close: row({ to: "closed" }, { closed: ignore }),

  // It joined again, or its link to the server or ours is back.
  "peer-rejoins": row(ignore, {
    ...each(["idle", "offline", "backingOff"], anew("waiting")),
    waiting: { to: "waiting", effects: ["stop-limit"] },
    ...each(["connecting", "invited", "answering", "interrupted"], grace),
  }),
  // A working connection shows that it is still there, even if the server lost track of it.
  "peer-leaves": row(gone, { ...each(open, ignore), closed: { effects: ["report-gone"] } }),

  "peer-invites": row(ignore, {
    ...each(["idle", "waiting", "queued", "answering", "backingOff", "offline"], { to: "invited" }),
    connecting: { to: "invited", when: { precedes: { effects: ["decline"] } } },
    invited: { effects: ["renew-invitation"] },
    ...each(open, {
      to: "invited",
      failures: "at least one",
      when: { away: { effects: ["decline"] } },
    }),
  }),
  "profile-arrives": row(ignore, { open: { to: "connected" } }),
  "peer-ends": row(ignore, each(open, { ...anew("offline"), when: { away: gone } })),

  "turn-comes": row(ignore, {
    queued: { to: "connecting" },
    invited: { to: "answering", when: { stale: { to: "connecting" } } },
  }),
  "wait-ends": row(
    ignore,
    each(["waiting", "backingOff", "connecting", "invited", "answering", "interrupted"], { to: "queued" }),
  ),
  "limit-ends": row(ignore, each(["waiting", "queued", ...attempts, "open", "interrupted"], failed)),
  "has-lasted": row(ignore, { connected: { failures: "none" } }),

  opens: row(ignore, each(attempts, { to: "open" })),
  // A peer that had left has now closed the connection; the one datagram that says so was lost.
  interrupted: row(ignore, each(["open", "connected"], { to: "interrupted", when: { away: gone } })),
  recovers: row(ignore, { interrupted: { to: "connected", when: { unready: { to: "open" } } } }),
  breaks: row(ignore, {
    ...each(attempts, { ...failed, when: { first: { to: "waiting" } } }),
    ...each(open, failed),
  }),
  fails: row(ignore, each([...attempts, ...open], failed)),
  refused: row(ignore, each([...attempts, ...open], refused)),
};

/** What a session remembers from one event to the next. */
export interface SessionMemory {
  readonly state: SessionState;
  /** Whether it was connected, so that a lost connection counts as reconnecting. */
  readonly hasMet: boolean;
  readonly failures: number;
  /** Whether the peer has left the room. */
  readonly isAway: boolean;
  /** Why the last attempt failed. */
  readonly error: ErrorDescription | null;
}

export const newSession: SessionMemory = {
  state: "new",
  hasMet: false,
  failures: 0,
  isAway: false,
  error: null,
};

/** The facts that the session's owner knows; the others follow from the memory. */
export type KnownFacts = Readonly<Record<Exclude<SessionFact, "away" | "first">, boolean>>;

/** The outcome of an event: `ends` and `effects` are carried out in this order. */
export interface SessionStep {
  readonly memory: SessionMemory;
  /** Whether a state was entered, be it the same one. */
  readonly isEntered: boolean;
  readonly ends: readonly SessionHolding[];
  readonly effects: readonly SessionEffect[];
}

/** @param error why the connection ended, if that is the event. */
export function advanceSession(
  before: SessionMemory,
  event: SessionEvent,
  known: KnownFacts,
  error: ErrorDescription | null = null,
): SessionStep {
  const { to, failures, effects = [] } = sessionRuleFor(before, event, known);
  const isAway = event === "peer-leaves" || (before.isAway && event !== "peer-rejoins");
  const memory = remember({ ...before, isAway }, to, failures, error);
  const isSame = (Object.keys(memory) as (keyof SessionMemory)[]).every((key) => memory[key] === before[key]);
  const now = isSame && to === undefined ? before : memory;
  if (to === undefined) return { memory: now, isEntered: false, ends: [], effects };
  const { keeps, enters } = sessionStateSpecs[to];
  const ends = sessionHoldings.filter((held) => !keeps.includes(held));
  return { memory: now, isEntered: true, ends, effects: [...effects, ...enters] };
}

/** The rule for an event, with the facts applied. */
function sessionRuleFor(memory: SessionMemory, event: SessionEvent, known: KnownFacts): SessionRule {
  const facts: Readonly<Record<SessionFact, boolean>> = {
    ...known,
    away: memory.isAway,
    first: !memory.hasMet,
  };
  const rule = sessionTable[event][memory.state];
  const replaced = Object.entries(rule.when ?? {}).find(([fact]) => facts[fact as SessionFact]);
  return replaced?.[1] ?? rule;
}

function remember(
  before: SessionMemory,
  to: SessionState | undefined,
  counts: SessionRule["failures"],
  error: ErrorDescription | null,
): SessionMemory {
  const failures = counted(before.failures, counts);
  if (to === undefined) return { ...before, failures };
  const isGivenUp = to === "offline" || (to === "backingOff" && failures > reconnectAttempts);
  const isAnswered = counts === "none" || before.state === "offline" || isOpen(to);
  const rests = to === "backingOff" || to === "offline" || to === "closed";
  return {
    state: to,
    hasMet: to === "open" || (before.hasMet && !isGivenUp),
    failures,
    isAway: before.isAway,
    error: rests ? error : isAnswered ? null : before.error,
  };
}

function counted(failures: number, counts: SessionRule["failures"]): number {
  if (counts === "none") return 0;
  if (counts === "one more") return failures + 1;
  return counts === "at least one" ? Math.max(1, failures) : failures;
}

/** Whether the session has a connection that has opened. */
export function isOpen(state: SessionState): boolean {
  return (open as readonly SessionState[]).includes(state);
}

/** The status of a session as its room shows it. */
export function shownStatus({ state, hasMet }: SessionMemory): SessionStatus {
  const { shown } = sessionStateSpecs[state];
  if (typeof shown === "string") return shown;
  return shown[hasMet ? 1 : 0];
}
