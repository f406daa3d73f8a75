import type { ErrorDescription } from "@warren/protocol";

/**
 * The state of a file between one client and us: the one language of messages, transfers and views. Its table says why a file
 * does not move and what a reload makes of that; the table of `offers/offer-policy.ts` says what leads from one state to another.
 */

type Kind =
  /** Nobody has decided yet. */
  | "undecided"
  /** A transfer exists. Never stored: the message says `accepted` meanwhile. */
  | "live"
  /** Accepted, and not moving. */
  | "waiting"
  /** Accepted, and a person here stopped it. */
  | "paused"
  /** A person decided against it. */
  | "turnedDown"
  | "complete"
  | "failed";

interface StateSpec {
  readonly kind: Kind;
  /**
   * Where a reload of the page makes it `accepted`. Then nothing moves until the two connect, when the receiver asks for the chunks
   * that it lacks (`resume-file`): a chunk stored whole outlasts a reload, and is compared with its digest (`ReceivedFile`); one that
   * had arrived in part is lost. A choice to pause lasts too. A state that stays is told instead.
   */
  readonly reopened?: readonly OfferSide[];
}

const both: readonly OfferSide[] = ["sender", "receiver"];

/** Every state: why the file is in it, and what ends it. */
const specs = {
  /** Nobody has accepted or declined it. */
  offered: { kind: "undecided" },

  /** Its turn has not come: other files take the memory, the quota or the channels (transfer-queue.ts). Ends by itself. */
  queued: { kind: "live", reopened: both },
  /** Its channels open. */
  opening: { kind: "live", reopened: both },
  /** Its bytes move. */
  running: { kind: "live", reopened: both },

  /**
   * Accepted, and nothing moves: the two are not connected, the transfer broke off, or the sender has not begun for a minute. Ends
   * when they connect, when the sender begins, or when a person resumes it. While they are connected, a transfer that broke off is
   * resumed at once, and a second break within a minute is `failed`.
   */
  accepted: { kind: "waiting" },
  /** At the sender: the receiver accepted, and other files come first there. Ends by itself. */
  queuedThere: { kind: "waiting", reopened: both },
  /** A person at the other end paused it, and has to resume it. */
  pausedThere: { kind: "waiting", reopened: both },
  /** The sender's browser cannot read the file any more: a person there has to choose it again. */
  needsSource: { kind: "waiting", reopened: both },
  /** The receiver's disk is full. Ends by itself once there is space, which only the receiver can tell. */
  needsSpace: { kind: "waiting", reopened: ["sender"] },
  /** A person here paused it, and has to resume it. */
  pausedHere: { kind: "paused" },

  complete: { kind: "complete" },
  /** A person at the receiver said no; they can still accept it. */
  declined: { kind: "turnedDown" },
  /** A person at the sender cancelled it. */
  withdrawn: { kind: "turnedDown" },
  /** A person at the receiver cancelled it. */
  givenUp: { kind: "turnedDown" },
  /** Something went wrong, and `error` says what; a person can try again. */
  failed: { kind: "failed" },
} as const satisfies Record<string, StateSpec>;

/** All states of an offer. */
export type OfferState = keyof typeof specs;
export const offerStates = Object.keys(specs) as readonly OfferState[];

type StateOf<K extends Kind> = {
  [S in OfferState]: (typeof specs)[S]["kind"] extends K ? S : never;
}[OfferState];

function statesOf<K extends Kind>(...kinds: readonly K[]): readonly StateOf<K>[] {
  const isOne = (state: OfferState): state is StateOf<K> =>
    (kinds as readonly Kind[]).includes(specs[state].kind);
  return offerStates.filter(isOne);
}

export const live = statesOf("live");
export const waiting = statesOf("waiting");
export const turnedDown = statesOf("turnedDown");
export const ended = statesOf("complete", "turnedDown");
/** States of an offer that is stored with nothing beside it. */
export const plainStates = [...statesOf("undecided", "waiting", "paused"), "declined"] as const;

/** An offer to or from one client, as its message stores it: its state and what belongs to that. */
export type Offer =
  | { readonly state: (typeof plainStates)[number] }
  /** `already`: the receiver had the file, and nothing was sent. */
  | { readonly state: "complete"; readonly already?: true | undefined }
  | Cancelled
  | { readonly state: "failed"; readonly error: ErrorDescription };

/** A cancelled offer, and what followed. */
export interface Cancelled {
  readonly state: "withdrawn" | "givenUp";
  /** The receiver requested the file again. */
  readonly askedAgain?: true | undefined;
  /** The sender offered the file again, in another message. */
  readonly offeredAgain?: true | undefined;
}

/** What a transfer does, or what it left of its offer: that is how it ended, or what a person or the other side decided. */
export type TransferState = { readonly state: StateOf<"live"> } | Offer;

/** Whether a transfer exists, and has not ended. */
export function isLive(transfer: TransferState | undefined): transfer is { readonly state: StateOf<"live"> } {
  return transfer !== undefined && specs[transfer.state].kind === "live";
}

/** The two ends of an offer. */
export type OfferSide = "sender" | "receiver";

/** An offer as it is now: its transfer, as long as the offer is open and a transfer exists. */
export function offerNow(offer: Offer, transfer: TransferState | undefined): TransferState {
  return isLive(transfer) && isOpen(offer.state) ? transfer : offer;
}

/** Whether an offer was cancelled. */
export function isCancelled(offer: Offer | undefined): offer is Cancelled {
  return offer?.state === "withdrawn" || offer?.state === "givenUp";
}

/** Whether there is an offer that has neither ended nor failed. */
export function isOpen(state: OfferState | undefined): state is OfferState {
  return state !== undefined && state !== "failed" && !(ended as readonly OfferState[]).includes(state);
}

/** Whether a person at either end decided against the file. */
export function isTurnedDown(state: OfferState): boolean {
  return specs[state].kind === "turnedDown";
}

/**
 * A stored offer right after a page load, when no transfer exists yet. `FileCleanup.afterReload` then opens the sender's files
 * by their handles or copies; where that fails, also for a paused one, the event `source-lost` leads to `needsSource`.
 */
export function reloadedOffer(offer: Offer, side: OfferSide): Offer {
  const { reopened = [] }: StateSpec = specs[offer.state];
  return reopened.includes(side) ? { state: "accepted" } : offer;
}
