import type { ErrorDescription } from "@warren/protocol";

/**
 * The state of a file between one client and us: the one language of messages, transfers and views. What an event leads to
 * is decided in `offers/offer-policy.ts`, whose code is loaded with that for files.
 */

/** States that need no facts beside them. */
export const plainStates = [
  /** Undecided. */
  "offered",
  /** Accepted; queued at the receiver behind other transfers. */
  "queuedThere",
  "pausedHere",
  "pausedThere",
  /** Accepted, and nothing runs: it resumes when both are connected. Also what is stored while a transfer lives. */
  "absent",
  /** The sender has to choose the file again. */
  "needsSource",
  /** The receiver has no space for it. */
  "needsSpace",
  "declined",
] as const;

/** The states of an offer while no transfer of it exists; these are stored. */
const restingStates = [
  ...plainStates,
  "complete",
  /** Cancelled by the sender. */
  "withdrawn",
  /** Cancelled by the receiver. */
  "givenUp",
  "failed",
] as const;
type RestingState = (typeof restingStates)[number];

/** The states of a transfer that exists, which are never stored: waits for its first channel or its turn, or moves bytes. */
export const live = ["opening", "queued", "running"] as const;
type LiveState = (typeof live)[number];

/** All states of an offer. */
export type OfferState = RestingState | LiveState;
export const offerStates: readonly OfferState[] = [...restingStates, ...live];

/** Accepted, and not moving for another reason than that a person here paused it. */
export const waiting = ["queuedThere", "pausedThere", "absent", "needsSource", "needsSpace"] as const;
/** A person decided against the file. */
export const turnedDown = ["declined", "withdrawn", "givenUp"] as const;
export const ended = ["complete", ...turnedDown] as const;

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
export type TransferState = { readonly state: LiveState } | Offer;

/** Whether a transfer exists, and has not ended. */
export function isLive(transfer: TransferState | undefined): transfer is { readonly state: LiveState } {
  return transfer !== undefined && (live as readonly OfferState[]).includes(transfer.state);
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

/** Whether an offer has neither ended nor failed. */
export function isOpen(state: OfferState): boolean {
  return state !== "failed" && !(ended as readonly OfferState[]).includes(state);
}

/** Whether a person at either end decided against the file. */
export function isTurnedDown(state: OfferState): boolean {
  return (turnedDown as readonly OfferState[]).includes(state);
}

/** The accepted states that become `absent` on a reload: whether they still hold is known only after reconnecting. */
const lostOnReload = {
  sender: [...live, ...waiting],
  receiver: [...live, "queuedThere", "pausedThere", "absent", "needsSource"],
} as const satisfies Record<OfferSide, readonly OfferState[]>;

/**
 * An offer right after a page load, when no transfer exists yet: what waited for the other side is `absent`; what a person
 * here paused, and what waits for space here, stays as it is. The receiver still has the chunks it stored, and on
 * `peer-returns` requests those it lacks (`files/received-file.ts` decides which); chunks of files that no open offer
 * wants are deleted. The sender reopens its file by its handle or copy, or is in `needsSource`, also if it was paused, until a
 * person chooses it again. `FileCleanup.reopenOwnFiles` deletes and reopens, and waits for space.
 */
export function reloadedOffer(offer: Offer, side: OfferSide): Offer {
  return (lostOnReload[side] as readonly OfferState[]).includes(offer.state) ? { state: "absent" } : offer;
}
