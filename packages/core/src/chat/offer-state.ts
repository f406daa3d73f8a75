import { type ClientId, type ErrorDescription, WarrenError } from "@warren/protocol";
import {
  cancellationOf,
  cancelled,
  type PauseReason,
  type TransferState,
} from "../transfer/transfer-state.ts";
import type { ChatMessage } from "./message.ts";

/**
 * The states of a file offered to one client, how they are stored, and what a reload leaves of them. What an event leads
 * to is decided in `file-offer.ts`, whose code is loaded with that for files.
 */

/** The states of an offer. All but `opening` and `queued` are read from the stored {@link TransferState}. */
export const offerStates = [
  /** Undecided. */
  "offered",
  /** Accepted; the transfer is being prepared or its channels are opening. */
  "opening",
  /** Accepted; queued here behind other transfers. */
  "queued",
  /** Accepted; queued at the receiver behind other transfers. */
  "queuedThere",
  "running",
  "pausedHere",
  "pausedThere",
  /** Accepted; resumes when both are connected. */
  "absent",
  /** The sender has to choose the file again. */
  "needsSource",
  /** The receiver has no space for it. */
  "needsSpace",
  "complete",
  "declined",
  /** Cancelled by the sender. */
  "withdrawn",
  /** Cancelled by the receiver. */
  "givenUp",
  "failed",
] as const;
export type OfferState = (typeof offerStates)[number];

/** States in which a transfer may exist. */
export const live = ["opening", "queued", "running"] as const;
/** Accepted but not moving. */
export const waiting = ["queuedThere", "pausedThere", "absent", "needsSource", "needsSpace"] as const;
/** A person decided against the file. */
export const turnedDown = ["declined", "withdrawn", "givenUp"] as const;
export const ended = ["complete", ...turnedDown] as const;

/** The accepted states that become `absent` on a reload: whether they still hold is known only after reconnecting. */
export const lostOnReload = {
  sender: [...live, ...waiting],
  receiver: [...live, "queuedThere", "pausedThere", "absent", "needsSource"],
} as const satisfies Record<string, readonly OfferState[]>;

const pauseStates = {
  me: { idle: "pausedHere", underWay: "pausedHere" },
  peer: { idle: "pausedThere", underWay: "pausedThere" },
  absence: { idle: "absent", underWay: "opening" },
  source: { idle: "needsSource", underWay: "needsSource" },
  storage: { idle: "needsSpace", underWay: "needsSpace" },
  queue: { idle: "queuedThere", underWay: "queued" },
} as const satisfies Readonly<Record<PauseReason, Readonly<Record<"idle" | "underWay", OfferState>>>>;

/** A state of a paused offer. */
export type PausedState = (typeof pauseStates)[PauseReason]["idle" | "underWay"];

/** The state of a paused offer, by the stored reason and whether a transfer exists here. */
export function pausedStateOf(reason: PauseReason, hasTransfer: boolean): PausedState {
  return pauseStates[reason][hasTransfer ? "underWay" : "idle"];
}

/** The offer's state, derived from the stored {@link TransferState} and whether a transfer exists. */
export function offerStateOf(state: TransferState, hasTransfer: boolean): OfferState {
  switch (state.status) {
    case "init":
      return hasTransfer ? "opening" : "offered";
    case "transferring":
      return "running";
    case "paused":
      return pausedStateOf(state.by, hasTransfer);
    case "complete":
      return "complete";
    case "error": {
      // Earlier versions answered an offer over their limit with these errors.
      if (["transfer-declined", "file-too-large"].includes(state.error.code)) return "declined";
      const cancellation = cancellationOf(state);
      if (!cancellation) return "failed";
      return cancellation.by === "receiver" ? "givenUp" : "withdrawn";
    }
  }
}

/**
 * The {@link TransferState} stored for a state of an offer.
 * @param error why it failed
 * @param already whether a complete file was there before the offer
 */
export function transferStateOf(
  state: OfferState,
  { error, already }: { readonly error?: ErrorDescription; readonly already?: true } = {},
): TransferState {
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
      return { status: "paused", by: "queue" };
    case "pausedHere":
      return { status: "paused", by: "me" };
    case "pausedThere":
      return { status: "paused", by: "peer" };
    case "needsSource":
      return { status: "paused", by: "source" };
    case "needsSpace":
      return { status: "paused", by: "storage" };
    case "complete":
      return { status: "complete", verified: true, ...(already && { already }) };
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

/** Whether an offer has neither ended nor failed. */
export function isOpen(state: OfferState): boolean {
  return state !== "failed" && !(ended as readonly OfferState[]).includes(state);
}

/** Whether a person at either end decided against the file. */
export function isTurnedDown(state: OfferState): boolean {
  return (turnedDown as readonly OfferState[]).includes(state);
}

/**
 * A message right after a page load, when no transfer exists yet: what moved or waited for the other side is `absent`;
 * what a person here paused, and what waits for space here, stays as it is. The receiver still has the chunks it stored, and
 * on `peer-returns` requests those it lacks (`files/received-file.ts` decides which); chunks of files that no open offer
 * wants are deleted. The sender reopens its file by its handle or copy, or is in `needsSource` until a person chooses it
 * again. `FileOffers.reopenOwnFiles` does both.
 */
export function reloadedOffer(message: ChatMessage, selfId: ClientId): ChatMessage {
  if (message.type !== "file") return message;
  const side = message.client === selfId ? "sender" : "receiver";
  const transfers = Object.entries(message.transfers).map(([peer, state]) => {
    const isLost = (lostOnReload[side] as readonly OfferState[]).includes(offerStateOf(state, false));
    return [peer, isLost ? transferStateOf("absent") : state] as const;
  });
  return { ...message, transfers: Object.fromEntries(transfers) };
}
