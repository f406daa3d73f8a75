import type { ClientId, FileId } from "@warren/protocol";
import type { TransferState } from "./offer-state.ts";

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

/** The direction of a transfer at this browser. */
export type TransferMode = "send" | "receive";

/** A transfer that is queued or was started since the page loaded. Its progress is published at most twice a second. */
export interface TransferSnapshot {
  readonly key: TransferKey;
  readonly peerId: ClientId;
  readonly fid: FileId;
  readonly mode: TransferMode;
  readonly fileName: string;
  readonly totalBytes: number;
  /** Bytes that the receiver has stored, at the sender as far as they are confirmed. */
  readonly transferredBytes: number;
  /** Averaged over the last second; null until two seconds of data exist, and when nothing moves. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  /** Whether it runs, and no bytes have moved for 10 s: the other side sends nothing, or confirms nothing. */
  readonly isSilent: boolean;
  readonly now: TransferState;
  /** Progress of merging the chunks, 0 to 1; null when not merging. */
  readonly mergingProgress: number | null;
  /** Null while it has only been queued since the page loaded. */
  readonly startedAt: number | null;
}

/** All transfers by key. */
export type TransferSnapshots = ReadonlyMap<TransferKey, TransferSnapshot>;
