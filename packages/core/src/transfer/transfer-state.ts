import { type ClientId, type ErrorDescription, type FileId, WarrenError } from "@warren/protocol";

/** Identifies one file on its way to or from one client. */
export type TransferKey = `${ClientId}/${FileId}`;

/** The key of a transfer. */
export function transferKeyOf(peerId: ClientId, fid: FileId): TransferKey {
  return `${peerId}/${fid}`;
}

/** The client and the file of a key. */
export function partsOf(key: TransferKey): { readonly peerId: ClientId; readonly fid: FileId } {
  const slash = key.indexOf("/");
  return { peerId: key.slice(0, slash), fid: key.slice(slash + 1) };
}

/**
 * Why a transfer is paused without a fault: a person here or there (`me`, `peer`), the other side is away or does not
 * start (`absence`), the sender has to choose the file again (`source`), the receiver has no space (`storage`), or it
 * is queued behind others (`queue`). `absence` also covers an opening transfer, one that
 * did not start within a minute, and a reload. A transfer itself reports `queue`, `storage` and `absence`
 * (`transfer.ts`; `TransferService.peerLost` when the connection ends). The offer's state machine (`chat/file-offer.ts`) decides
 * what follows from that, decides all other reasons, and what is stored; `file-card-view.ts` in the web app words it.
 */
export type PauseReason = "me" | "peer" | "absence" | "source" | "storage" | "queue";

/** The state of a file's transfer to or from one client. A message stores it for each recipient. */
export type TransferState =
  /** Offered and not started. */
  | { readonly status: "init" }
  | { readonly status: "transferring" }
  | { readonly status: "paused"; readonly by: PauseReason }
  /**
   * `verified`: both sides computed the same root digest. `already`: the receiver had the file, and nothing was sent.
   */
  | { readonly status: "complete"; readonly verified: boolean; readonly already?: true | undefined }
  | { readonly status: "error"; readonly error: ErrorDescription };

/** The direction of a transfer at this browser. */
export type TransferMode = "send" | "receive";

/** The two ends of a transfer. */
export type TransferSide = "sender" | "receiver";

/** Who cancelled a transfer, and whether it was requested or offered again since. */
export interface Cancellation {
  /** Null in records of earlier versions, which did not store it. */
  readonly by: TransferSide | null;
  /** The receiver requested the file again. */
  readonly askedAgain: boolean;
  /** The sender offered the file again, in another message. */
  readonly offeredAgain: boolean;
}

/** The error of a cancelled transfer. */
export function cancelled({ by, askedAgain, offeredAgain }: Partial<Cancellation>): WarrenError {
  return new WarrenError("transfer-cancelled", {
    ...(by && { by }),
    ...(askedAgain && { askedAgain: 1 }),
    ...(offeredAgain && { offeredAgain: 1 }),
  });
}

/** How a transfer was cancelled; null if it was not. */
export function cancellationOf(state: TransferState | undefined): Cancellation | null {
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
  /** Durable bytes at the receiver (receive), or bytes sent (send). */
  readonly transferredBytes: number;
  /** Averaged over the last second; null until two seconds of data exist, and when nothing moves. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly state: TransferState;
  /** Progress of merging the chunks, 0 to 1; null when not merging. */
  readonly mergingProgress: number | null;
  readonly startedAt: number;
}

/** All transfers by key. */
export type TransferSnapshots = ReadonlyMap<TransferKey, TransferSnapshot>;
