import { cancellationOf, pausedStateOf, type TransferSnapshot, type TransferState } from "@warren/core";
import type { ErrorCode, ErrorDescription } from "@warren/protocol";

/** A state in one word: on its card, and for a received file on the files page. */
export type FileLabel = "not-started" | "stopped" | "transferring" | "merging" | "complete" | "incomplete";

/**
 * The outcome of a file for one peer. `cancelled`: by us, or in records of earlier versions by an unknown
 * side; `cancelledThere`: by the peer.
 */
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

/** A file's place in the tray; done files have a list of their own. */
export type TrayPlace = "moving" | "queued" | "opening" | "stalled" | "failed" | "done";

interface StateRow {
  readonly label: FileLabel;
  readonly outcome: FileOutcome;
  /** On the files page, if I offered it. */
  readonly sent: FileStatus;
  /** Null: not listed. Failed and done ones are listed only if they moved in this tab. */
  readonly tray: TrayPlace | null;
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

/** Every state of a file between one peer and us, and what each view makes of it. */
export const fileStates = {
  /** Undecided. */
  offered: { label: "not-started", outcome: "waiting", sent: "offered", tray: null, counts: "if-mine" },
  /** Accepted; its transfer starts now. */
  opening: { label: "not-started", outcome: "accepted", sent: "stopped", tray: "opening", counts: "always" },
  /** Accepted; queued behind other transfers, here or at the receiver. */
  queued: { label: "not-started", outcome: "accepted", sent: "stopped", tray: "queued", counts: "always" },
  running: moving,
  /** All chunks are here and are being merged into one file. */
  merging: { ...moving, label: "merging" },
  pausedHere: stopped,
  pausedThere: stopped,
  /** Accepted; resumes when both are connected. */
  absent: stopped,
  /** The sender has to choose the file again. */
  needsSource: stopped,
  /** The receiver has no space for it; resumes when it has. */
  needsSpace: stopped,
  complete,
  /** Mine; the receiver had it before, and nothing was sent. */
  alreadyThere: complete,
  /** Received, then deleted here. */
  gone: { ...complete, label: "incomplete" },
  /** Received, then lost by the browser. */
  missing: { ...complete, label: "incomplete" },
  declined: { ...failed, outcome: "declined", sent: "declined" },
  cancelledHere: { ...failed, outcome: "cancelled", sent: "cancelled" },
  cancelledThere: { ...failed, outcome: "cancelledThere", sent: "cancelled" },
  /** Cancelled; earlier versions did not store by whom. */
  cancelled: { ...failed, outcome: "cancelled", sent: "cancelled" },
  /** The file changed on its sender's disk. */
  changed: failed,
  /** Ended for lack of space at the receiver. */
  outOfSpace: failed,
  /** Rejected for its size by a receiver of an earlier version. */
  tooLarge: failed,
  /** Cannot be resumed, only requested again: one end lost its data, or it is damaged. */
  unusable: failed,
  failed,
} as const satisfies Readonly<Record<string, StateRow>>;
export type FileState = keyof typeof fileStates;

const errorStates: Readonly<Partial<Record<ErrorCode, FileState>>> = {
  "transfer-declined": "declined",
  "source-changed": "changed",
  "not-enough-space": "outOfSpace",
  "storage-full": "outOfSpace",
  "file-too-large": "tooLarge",
  "source-missing": "unusable",
  "root-verification-failed": "unusable",
  "cache-not-found": "unusable",
  "cache-info-not-found": "unusable",
  "transfer-info-missing": "unusable",
  "tree-invalid": "unusable",
};

/** Besides the stored state, as far as the view knows it. */
interface Known {
  readonly transfer?: TransferSnapshot | undefined;
  /** Whether the peer can receive messages now. */
  readonly isHere?: boolean;
  /** Why a received file is no longer here. */
  readonly loss?: "gone" | "missing" | null;
}

/** The state of a file with one peer, from the stored one; `isMine`: whether we offered it. */
export function fileStateOf(
  state: TransferState | undefined,
  isMine: boolean,
  { transfer, isHere = true, loss = null }: Known = {},
): FileState {
  switch (state?.status) {
    case undefined:
    case "init":
      return "offered";
    case "transferring":
      return (transfer?.mergingProgress ?? null) === null ? "running" : "merging";
    case "paused": {
      if (state.by === "queue" && !isHere) return "absent";
      const paused = pausedStateOf(state.by, isHere && transfer?.state.status === "init");
      return paused === "queuedThere" ? "queued" : paused;
    }
    case "complete":
      return loss ?? (isMine && state.already ? "alreadyThere" : "complete");
    case "error":
      return endedAs(state, isMine);
  }
}

/** Whether a file reached its receiver, as {@link fileStateOf}. */
export function isCompleteFile(state: TransferState | undefined, isMine: boolean): boolean {
  return fileStates[fileStateOf(state, isMine)].outcome === "complete";
}

/** The state of a file by its transfer alone: one that has not started is opening. */
export function fileStateOfTransfer(transfer: TransferSnapshot): FileState {
  const { state, mode } = transfer;
  return state.status === "init" ? "opening" : fileStateOf(state, mode === "send", { transfer });
}

/** Whether bytes of a transfer move, or are joined. */
export function isMoving(transfer: TransferSnapshot): boolean {
  return fileStates[fileStateOfTransfer(transfer)].tray === "moving";
}

/** The error of a failed transfer; null for any other, also a declined or cancelled one. */
export function failureOf(transfer: TransferSnapshot): ErrorDescription | null {
  const isFailed = fileStates[fileStateOfTransfer(transfer)].outcome === "failed";
  return isFailed && transfer.state.status === "error" ? transfer.state.error : null;
}

function endedAs(state: Extract<TransferState, { status: "error" }>, isMine: boolean): FileState {
  const cancellation = cancellationOf(state);
  if (cancellation !== null) {
    if (cancellation.by === null) return "cancelled";
    return cancellation.by === (isMine ? "sender" : "receiver") ? "cancelledHere" : "cancelledThere";
  }
  // Receivers of earlier versions reply with this error if they already have the file.
  if (isMine && state.error.code === "cache-exists") return "alreadyThere";
  return errorStates[state.error.code] ?? "failed";
}
