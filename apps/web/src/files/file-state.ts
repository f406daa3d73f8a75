import { cancellationOf, type TransferSnapshot, type TransferState } from "@warren/core";
import type { ErrorCode } from "@warren/protocol";

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

interface StateRow {
  readonly label: FileLabel;
  readonly outcome: FileOutcome;
}

function row(label: FileLabel, outcome: FileOutcome): StateRow {
  return { label, outcome };
}

/** Every state of a file between one peer and us, and what each view shows of it. */
export const fileStates = {
  /** Undecided. */
  offered: row("not-started", "waiting"),
  /** Accepted; its transfer starts now. */
  opening: row("not-started", "accepted"),
  /** Accepted; queued behind other transfers, here or at the receiver. */
  queued: row("not-started", "accepted"),
  running: row("transferring", "accepted"),
  /** All chunks are here and are joined into one file. */
  merging: row("merging", "accepted"),
  pausedHere: row("stopped", "accepted"),
  pausedThere: row("stopped", "accepted"),
  /** Accepted; resumes when both are connected. */
  absent: row("stopped", "accepted"),
  /** The sender has to choose the file again. */
  needsSource: row("stopped", "accepted"),
  /** The receiver has no space for it; resumes when it has. */
  needsSpace: row("stopped", "accepted"),
  complete: row("complete", "complete"),
  /** Mine; the receiver had it before, and nothing was sent. */
  alreadyThere: row("complete", "complete"),
  /** Received, then deleted here. */
  gone: row("incomplete", "complete"),
  /** Received, then lost by the browser. */
  missing: row("incomplete", "complete"),
  declined: row("incomplete", "declined"),
  cancelledHere: row("incomplete", "cancelled"),
  cancelledThere: row("incomplete", "cancelledThere"),
  /** Cancelled; earlier versions did not store by whom. */
  cancelled: row("incomplete", "cancelled"),
  /** The file changed on its sender's disk. */
  changed: row("incomplete", "failed"),
  /** Ended for lack of space at the receiver. */
  outOfSpace: row("incomplete", "failed"),
  /** Rejected for its size by a receiver of an earlier version. */
  tooLarge: row("incomplete", "failed"),
  /** Cannot be resumed, only requested anew: one end lost its data, or it is damaged. */
  unusable: row("incomplete", "failed"),
  failed: row("incomplete", "failed"),
} as const satisfies Readonly<Record<string, StateRow>>;
export type FileState = keyof typeof fileStates;

const pauseStates = {
  me: "pausedHere",
  peer: "pausedThere",
  absence: "absent",
  source: "needsSource",
  storage: "needsSpace",
  queue: "queued",
} as const;

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
      return (transfer?.mergingShare ?? null) === null ? "running" : "merging";
    case "paused":
      if (state.by === "queue" && !isHere) return "absent";
      if (state.by === "absence" && isHere && transfer?.state.status === "init") return "opening";
      return pauseStates[state.by];
    case "complete":
      return loss ?? (isMine && state.already ? "alreadyThere" : "complete");
    case "error":
      return endedAs(state, isMine);
  }
}

function endedAs(state: Extract<TransferState, { status: "error" }>, isMine: boolean): FileState {
  const cancellation = cancellationOf(state);
  if (cancellation !== null) {
    if (cancellation.by === null) return "cancelled";
    return cancellation.by === (isMine ? "sender" : "receiver") ? "cancelledHere" : "cancelledThere";
  }
  // Receivers of earlier versions answer an offer of a file they have with this error.
  if (isMine && state.error.code === "cache-exists") return "alreadyThere";
  return errorStates[state.error.code] ?? "failed";
}
