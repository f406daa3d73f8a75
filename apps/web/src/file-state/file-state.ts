import { type Offer, offerNow, type TransferSnapshot } from "@warren/core";
import type { ErrorCode } from "@warren/protocol";

/** A state in one word: on its card, and for a received file on the files page. */
export type FileLabel = "not-started" | "stopped" | "transferring" | "merging" | "complete" | "incomplete";

/** The outcome of a file for one peer. `cancelled`: by us; `cancelledThere`: by the peer. */
export type FileOutcome =
  | "waiting"
  | "accepted"
  | "complete"
  | "declined"
  | "cancelled"
  | "cancelledThere"
  | "failed";

/** A state on the files page: a received file shows its label, my own file the state of its offers. */
export type FileStatus = FileLabel | "missing" | "offered" | "declined" | "cancelled";

/** A file's section in the tray; done files have a list of their own. */
export type TraySection = "moving" | "queued" | "opening" | "stalled" | "failed" | "done";

interface StateRow {
  readonly label: FileLabel;
  readonly outcome: FileOutcome;
  /** On the files page, if I offered it. */
  readonly sent: FileStatus;
  /** Null: not listed. Failed and done ones are listed only if they moved in this tab. */
  readonly tray: TraySection | null;
  /**
   * Whether its bytes count in the progress of moving files it was offered together with. My offers count until
   * they move: only the receiver knows whether they were accepted and are queued.
   */
  readonly counts: "always" | "if-mine" | "if-moved" | "never";
}

const moving = {
  label: "transferring",
  outcome: "accepted",
  sent: "transferring",
  tray: "moving",
  counts: "never",
} as const;
const notStarted = {
  label: "not-started",
  outcome: "accepted",
  sent: "not-started",
  counts: "always",
} as const;
const stopped = {
  label: "stopped",
  outcome: "accepted",
  sent: "stopped",
  tray: "stalled",
  counts: "never",
} as const;
const complete = {
  label: "complete",
  outcome: "complete",
  sent: "complete",
  tray: "done",
  counts: "if-moved",
} as const;
const failed = {
  label: "incomplete",
  outcome: "failed",
  sent: "incomplete",
  tray: "failed",
  counts: "never",
} as const;

/**
 * Every state of a file between one peer and us, and what each view makes of it. The order is the precedence for
 * several recipients, see combined-state.ts: moving, paused by me (only I can resume it), queued, stalled, undecided.
 * So a file is complete once no recipient is left to receive it, and failed only if none received it.
 */
export const fileStates = {
  running: moving,
  /** All chunks are here and are being merged into one file. */
  merging: { ...moving, label: "merging" },
  pausedHere: stopped,
  /** Accepted; its transfer starts now. */
  opening: { ...notStarted, tray: "opening" },
  /** Accepted; queued behind other transfers, here or at the receiver. */
  queued: { ...notStarted, tray: "queued" },
  /** The sender has to choose the file again. */
  needsSource: stopped,
  /** The receiver has no space for it; resumes when it has. */
  needsSpace: stopped,
  pausedThere: stopped,
  /** Accepted; resumes when both are connected. */
  accepted: stopped,
  /** Undecided. */
  offered: { label: "not-started", outcome: "waiting", sent: "offered", tray: null, counts: "if-mine" },
  complete,
  /** Mine; the receiver had it before, and nothing was sent. */
  alreadyThere: complete,
  /** Received, then deleted here. */
  gone: { ...complete, label: "incomplete" },
  /** Received, then lost by the browser. */
  missing: { ...complete, label: "incomplete" },
  failed,
  /** Ended for lack of space at the receiver. */
  outOfSpace: failed,
  /** The file changed on its sender's disk. */
  changed: failed,
  /** Cannot be resumed, only requested again: one end lost its data, or it is damaged. */
  unusable: failed,
  declined: { ...failed, outcome: "declined", sent: "declined" },
  cancelledHere: { ...failed, outcome: "cancelled", sent: "cancelled" },
  cancelledThere: { ...failed, outcome: "cancelledThere", sent: "cancelled" },
} as const satisfies Readonly<Record<string, StateRow>>;
export type FileState = keyof typeof fileStates;

const errorStates: Readonly<Partial<Record<ErrorCode, FileState>>> = {
  "source-changed": "changed",
  "not-enough-space": "outOfSpace",
  "storage-full": "outOfSpace",
  "source-missing": "unusable",
  "root-verification-failed": "unusable",
  "cache-not-found": "unusable",
  "cache-info-not-found": "unusable",
  "transfer-info-missing": "unusable",
  "tree-invalid": "unusable",
  "tree-too-large": "unusable",
};

/** What is known of a file and a peer besides the offer. */
export interface Known {
  readonly transfer: TransferSnapshot | undefined;
  /** Whether the peer can receive messages now. */
  readonly isHere: boolean;
  /** Why a received file is no longer here. */
  readonly loss?: "gone" | "missing" | null;
}

/**
 * The state of a file with one peer, by its offer or, if there is none, by its transfer.
 * @param isMine whether we offered the file
 */
export function fileStateOf(
  offer: Offer | undefined,
  isMine: boolean,
  { transfer, isHere, loss = null }: Known,
): FileState {
  const now = offer ? offerNow(offer, transfer?.now) : transfer?.now;
  if (now === undefined) return "offered";
  switch (now.state) {
    case "opening":
      return isHere ? "opening" : "accepted";
    case "queued":
    case "queuedThere":
      return isHere ? "queued" : "accepted";
    case "running":
      return (transfer?.mergingProgress ?? null) === null ? "running" : "merging";
    case "complete":
      return loss ?? (isMine && now.already ? "alreadyThere" : "complete");
    case "withdrawn":
      return isMine ? "cancelledHere" : "cancelledThere";
    case "givenUp":
      return isMine ? "cancelledThere" : "cancelledHere";
    case "failed":
      // A receiver that has the file already may answer with this error.
      if (isMine && now.error.code === "cache-exists") return "alreadyThere";
      return stateOfError(now.error.code);
    default:
      return now.state;
  }
}

/** The state of a file that ended with an error. */
export function stateOfError(code: ErrorCode): FileState {
  return errorStates[code] ?? "failed";
}

/** The outcome of a file for one peer, which depends on the offer alone: nothing that is live changes it. */
export function outcomeOf(offer: Offer | undefined, isMine: boolean): FileOutcome {
  return fileStates[fileStateOf(offer, isMine, { transfer: undefined, isHere: true })].outcome;
}

/** The state of a file by its transfer alone. */
export function fileStateOfTransfer(transfer: TransferSnapshot): FileState {
  return fileStateOf(undefined, transfer.mode === "send", { transfer, isHere: true });
}

/** Whether bytes of a transfer move or are merged. */
export function isMoving(transfer: TransferSnapshot): boolean {
  return transfer.now.state === "running";
}
