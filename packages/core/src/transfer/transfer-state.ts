import { type ClientId, type ErrorDescription, type FileId, WarrenError } from "@warren/protocol";

/** Names one file on its way to or from one client. */
export type TransferKey = `${ClientId}/${FileId}`;

/** The key of a transfer. */
export function transferKeyOf(peerId: ClientId, fid: FileId): TransferKey {
  return `${peerId}/${fid}`;
}

/**
 * Why a transfer stands still without a fault: a person wants it, the other side is away or does not begin, the sender
 * has to choose the file again, the receiver has no room, or others are before it.
 */
export type PauseReason = "me" | "peer" | "absence" | "source" | "storage" | "turn";

/** The client and the file that a key names. */
export function partsOf(key: TransferKey): { readonly peerId: ClientId; readonly fid: FileId } {
  const slash = key.indexOf("/");
  return { peerId: key.slice(0, slash), fid: key.slice(slash + 1) };
}

/** How a file's way to or from one client stands; what a message keeps of it. */
export type TransferStatus =
  /** Offered and not yet begun. */
  | { readonly status: "init" }
  | { readonly status: "transferring" }
  | { readonly status: "paused"; readonly by: PauseReason }
  /** `verified`: both sides hold the same root digest. `already`: the receiver had it, and nothing travelled. */
  | { readonly status: "complete"; readonly verified: boolean; readonly already?: true | undefined }
  | { readonly status: "error"; readonly error: ErrorDescription };

/** What this browser does with the file. */
export type TransferMode = "send" | "receive";

/** The two ends of a transfer. */
export type TransferSide = "sender" | "receiver";

/** A transfer that a person gave up, and what was done about it since. */
export interface Cancellation {
  /** Null in records of earlier versions, which did not say. */
  readonly by: TransferSide | null;
  /** The receiver asked its sender for the file once more. */
  readonly askedAgain: boolean;
  /** The sender offered the file once more, by another message. */
  readonly offeredAgain: boolean;
}

/** The error of a transfer that a person gave up. */
export function cancelled({ by, askedAgain, offeredAgain }: Partial<Cancellation>): WarrenError {
  return new WarrenError("transfer-cancelled", {
    ...(by && { by }),
    ...(askedAgain && { askedAgain: 1 }),
    ...(offeredAgain && { offeredAgain: 1 }),
  });
}

/** How a transfer was given up; null where it was not. */
export function cancellationOf(state: TransferStatus | undefined): Cancellation | null {
  if (state?.status !== "error" || state.error.code !== "transfer-cancelled") return null;
  const { by, askedAgain, offeredAgain } = state.error.values;
  return {
    by: by === "sender" || by === "receiver" ? by : null,
    askedAgain: askedAgain === 1,
    offeredAgain: offeredAgain === 1,
  };
}

/** A transfer that is or was active since the page loaded. Published at most twice a second. */
export interface TransferSnapshot {
  readonly key: TransferKey;
  readonly peerId: ClientId;
  readonly fid: FileId;
  readonly mode: TransferMode;
  readonly fileName: string;
  readonly totalBytes: number;
  /** Bytes durable at the receiver (receive), or sent (send). */
  readonly transferredBytes: number;
  /** Averaged over the last second; null until two seconds of data exist, and when nothing moves. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly state: TransferStatus;
  /** Share 0 to 1 of putting the chunks together; null when that is not under way. */
  readonly mergingShare: number | null;
  readonly startedAt: number;
}

/** All transfers by key. */
export type TransferState = Readonly<Record<TransferKey, TransferSnapshot>>;
