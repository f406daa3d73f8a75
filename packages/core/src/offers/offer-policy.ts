import type { ErrorCode, ErrorDescription } from "@warren/protocol";
import { isNoRoom } from "../files/space.ts";
import { type Row, rowsOf } from "../shared/policy-table.ts";
import {
  ended,
  live,
  type OfferSide,
  type OfferState,
  offerStates,
  turnedDown,
  waiting,
} from "../transfer/offer-state.ts";

/**
 * The state machine of one file offered to one client, at both ends: the next state and the effects of each event in
 * each state. Nothing here has side effects; `FileOffers` runs the effects.
 */

/** Events at the sender of an offer. */
export const senderEvents = [
  // The person here.
  "pause",
  "cancel",
  "resume",
  // Messages from the receiver.
  "peer-acknowledges",
  "peer-queues",
  "peer-accepts", // by `check-message`, or by `resume-file` after a break
  "peer-requests",
  "peer-declines",
  "peer-pauses",
  "peer-needs-space",
  "peer-cancels",
  "peer-fails",
  "peer-has-it",
  "peer-is-done",
  "peer-returns",
  // The file.
  "source-ready",
  "source-ready-to-resume",
  "source-missing",
  "source-lost",
  "source-failed",
  // The transfer. It breaks when it ended as `transfer-interrupted` although the other side is connected.
  "transfer-opens",
  "transfer-queued",
  "transfer-runs",
  "transfer-interrupted",
  "transfer-breaks",
  "transfer-completes",
  "transfer-fails",
] as const;
export type SenderEvent = (typeof senderEvents)[number];

/** Events at the receiver of an offer. */
export const receiverEvents = [
  // The person here, or one of their options.
  "accept",
  "decline",
  "pause",
  "cancel",
  "resume",
  "request",
  "ask-again",
  // Messages from the sender.
  "peer-offers",
  "peer-resumes", // `resume-file`: it asks for our state
  "peer-pauses",
  "peer-needs-source",
  "peer-cancels",
  "peer-forgot",
  "peer-is-done",
  "peer-fails",
  "peer-returns",
  // The receiver already has the file, as another one (`same-files.ts`).
  "found-here",
  // Storage.
  "file-whole",
  "file-lacking",
  "space-freed",
  "prepare-failed",
  "prepare-lacks-space",
  // The transfer.
  "transfer-opens",
  "transfer-queued",
  "transfer-runs",
  "transfer-interrupted",
  "transfer-breaks",
  "transfer-lacks-space",
  "transfer-completes",
  "transfer-fails",
  "transfer-unexpected",
] as const;
export type ReceiverEvent = (typeof receiverEvents)[number];

/** The two ends have some events in common. One that an end does not know changes nothing. */
export type OfferEvent = SenderEvent | ReceiverEvent;

/** The event of a `pause-file`. Only a sender has a source, and only a receiver needs space. */
export const pauseEvents = {
  sender: { storage: "peer-needs-space", source: "peer-pauses" },
  receiver: { storage: "peer-pauses", source: "peer-needs-source" },
} as const satisfies Record<OfferSide, Record<string, OfferEvent>>;

/** Whether an error is about the sender's file: choosing it again helps. */
export function isSourceError(code: ErrorCode): boolean {
  return code === "source-changed" || code === "source-missing";
}

/** The events of errors from the other side that are answers. All others are failures: `peer-fails`. */
export const answerEvents: Readonly<Record<OfferSide, Partial<Record<ErrorCode, OfferEvent>>>> = {
  sender: {
    "transfer-cancelled": "peer-cancels",
    "transfer-declined": "peer-declines",
    "already-complete": "peer-is-done",
  },
  receiver: {
    "transfer-cancelled": "peer-cancels",
    "already-complete": "peer-is-done",
    "check-message-not-found": "peer-forgot",
  },
};

/** The event of a transfer that reaches a state. Its other states are those of the decision that ended it. */
export const transferEvents: Readonly<Partial<Record<OfferState, OfferEvent>>> = {
  queued: "transfer-queued",
  opening: "transfer-opens",
  running: "transfer-runs",
  absent: "transfer-interrupted",
  needsSpace: "transfer-lacks-space",
  complete: "transfer-completes",
  failed: "transfer-fails",
};

/** The event of a file that cannot be received: one that has begun waits for space, a new one that does not fit fails. */
export function preparationEvent(error: ErrorDescription, hasBegun: boolean): ReceiverEvent {
  const waits = isNoRoom(error) || (hasBegun && error.code === "not-enough-space");
  return waits ? "prepare-lacks-space" : "prepare-failed";
}

/** The effects of an event, run in this order after the state has changed. */
export type OfferEffect =
  /** Opens the file if no person is needed: followed by `source-ready`, `source-missing` or `source-failed`. */
  | "open-source"
  /**
   * Opens the file, asking for permission: followed by `source-ready-to-resume`, `source-missing` or `source-failed`.
   */
  | "ask-for-source"
  /** Closes the file, and tells its other offers that it is not at hand: `source-lost`. */
  | "lose-source"
  /** Starts sending. */
  | "start-transfer"
  /**
   * Prepares to receive, then sends `check-message` without `pending` (accept), `resume-file` (resume) or `request-file`
   * (request). If it has to queue first, `send-queued` precedes that; `prepare-failed` or `prepare-lacks-space` may follow.
   */
  | "prepare-and-accept"
  | "prepare-and-resume"
  | "prepare-and-request"
  /** Ends the transfer, if any, and keeps what has arrived. */
  | "stop-transfer"
  /** Ends the transfer, if any, and deletes what has arrived. */
  | "drop-transfer"
  /** Polls for free space: followed by `space-freed`. */
  | "wait-for-space"
  /** Deletes data that is no longer needed. */
  | "free"
  // Messages to the other side, if it is connected.
  | "send-acknowledged"
  /** As `send-acknowledged`; `peer-forgot` follows if the sender has no such offer any more. */
  | "ask-whether-offered"
  | "send-queued"
  | "send-resume"
  | "send-request"
  | "send-declined"
  | "send-pause"
  | "send-needs-source"
  | "send-needs-space"
  | "send-cancel"
  | "send-already-complete"
  /** Repeats that the receiver has the same file, if that is how the offer ended. */
  | "send-same-file"
  | "send-error"
  /** Looks whether the file is complete here: followed by `file-whole` or `file-lacking`. */
  | "check-file";

/**
 * What is sent instead of some errors, so as not to reveal how much space is free here, or that the file came from somebody
 * else.
 */
const toldAs: Readonly<Record<OfferSide, Partial<Record<ErrorCode, OfferEffect>>>> = {
  sender: { "not-enough-space": "send-needs-space" },
  receiver: { "not-enough-space": "send-needs-space", "cache-exists": "send-acknowledged" },
};

/** What an event may depend on. */
export type OfferFact =
  /** The other side is not connected. */
  | "away"
  /** The receiver has not acknowledged the offer, which is sent again and says its state itself. */
  | "undelivered"
  /** Another message has offered the file since. */
  | "offeredSince"
  /** The receiver requested the withdrawn file again. */
  | "askedAgain"
  /** The sender was asked whether the offer still stands. */
  | "asked"
  /** The failure that the event or the state is about is one of the sender's file. */
  | "sourceFault";

/**
 * The outcome of an event in one state. Without `to` the state does not change. A live state lasts as long as the transfer:
 * what is stored is `absent`, from which a page that is reloaded now resumes.
 */
export interface Rule {
  readonly to?: OfferState;
  readonly effects?: readonly OfferEffect[];
  /** Replaces this rule if the fact holds; of several the first. */
  readonly when?: Readonly<Partial<Record<OfferFact, Rule>>>;
}

const { row, each } = rowsOf<OfferState, Rule>(offerStates);
const ignore: Rule = {};

function to(state: OfferState, ...effects: readonly OfferEffect[]): Rule {
  return { to: state, effects };
}

function act(...effects: readonly OfferEffect[]): Rule {
  return { effects };
}

/** The rule, and others if a fact holds. */
function unless(when: NonNullable<Rule["when"]>, rule: Rule): Rule {
  return { ...rule, when };
}

/** Events of the transfer itself mean the same at both ends. */
const transferRows = {
  "transfer-runs": row(to("running"), each(turnedDown, ignore)),
  "transfer-interrupted": row(to("absent"), each([...ended, "failed", "offered", "pausedHere"], ignore)),
  "transfer-completes": row(to("complete", "free"), each(turnedDown, ignore)),
} as const;

const sourceFault: Rule = { when: { sourceFault: act("lose-source") } };

const senderTable: Readonly<Record<SenderEvent, Row<OfferState, Rule>>> = {
  pause: row(
    to("pausedHere", "stop-transfer", "send-pause"),
    each([...ended, "failed", "pausedHere"], ignore),
  ),
  cancel: row(
    to("withdrawn", "drop-transfer", "send-cancel", "free"),
    each(["complete", "withdrawn"], ignore),
  ),
  resume: row(act("ask-for-source"), each([...ended, ...live], ignore)),

  "peer-acknowledges": row(ignore, {
    ...each(["absent", "queuedThere"], to("offered")),
    withdrawn: act("send-cancel"),
    // Undecided there, so the receiver missed that it has the same file; also for a pause and an error.
    complete: act("send-same-file"),
  }),
  "peer-queues": row(to("queuedThere"), {
    ...each([...live, "complete"], ignore),
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
    needsSource: act("send-needs-source"),
  }),
  // The file is opened first: after accepting, the receiver waits for bytes, not for a state change.
  "peer-accepts": row(act("open-source"), {
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
    complete: act("send-already-complete"),
  }),
  "peer-requests": row(act("open-source"), {
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
  }),
  "peer-declines": row(to("declined", "stop-transfer", "free"), each(ended, ignore)),
  // A receiver that pauses wants the file, regardless of its earlier answer.
  "peer-pauses": row(to("pausedThere", "stop-transfer"), {
    complete: act("send-same-file"),
    pausedHere: ignore,
    withdrawn: act("send-cancel"),
  }),
  "peer-needs-space": row(to("needsSpace", "stop-transfer"), {
    ...each(["complete", "pausedHere"], ignore),
    withdrawn: act("send-cancel"),
  }),
  "peer-cancels": row(to("givenUp", "drop-transfer", "free"), each(["complete", "withdrawn"], ignore)),
  "peer-fails": row(to("failed", "stop-transfer", "free"), {
    ...each(ended, ignore),
    complete: act("send-same-file"),
  }),
  "peer-has-it": row(ignore, { offered: to("complete", "free") }),
  // Its confirmation did not arrive, or crossed our decision.
  "peer-is-done": row(
    to("complete", "stop-transfer", "free"),
    each(["offered", "complete", "declined", "givenUp"], ignore),
  ),
  // What the receiver decided while disconnected is its answer.
  "peer-returns": row(act("send-resume"), {
    ...each([...live, ...ended], ignore),
    offered: unless({ undelivered: ignore }, act("send-resume")),
    // The receiver may have the file, and only its confirmation was lost.
    failed: act("send-error"),
    // A cancellation names the file, not the message.
    withdrawn: unless({ offeredSince: ignore }, act("send-cancel")),
    pausedHere: act("send-pause"),
    needsSource: act("send-needs-source"),
  }),

  "source-ready": row(unless({ away: to("absent") }, act("start-transfer")), {
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
  }),
  "source-ready-to-resume": row(to("absent", "send-resume"), each([...ended, ...live], ignore)),
  "source-missing": row(to("needsSource", "send-needs-source", "lose-source"), {
    ...each(ended, ignore),
    withdrawn: act("send-cancel"),
  }),
  // Found out before the file is requested: after a reload, or by another recipient's request. A receiver that has not decided
  // is told when it accepts.
  "source-lost": row(ignore, {
    ...each([...waiting, "pausedHere"], to("needsSource", "send-needs-source")),
    offered: to("needsSource"),
    needsSource: ignore,
  }),
  "source-failed": row(
    unless(
      { sourceFault: to("failed", "send-error", "free", "lose-source") },
      to("failed", "send-error", "free"),
    ),
    each(ended, sourceFault),
  ),

  ...transferRows,
  "transfer-opens": row(to("opening"), each(["withdrawn"], ignore)),
  "transfer-queued": row(to("queued"), each(["withdrawn"], ignore)),
  "transfer-breaks": row(ignore, { absent: act("send-resume") }),
  "transfer-fails": row(
    unless({ sourceFault: to("failed", "send-error", "lose-source") }, to("failed", "send-error")),
    each([...ended, "failed"], sourceFault),
  ),
};

/** Asks the sender for the missing chunks, now or when it returns. */
const resumeAtReceiver = unless({ away: to("absent") }, act("prepare-and-resume"));

const receiverTable: Readonly<Record<ReceiverEvent, Row<OfferState, Rule>>> = {
  accept: row(ignore, {
    offered: unless({ away: to("absent") }, act("prepare-and-accept")),
    // The sender received "declined", so this requests the file again.
    declined: to("absent", "prepare-and-resume"),
  }),
  decline: row(to("declined", "stop-transfer", "send-declined"), {
    ...each(live, to("declined", "drop-transfer", "send-declined")),
    ...each(ended, ignore),
  }),
  pause: row(
    to("pausedHere", "stop-transfer", "send-pause"),
    each([...ended, "failed", "pausedHere"], ignore),
  ),
  cancel: row(to("givenUp", "drop-transfer", "send-cancel", "free"), each(ended, ignore)),
  resume: row(resumeAtReceiver, {
    ...each(["complete", "withdrawn", ...live], ignore),
    ...each(["declined", "givenUp"], to("absent", "prepare-and-resume")),
  }),
  request: row(act("prepare-and-request"), each(live, ignore)),
  "ask-again": row(resumeAtReceiver, {
    ...each(live, ignore),
    ...each(["declined", "givenUp"], to("absent", "prepare-and-resume")),
    withdrawn: act("send-request"),
    complete: act("prepare-and-request"),
  }),

  // The same offer again: the sender missed our answer, or was reloaded.
  "peer-offers": row(act("send-acknowledged"), {
    queued: act("send-queued"),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    failed: act("send-error"),
  }),
  "peer-resumes": row(act("prepare-and-resume"), {
    offered: act("send-acknowledged"),
    queued: act("send-queued"),
    pausedHere: act("send-pause"),
    needsSpace: act("send-needs-space", "prepare-and-resume"),
    declined: act("send-declined"),
    ...each(["withdrawn", "givenUp"], act("send-cancel")),
  }),
  "peer-pauses": row(to("pausedThere", "stop-transfer"), {
    ...each(["offered", "pausedHere", "withdrawn"], ignore),
    complete: act("send-already-complete"),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    failed: act("send-error"),
  }),
  "peer-needs-source": row(to("needsSource", "stop-transfer"), {
    ...each(["offered", "pausedHere", "withdrawn"], ignore),
    complete: act("send-already-complete"),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    failed: act("send-error"),
  }),
  // The sender's cancellation is final: it also replaces an answer of ours that crossed it on the way.
  "peer-cancels": row(to("withdrawn", "drop-transfer", "free"), {
    withdrawn: ignore,
    complete: act("send-already-complete"),
  }),
  // The sender has no message for the offer we asked about: it was deleted there.
  "peer-forgot": row(ignore, { offered: { when: { asked: to("withdrawn") } } }),
  "peer-is-done": row(ignore, each([...live, ...waiting, "failed"], act("check-file"))),
  "peer-fails": row(ignore, {
    ...each(live, to("failed", "stop-transfer")),
    complete: act("send-already-complete"),
  }),
  // What the sender decided while disconnected is its answer.
  "peer-returns": row(ignore, {
    offered: act("ask-whether-offered"),
    // The sender may have learned meanwhile that the file is here.
    failed: act("send-acknowledged"),
    withdrawn: { when: { askedAgain: act("send-request") } },
    ...each(["queuedThere", "pausedThere"], act("send-queued")),
    ...each(["absent", "needsSource"], act("prepare-and-resume")),
    pausedHere: act("send-pause"),
    needsSpace: act("send-needs-space"),
  }),

  "found-here": row(ignore, each(["offered", "pausedHere", "failed"], to("complete"))),

  // The sender said that we have it.
  "file-whole": row(ignore, each([...live, ...waiting, "failed"], to("complete", "free"))),
  "file-lacking": row(ignore, each([...live, ...waiting, "failed"], act("prepare-and-request"))),
  "space-freed": row(ignore, { needsSpace: act("prepare-and-resume") }),
  "prepare-failed": row(to("failed", "send-error"), each(ended, ignore)),
  "prepare-lacks-space": row(to("needsSpace", "send-needs-space", "wait-for-space"), {
    ...each([...ended, "pausedHere"], ignore),
    needsSpace: act("wait-for-space"),
  }),

  ...transferRows,
  "transfer-opens": row(to("opening"), each(turnedDown, ignore)),
  "transfer-queued": row(to("queued", "send-queued"), each(turnedDown, ignore)),
  // One that is undecided was just accepted: only then it has a transfer.
  "transfer-interrupted": { ...transferRows["transfer-interrupted"], offered: to("absent") },
  "transfer-breaks": row(ignore, {
    absent: unless({ away: ignore }, act("prepare-and-resume")),
    // Accepted, and storage did not open.
    offered: unless({ away: to("absent") }, act("prepare-and-accept")),
  }),
  "transfer-fails": row(to("failed", "send-error"), each([...ended, "failed"], ignore)),
  "transfer-lacks-space": row(
    to("needsSpace", "send-needs-space", "wait-for-space"),
    each(turnedDown, ignore),
  ),
  // The sender was suspended and starts only now, or missed our decision.
  "transfer-unexpected": row(ignore, {
    absent: act("prepare-and-resume"),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    pausedHere: act("send-pause"),
  }),
};

/** The rules of both ends, by event and state. Every pair has a rule. */
export const offerTables = { sender: senderTable, receiver: receiverTable } as const;

/** The rule for an event in a state, with the facts applied; `error` is the failure that either is about. */
export function ruleFor(
  side: OfferSide,
  event: OfferEvent,
  state: OfferState,
  holds: (fact: Exclude<OfferFact, "sourceFault">) => boolean,
  error?: ErrorCode,
): Rule {
  const table: Readonly<Partial<Record<OfferEvent, Row<OfferState, Rule>>>> = offerTables[side];
  const found = table[event]?.[state] ?? ignore;
  const isFact = (fact: OfferFact) =>
    fact === "sourceFault" ? error !== undefined && isSourceError(error) : holds(fact);
  const replaced = Object.entries(found.when ?? {}).find(([fact]) => isFact(fact as OfferFact));
  const rule = replaced?.[1] ?? found;
  const told = error && toldAs[side][error];
  if (!told) return rule;
  return { ...rule, effects: rule.effects?.map((effect) => (effect === "send-error" ? told : effect)) ?? [] };
}
