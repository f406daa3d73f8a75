import {
  type ErrorCode,
  type ErrorDescription,
  type FileId,
  type PeerMessageOf,
  WarrenError,
} from "@warren/protocol";
import { isOutOfSpace } from "../files/space.ts";
import { type FileMessage, messageNameOf } from "../messages/message.ts";
import { describeWireError, errorAnswer } from "../messages/wire-error.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { type Row, rowsOf } from "../shared/policy-table.ts";
import {
  ended,
  live,
  type Offer,
  type OfferSide,
  type OfferState,
  offerStates,
  turnedDown,
  waiting,
} from "../transfer/offer-state.ts";

/**
 * The state machine of one file offered to one client, at both ends: `senderTable` and `receiverTable` say what an event leads to
 * in each state. The messages that show the offer take the next state first (`storedOffer`, written in the background), then the
 * effects run; what they send stands in `offerMessages`, and what that is at the other end in `offerEventOf`.
 *
 * - A press on Accept (`ChatService.acceptFile`, which also makes the sender an accepted contact) stores `accepted`, prepares to
 *   receive, which stores the file's record as `incomplete` (`FileLibrary.claim`), and then asks for the bytes with
 *   `check-message`. While the sender is away, only `accepted` is stored.
 * - A pause is stored at both ends, as `pausedHere` and `pausedThere`. Only the end that paused can resume.
 * - A reload makes an offer that was moving or waiting `accepted` (offer-state.ts). `peer-connects` resumes it: the receiver prepares
 *   again, which finds the chunks that it has stored, and asks for the others with `resume-file`.
 *
 * Nothing here has side effects; `FileOffers` runs the effects.
 */

/** Events at the sender of an offer. */
export const senderEvents = [
  // The person here.
  "pause",
  "cancel",
  "resume",
  // Messages from the receiver (`offerEventOf`).
  "peer-acknowledges",
  "peer-accepts",
  "peer-is-ready",
  "peer-requests",
  "peer-declines",
  "peer-pauses",
  "peer-needs-space",
  "peer-cancels",
  "peer-fails",
  "peer-has-it",
  "peer-is-done",
  /** The connection to the receiver opens, for the first time or again. */
  "peer-connects",
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
  // Messages from the sender (`offerEventOf`).
  "peer-offers",
  "peer-resumes",
  "peer-pauses",
  "peer-needs-source",
  "peer-cancels",
  "peer-forgot",
  "peer-is-done",
  "peer-fails",
  /** The connection to the sender opens, for the first time or again. */
  "peer-connects",
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

/** Whether an error is about the sender's file: choosing it again helps. */
export function isSourceError(code: ErrorCode): boolean {
  return code === "source-changed" || code === "source-missing";
}

/** A message of the other side about an offer. */
type OfferMessage = PeerMessageOf<
  "send-file" | "request-file" | "check-message" | "resume-file" | "pause-file" | "cancel-file" | "error"
>;

/** The event that a message of the other side is at our end. */
export function offerEventOf(side: OfferSide, message: OfferMessage): OfferEvent {
  switch (message.type) {
    case "send-file":
      return "peer-offers";
    case "request-file":
      return "peer-requests";
    case "check-message":
      if (!message.pending) return "peer-is-ready";
      return message.accepted ? "peer-accepts" : "peer-acknowledges";
    case "resume-file":
      // The receiver asks for the bytes, the sender for the receiver's state.
      return side === "sender" ? "peer-is-ready" : "peer-resumes";
    case "pause-file":
      // Only a sender has a source, and only a receiver needs space.
      if (side === "sender") return message.reason === "storage" ? "peer-needs-space" : "peer-pauses";
      return message.reason === "source" ? "peer-needs-source" : "peer-pauses";
    case "cancel-file":
      return "peer-cancels";
    case "error":
      return answerEvents[side][describeWireError(message).code] ?? "peer-fails";
  }
}

/** Errors that are answers. All others are failures. */
const answerEvents: Readonly<Record<OfferSide, Partial<Record<ErrorCode, OfferEvent>>>> = {
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
  accepted: "transfer-interrupted",
  needsSpace: "transfer-lacks-space",
  complete: "transfer-completes",
  failed: "transfer-fails",
};

/** The event of a file that cannot be received: one that has begun waits for space, a new one that does not fit fails. */
export function preparationEvent(error: ErrorDescription, hasBegun: boolean): ReceiverEvent {
  const waits = isOutOfSpace(error) || (hasBegun && error.code === "not-enough-space");
  return waits ? "prepare-lacks-space" : "prepare-failed";
}

/** What a message about an offer may say of it. */
interface Offered extends Pick<FileMessage, "id" | "root" | "original"> {
  readonly fid: FileId;
  /** Why it failed. */
  readonly error?: ErrorDescription | undefined;
}

/**
 * What each of these effects sends after it has prepared to receive, in turn with other files: it asks for the bytes.
 * `transfer-queued` comes before that if it has to wait, and `prepare-failed` or `prepare-lacks-space` instead if it cannot.
 */
export const offerRequests = {
  "prepare-and-accept": ({ id, fid }) => ({ type: "check-message", id, fid }),
  "prepare-and-resume": ({ fid }) => ({ type: "resume-file", fid }),
  "prepare-and-request": requestOf,
} as const satisfies Record<string, (offered: Offered) => OutgoingMessage>;

/** What each of these effects sends if the other side is connected; else that learns the state on `peer-connects`. */
export const offerMessages = {
  // From the receiver.
  /** It is stored, and nobody has decided yet. */
  "send-acknowledged": ({ id, fid }) => ({ type: "check-message", id, fid, pending: true }),
  /** As `send-acknowledged`; `peer-forgot` follows if the sender has no such offer any more. */
  "ask-whether-offered": ({ id, fid }) => ({ type: "check-message", id, fid, pending: true }),
  /** It is accepted, but no bytes may come yet: other files come first here, or its sender paused it. */
  "send-accepted": ({ id, fid }) => ({ type: "check-message", id, fid, pending: true, accepted: true }),
  "send-request": requestOf,
  "send-declined": ({ id }) => errorAnswer(id, new WarrenError("transfer-declined")),
  "send-needs-space": ({ fid }) => ({ type: "pause-file", fid, reason: "storage" }),

  // From the sender.
  "send-resume": ({ fid }) => ({ type: "resume-file", fid }),
  "send-needs-source": ({ fid }) => ({ type: "pause-file", fid, reason: "source" }),
  /** That the receiver has the same file, if that is how the offer ended. */
  "send-same-file": ({ id, root }) => (root === undefined ? null : { type: "same-file", id, root }),

  // From either end.
  "send-pause": ({ fid }) => ({ type: "pause-file", fid }),
  "send-cancel": ({ fid }) => ({ type: "cancel-file", fid }),
  "send-already-complete": ({ id }) => errorAnswer(id, new WarrenError("already-complete")),
  "send-error": ({ id, error }) =>
    error ? errorAnswer(id, new WarrenError(error.code, error.values)) : null,
} as const satisfies Record<string, (offered: Offered) => OutgoingMessage | null>;

function requestOf({ id, fid, original }: Offered) {
  const named = original === undefined ? {} : { original: messageNameOf(original) };
  return { type: "request-file", id, fid, ...named } as const;
}

/** The effects of an event, run in this order after the state was stored. */
export type OfferEffect =
  | keyof typeof offerRequests
  | keyof typeof offerMessages
  /** Opens the file if no person is needed: followed by `source-ready`, `source-missing` or `source-failed`. */
  | "open-source"
  /**
   * Opens the file, asking for permission: followed by `source-ready-to-resume`, `source-missing` or `source-failed`.
   */
  | "ask-for-source"
  /** Closes the file, and tells its other offers that it is not at hand: `source-lost`. */
  | "lose-source"
  /** Starts sending, in turn with other files. */
  | "start-transfer"
  /** Ends the transfer, if any. The chunks that have arrived stay stored. */
  | "stop-transfer"
  /** Ends the transfer, if any, and deletes what has arrived. */
  | "drop-transfer"
  /** Polls for free space: followed by `space-freed`. */
  | "wait-for-space"
  /** Checks whether the file is complete here: followed by `file-whole` or `file-lacking`. */
  | "check-file"
  /** Deletes the sender's data that is no longer needed. */
  | "free";

/** What is stored of an offer in a state. */
export function storedOffer(
  state: OfferState,
  { error, already }: { readonly error?: ErrorDescription; readonly already?: true } = {},
): Offer {
  switch (state) {
    case "complete":
      return { state, ...(already && { already }) };
    case "failed":
      return { state, error: error ?? new WarrenError("unknown").describe() };
    // After a reload the transfer is gone.
    case "opening":
    case "queued":
    case "running":
      return { state: "accepted" };
    default:
      return { state };
  }
}

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

/** The outcome of an event in one state. Without `to` the state does not change. */
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
  "transfer-interrupted": row(to("accepted"), each([...ended, "failed", "offered", "pausedHere"], ignore)),
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
    ...each(["accepted", "queuedThere"], to("offered")),
    withdrawn: act("send-cancel"),
    // Undecided there, so the receiver missed that it has the same file; also for a pause and an error.
    complete: act("send-same-file"),
  }),
  "peer-accepts": row(to("queuedThere"), {
    ...each([...live, "complete"], ignore),
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
    needsSource: act("send-needs-source"),
  }),
  // The file is opened first: after accepting, the receiver waits for bytes, not for a state change.
  "peer-is-ready": row(act("open-source"), {
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
  // Its confirmation did not arrive, or crossed our decision; or another member gave it what we offered to everyone.
  "peer-is-done": row(
    to("complete", "stop-transfer", "free"),
    each(["complete", "declined", "givenUp"], ignore),
  ),
  // What the receiver decided while disconnected is its answer.
  "peer-connects": row(act("send-resume"), {
    ...each([...live, ...ended], ignore),
    offered: unless({ undelivered: ignore }, act("send-resume")),
    // The receiver may have the file, and only its confirmation was lost.
    failed: act("send-error"),
    // A cancellation names the file, not the message.
    withdrawn: unless({ offeredSince: ignore }, act("send-cancel")),
    pausedHere: act("send-pause"),
    needsSource: act("send-needs-source"),
  }),

  "source-ready": row(unless({ away: to("accepted") }, act("start-transfer")), {
    withdrawn: act("send-cancel"),
    pausedHere: act("send-pause"),
  }),
  "source-ready-to-resume": row(to("accepted", "send-resume"), each([...ended, ...live], ignore)),
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
  "transfer-breaks": row(ignore, { accepted: act("send-resume") }),
  "transfer-fails": row(
    unless({ sourceFault: to("failed", "send-error", "lose-source") }, to("failed", "send-error")),
    each([...ended, "failed"], sourceFault),
  ),
};

/** Asks the sender for the missing chunks, now or when it returns. */
const resumeAtReceiver = unless({ away: to("accepted") }, to("accepted", "prepare-and-resume"));

const receiverTable: Readonly<Record<ReceiverEvent, Row<OfferState, Rule>>> = {
  accept: row(ignore, {
    offered: unless({ away: to("accepted") }, to("accepted", "prepare-and-accept")),
    // The sender received "declined", so this requests the file again.
    declined: resumeAtReceiver,
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
    // Until there is space it says so.
    needsSpace: act("prepare-and-resume"),
  }),
  request: row(act("prepare-and-request"), each(live, ignore)),
  "ask-again": row(resumeAtReceiver, {
    ...each(live, ignore),
    needsSpace: act("prepare-and-resume"),
    withdrawn: act("send-request"),
    complete: unless({ away: to("accepted") }, act("prepare-and-request")),
  }),

  // The same offer again: the sender missed our answer, or was reloaded.
  "peer-offers": row(act("send-acknowledged"), {
    queued: act("send-accepted"),
    declined: act("send-declined"),
    givenUp: act("send-cancel"),
    failed: act("send-error"),
  }),
  "peer-resumes": row(act("prepare-and-resume"), {
    offered: act("send-acknowledged"),
    queued: act("send-accepted"),
    pausedHere: act("send-pause"),
    // Our confirmation was lost. The file may be gone from here since.
    complete: act("send-already-complete"),
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
  "peer-connects": row(ignore, {
    offered: act("ask-whether-offered"),
    // The sender may have learned meanwhile that the file is here.
    failed: act("send-acknowledged"),
    withdrawn: { when: { askedAgain: act("send-request") } },
    // Its pause may have crossed our acceptance, which it then does not know of.
    pausedThere: act("send-accepted"),
    ...each(["accepted", "needsSource"], act("prepare-and-resume")),
    pausedHere: act("send-pause"),
    needsSpace: act("send-needs-space"),
  }),

  "found-here": row(ignore, {
    ...each(["offered", "failed"], to("complete")),
    // The sender would go on waiting.
    pausedHere: to("complete", "send-already-complete"),
  }),

  // The sender said that we have it, or a page that closed right after the last chunk did not note it.
  "file-whole": row(ignore, each([...live, ...waiting, "pausedHere", "failed"], to("complete", "free"))),
  "file-lacking": row(ignore, each([...live, ...waiting, "failed"], act("prepare-and-request"))),
  "space-freed": row(ignore, { needsSpace: act("prepare-and-resume") }),
  "prepare-failed": row(to("failed", "send-error"), {
    ...each(live, to("failed", "stop-transfer", "send-error")),
    ...each(ended, ignore),
  }),
  "prepare-lacks-space": row(to("needsSpace", "send-needs-space", "wait-for-space"), {
    ...each([...ended, "pausedHere"], ignore),
    needsSpace: act("wait-for-space"),
  }),

  ...transferRows,
  "transfer-opens": row(to("opening"), each(turnedDown, ignore)),
  "transfer-queued": row(to("queued", "send-accepted"), each(turnedDown, ignore)),
  "transfer-breaks": row(ignore, { accepted: unless({ away: ignore }, act("prepare-and-resume")) }),
  "transfer-fails": row(to("failed", "send-error"), each([...ended, "failed"], ignore)),
  "transfer-lacks-space": row(
    to("needsSpace", "send-needs-space", "wait-for-space"),
    each(turnedDown, ignore),
  ),
  // The sender was suspended and starts only now, or missed our decision.
  "transfer-unexpected": row(ignore, {
    accepted: act("prepare-and-resume"),
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
