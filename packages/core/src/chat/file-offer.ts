import { type ErrorDescription, WarrenError } from "@warren/protocol";
import { cancellationOf, cancelled, type TransferStatus } from "../transfer/transfer-state.ts";

/**
 * The state machine of one file offered to one client, at both ends: what each event leads to in each state, and what is
 * done about it. Nothing here has effects; `FileOffers` runs them.
 */

/** The states of an offer. All but `opening` and `queued` are read from the stored {@link TransferStatus}. */
export const offerStates = [
  /** Nobody has decided on it. */
  "offered",
  /** Accepted; the transfer is being prepared or its channels opened. */
  "opening",
  /** Accepted; the transfer waits here for others before it. */
  "queued",
  /** Accepted; the transfer waits at the receiver for others before it. */
  "queuedThere",
  "running",
  "pausedHere",
  "pausedThere",
  /** Accepted; resumes when both are connected. */
  "absent",
  /** Its sender has to choose the file again. */
  "needsSource",
  /** Its receiver has no room for it. */
  "needsSpace",
  "complete",
  "declined",
  /** Cancelled by its sender. */
  "withdrawn",
  /** Cancelled by its receiver. */
  "givenUp",
  "failed",
] as const;
export type OfferState = (typeof offerStates)[number];

/** The two ends of an offer. */
export type OfferSide = "sender" | "receiver";

/** Events at the sender of an offer. */
export const senderEvents = [
  // A person here.
  "pause",
  "cancel",
  "resume",
  // Messages of the receiver.
  "peer-acknowledges",
  "peer-queues",
  "peer-accepts",
  "peer-requests",
  "peer-declines",
  "peer-pauses",
  "peer-needs-space",
  "peer-cancels",
  "peer-fails",
  "peer-has-it",
  "peer-returns",
  // The file.
  "source-ready",
  "source-ready-to-resume",
  "source-missing",
  "source-lost",
  "source-failed",
  // The transfer.
  "transfer-opens",
  "transfer-queued",
  "transfer-runs",
  "transfer-interrupted",
  "transfer-completes",
  "transfer-fails",
  "page-reloads",
] as const;
export type SenderEvent = (typeof senderEvents)[number];

/** Events at the receiver of an offer. */
export const receiverEvents = [
  // A person here, or an option of theirs.
  "accept",
  "decline",
  "pause",
  "cancel",
  "resume",
  "request",
  "ask-again",
  // Messages of the sender.
  "peer-offers",
  "peer-resumes",
  "peer-pauses",
  "peer-needs-source",
  "peer-cancels",
  "peer-forgot",
  "peer-is-done",
  "peer-fails",
  "peer-returns",
  // The same file is here already.
  "found-here",
  // Storage.
  "space-freed",
  "prepare-failed",
  "prepare-lacks-space",
  // The transfer.
  "transfer-opens",
  "transfer-queued",
  "transfer-runs",
  "transfer-interrupted",
  "transfer-lacks-space",
  "transfer-completes",
  "transfer-fails",
  "transfer-unexpected",
  "page-reloads",
] as const;
export type ReceiverEvent = (typeof receiverEvents)[number];

/** What is done about an event, in this order, after the state has changed. */
export type OfferEffect =
  /** Opens the file if that takes no person: `source-ready`, `source-missing` or `source-failed` follows. */
  | "open-source"
  /** Opens the file, asking for permission: `source-ready-to-resume`, `source-missing` or `source-failed` follows. */
  | "ask-for-source"
  /** Starts to send. */
  | "start-transfer"
  /** Gets ready to receive, then sends the named message; `prepare-failed` or `prepare-lacks-space` may follow. */
  | "prepare-and-accept"
  | "prepare-and-resume"
  | "prepare-and-request"
  /** Ends the transfer, where there is one, with the state that the offer has now. */
  | "end-transfer"
  /** Looks for free space from time to time: `space-freed` follows. */
  | "wait-for-space"
  /** Deletes what nobody needs any more. */
  | "release"
  // Messages to the other side, where it is connected.
  | "send-acknowledged"
  | "send-queued"
  | "send-resume"
  | "send-request"
  | "send-declined"
  | "send-pause"
  | "send-needs-source"
  | "send-needs-space"
  | "send-cancel"
  | "send-already-complete"
  | "send-error"
  /** Confirms a file that is whole here, or asks for it where it is not. */
  | "confirm-or-request";

/** What an event leads to in one state. Without `to` the state stays. */
export interface Rule {
  readonly to?: OfferState;
  readonly effects?: readonly OfferEffect[];
  /** Instead of this rule while the other side is not connected. */
  readonly whileAway?: Rule;
}

type Row = Readonly<Record<OfferState, Rule>>;

const ignore: Rule = {};

/** A row: one rule for the states it names, another for all others. */
function row(others: Rule, exceptions: Partial<Record<OfferState, Rule>> = {}): Row {
  const rules = offerStates.map((state) => [state, exceptions[state] ?? others] as const);
  return Object.fromEntries(rules) as Record<OfferState, Rule>;
}

/** The same rule for several states. */
function each(states: readonly OfferState[], rule: Rule): Partial<Record<OfferState, Rule>> {
  return Object.fromEntries(states.map((state) => [state, rule]));
}

function to(state: OfferState, ...effects: readonly OfferEffect[]): Rule {
  return { to: state, effects };
}

function act(...effects: readonly OfferEffect[]): Rule {
  return { effects };
}

/** A transfer may exist in these. */
const live = ["opening", "queued", "running"] as const;
/** Accepted, and nothing moves. */
const waiting = ["queuedThere", "pausedThere", "absent", "needsSource", "needsSpace"] as const;
/** A person has decided that the file does not travel. */
const turnedDown = ["declined", "withdrawn", "givenUp"] as const;
const ended = ["complete", ...turnedDown] as const;

/** What the transfer itself reports means the same at both ends. */
const transferRows = {
  "transfer-runs": row(to("running"), each(turnedDown, ignore)),
  "transfer-interrupted": row(to("absent"), each([...ended, "failed", "offered", "pausedHere"], ignore)),
  "transfer-completes": row(to("complete", "release"), each(turnedDown, ignore)),
  "transfer-fails": row(to("failed", "send-error"), each([...ended, "failed"], ignore)),
} as const;

const senderTable: Readonly<Record<SenderEvent, Row>> = {
  pause: row(
    to("pausedHere", "end-transfer", "send-pause"),
    each([...ended, "failed", "pausedHere"], ignore),
  ),
  cancel: row(
    to("withdrawn", "end-transfer", "send-cancel", "release"),
    each(["complete", "withdrawn"], ignore),
  ),
  resume: row(act("ask-for-source"), each([...ended, ...live], ignore)),

  "peer-acknowledges": row(ignore, {
    ...each(["absent", "queuedThere"], to("offered")),
    withdrawn: act("send-cancel"),
  }),
  "peer-queues": row(to("queuedThere"), {
    ...each([...live, "complete"], ignore),
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
    needsSource: act("send-needs-source"),
  }),
  // The file is opened first: whoever accepts waits for bytes, not for a change of state.
  "peer-accepts": row(act("open-source"), {
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
    complete: act("send-already-complete"),
  }),
  "peer-requests": row(act("open-source"), {
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
  }),
  "peer-declines": row(to("declined", "end-transfer", "release"), each(ended, ignore)),
  // Whoever pauses wants the file, whatever they said before.
  "peer-pauses": row(to("pausedThere", "end-transfer"), {
    ...each(["complete", "pausedHere"], ignore),
    withdrawn: act("send-cancel"),
  }),
  "peer-needs-space": row(to("needsSpace", "end-transfer"), {
    ...each(["complete", "pausedHere"], ignore),
    withdrawn: act("send-cancel"),
  }),
  "peer-cancels": row(to("givenUp", "end-transfer", "release"), each(["complete", "withdrawn"], ignore)),
  "peer-fails": row(to("failed", "end-transfer", "release"), each(ended, ignore)),
  "peer-has-it": row(ignore, { offered: to("complete", "release") }),
  // What the receiver decided while we were apart is its answer.
  "peer-returns": row(act("send-resume"), {
    ...each([...live, ...ended, "failed"], ignore),
    pausedHere: act("send-pause"),
    needsSource: act("send-needs-source"),
  }),

  "source-ready": row(
    { ...act("start-transfer"), whileAway: to("absent") },
    { withdrawn: act("send-cancel"), pausedHere: act("send-pause") },
  ),
  "source-ready-to-resume": row(to("absent", "send-resume"), each([...ended, ...live], ignore)),
  "source-missing": row(to("needsSource", "send-needs-source"), {
    ...each(ended, ignore),
    withdrawn: act("send-cancel"),
  }),
  // Found out after a reload, before anybody asks for it.
  "source-lost": row(ignore, each([...waiting, "pausedHere"], to("needsSource", "send-needs-source"))),
  "source-failed": row(to("failed", "send-error", "release"), each(ended, ignore)),

  ...transferRows,
  // Nothing moves before the receiver answers; a page that is reloaded now resumes from there.
  "transfer-opens": row(to("absent"), each(["withdrawn"], ignore)),
  "transfer-queued": row(to("queued"), each(["withdrawn"], ignore)),
  // Whether these still hold is learned when both are connected.
  "page-reloads": row(ignore, each([...live, ...waiting], to("absent"))),
};

/** The sender is asked for what storage lacks, now or when it returns. */
const resumeAtReceiver: Rule = { ...act("prepare-and-resume"), whileAway: to("absent") };

const receiverTable: Readonly<Record<ReceiverEvent, Row>> = {
  accept: row(ignore, { offered: { ...act("prepare-and-accept"), whileAway: to("absent") } }),
  decline: row(to("declined", "end-transfer", "send-declined"), each(ended, ignore)),
  pause: row(
    to("pausedHere", "end-transfer", "send-pause"),
    each([...ended, "failed", "pausedHere"], ignore),
  ),
  cancel: row(to("givenUp", "end-transfer", "send-cancel", "release"), each(ended, ignore)),
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

  // The same offer again: its sender missed our answer, or was reloaded.
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
  "peer-pauses": row(to("pausedThere", "end-transfer"), {
    ...each(["complete", "offered", "pausedHere", "withdrawn"], ignore),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    failed: act("send-error"),
  }),
  "peer-needs-source": row(to("needsSource", "end-transfer"), {
    ...each(["complete", "offered", "pausedHere", "withdrawn"], ignore),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    failed: act("send-error"),
  }),
  // Who sends it decides: it also takes the place of an answer of ours that crossed it.
  "peer-cancels": row(to("withdrawn", "end-transfer", "release"), each(["complete", "withdrawn"], ignore)),
  // Our question about an offer finds no message at its sender: it was deleted there.
  "peer-forgot": row(ignore, { offered: to("withdrawn") }),
  "peer-is-done": row(ignore, each([...live, ...waiting, "failed"], act("confirm-or-request"))),
  "peer-fails": row(ignore, each(live, to("failed", "end-transfer"))),
  // What its sender decided while we were apart is its answer.
  "peer-returns": row(ignore, {
    offered: act("send-acknowledged"),
    ...each(["queuedThere", "pausedThere"], act("send-queued")),
    ...each(["absent", "needsSource"], act("prepare-and-resume")),
    pausedHere: act("send-pause"),
    needsSpace: act("send-needs-space"),
  }),

  "found-here": row(ignore, { offered: to("complete") }),

  "space-freed": row(ignore, { needsSpace: act("prepare-and-resume") }),
  "prepare-failed": row(to("failed", "send-error"), each(ended, ignore)),
  "prepare-lacks-space": row(to("needsSpace", "send-needs-space", "wait-for-space"), {
    ...each([...ended, "pausedHere"], ignore),
    needsSpace: act("wait-for-space"),
  }),

  ...transferRows,
  "transfer-opens": row(to("absent"), each(turnedDown, ignore)),
  "transfer-queued": row(to("queued", "send-queued"), each(turnedDown, ignore)),
  "transfer-lacks-space": row(
    to("needsSpace", "send-needs-space", "wait-for-space"),
    each(turnedDown, ignore),
  ),
  // Its sender was suspended and starts only now, or missed a decision made here.
  "transfer-unexpected": row(ignore, {
    absent: act("prepare-and-resume"),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    pausedHere: act("send-pause"),
  }),
  "page-reloads": row(
    ignore,
    each([...live, "queuedThere", "pausedThere", "absent", "needsSource"], to("absent")),
  ),
};

/** The rules of both ends, by event and state: every pair is decided. */
export const offerTables = { sender: senderTable, receiver: receiverTable } as const;

/** An event at one end of an offer. */
export type OfferEvent<S extends OfferSide> = S extends "sender" ? SenderEvent : ReceiverEvent;

/** What an event leads to. */
export function ruleFor<S extends OfferSide>(
  side: S,
  event: OfferEvent<S>,
  state: OfferState,
  isConnected: boolean,
): Rule {
  const table: Readonly<Record<string, Row>> = offerTables[side];
  const rule = table[event]?.[state] ?? ignore;
  return (!isConnected && rule.whileAway) || rule;
}

const pauseStates = {
  me: "pausedHere",
  peer: "pausedThere",
  absence: "absent",
  source: "needsSource",
  storage: "needsSpace",
} as const;

/** The state that a stored status and the transfer, if there is one, amount to. */
export function offerStateOf(status: TransferStatus, hasTransfer: boolean): OfferState {
  switch (status.status) {
    case "init":
      return hasTransfer ? "opening" : "offered";
    case "transferring":
      return "running";
    case "paused":
      if (status.by === "turn") return hasTransfer ? "queued" : "queuedThere";
      return status.by === "absence" && hasTransfer ? "opening" : pauseStates[status.by];
    case "complete":
      return "complete";
    case "error": {
      // Earlier versions answered an offer over their limit so.
      if (["transfer-declined", "file-too-large"].includes(status.error.code)) return "declined";
      const cancellation = cancellationOf(status);
      if (!cancellation) return "failed";
      return cancellation.by === "receiver" ? "givenUp" : "withdrawn";
    }
  }
}

/** The status that a state is stored as. @param error why it failed */
export function statusOfState(state: OfferState, error?: ErrorDescription): TransferStatus {
  switch (state) {
    case "offered":
      return { status: "init" };
    case "running":
      return { status: "transferring" };
    case "opening":
    case "absent":
      return { status: "paused", by: "absence" };
    case "queued":
    case "queuedThere":
      return { status: "paused", by: "turn" };
    case "pausedHere":
      return { status: "paused", by: "me" };
    case "pausedThere":
      return { status: "paused", by: "peer" };
    case "needsSource":
      return { status: "paused", by: "source" };
    case "needsSpace":
      return { status: "paused", by: "storage" };
    case "complete":
      return { status: "complete", verified: true };
    case "declined":
      return { status: "error", error: new WarrenError("transfer-declined").describe() };
    case "withdrawn":
      return { status: "error", error: cancelled({ by: "sender" }).describe() };
    case "givenUp":
      return { status: "error", error: cancelled({ by: "receiver" }).describe() };
    case "failed":
      return { status: "error", error: error ?? new WarrenError("unknown").describe() };
  }
}

/** Whether an offer may still bring its file to the other side without anybody doing anything about a fault. */
export function isOpen(state: OfferState): boolean {
  return state !== "failed" && !(ended as readonly OfferState[]).includes(state);
}

/** Whether a person at either end did not want the file. */
export function isTurnedDown(state: OfferState): boolean {
  return (turnedDown as readonly OfferState[]).includes(state);
}
