import {
  compareNames,
  descriptionOf,
  type FileComparison,
  type SharedListing,
  type Transfer,
  type TransferState,
  transferKeyOf,
  type Verdict,
} from "@warren/core";
import { type ClientId, contentSizeOf, type ErrorDescription, type FileDescription } from "@warren/protocol";

/** What is happening to a file between the two sides. */
export type SyncProgress =
  /** Share is 0 to 1. */
  | { readonly kind: "moving"; readonly mode: Transfer["mode"]; readonly share: number }
  /** Waits for its turn. */
  | { readonly kind: "queued"; readonly mode: Transfer["mode"] }
  /** Waits for them to accept. */
  | { readonly kind: "offered" }
  | { readonly kind: "stopped"; readonly share: number }
  | { readonly kind: "failed"; readonly error: ErrorDescription };

/** A file on two sides, as a row of the page. */
export interface SyncRow extends FileComparison {
  readonly file: FileDescription;
  /** What a person sees as its size, in bytes. */
  readonly sizeBytes: number;
  readonly progress: SyncProgress | null;
  /** What can be done now to make both sides the same. */
  readonly action: "fetch" | "send" | null;
}

/** What the rows of a page with one person depend on, besides the files. */
export interface SyncSurroundings {
  readonly peerId: ClientId;
  readonly transfers: TransferState;
  readonly listing: Pick<SharedListing, "waiting" | "refused">;
  /** Files of mine that were offered to them and have not begun: not answered, or waiting for their turn there. */
  readonly offered: ReadonlyMap<string, "offered" | "queued">;
}

const wayOf: Readonly<Record<Verdict, SyncRow["action"]>> = {
  new: "fetch",
  newer: "fetch",
  partial: "fetch",
  older: "send",
  "only-mine": "send",
  same: null,
};

function shareOf(doneBytes: number, totalBytes: number): number {
  return totalBytes === 0 ? 0 : Math.min(1, doneBytes / totalBytes);
}

function progressOf(
  { verdict, theirs, mine }: FileComparison,
  { peerId, transfers, listing, offered }: SyncSurroundings,
): SyncProgress | null {
  if (verdict === "same") return null;
  const moved = wayOf[verdict] === "fetch" ? theirs : mine?.description;
  if (!moved) return null;
  const { fid } = moved;
  const transfer = transfers[transferKeyOf(peerId, fid)];
  const status = transfer?.state.status;
  if (transfer && (status === "transferring" || status === "init")) {
    return {
      kind: "moving",
      mode: transfer.mode,
      share: shareOf(transfer.transferredBytes, transfer.totalBytes),
    };
  }
  if (listing.waiting.includes(fid)) return { kind: "queued", mode: "receive" };
  const offer = offered.get(fid);
  if (offer) return offer === "queued" ? { kind: offer, mode: "send" } : { kind: offer };
  const error = listing.refused[fid] ?? (transfer?.state.status === "error" ? transfer.state.error : null);
  if (error && error.code !== "transfer-cancelled") return { kind: "failed", error };
  if (transfer && status === "paused")
    return { kind: "stopped", share: shareOf(transfer.transferredBytes, transfer.totalBytes) };
  if (verdict === "partial" && mine)
    return { kind: "stopped", share: shareOf(mine.storedBytes, moved.fileSize) };
  return null;
}

/** The rows of compared files, in their order. */
export function syncRows(
  comparisons: readonly FileComparison[],
  around: SyncSurroundings,
): readonly SyncRow[] {
  return comparisons.map((comparison) => {
    const file = descriptionOf(comparison);
    const progress = progressOf(comparison, around);
    const isBusy = progress !== null && ["moving", "queued", "offered"].includes(progress.kind);
    const action = isBusy ? null : wayOf[comparison.verdict];
    return { ...comparison, file, sizeBytes: contentSizeOf(file), progress, action };
  });
}

/** Which rows are shown. */
export type SyncFilter = "all" | "new" | "changed" | "only-mine" | "same";

const filterOf: Readonly<Record<Verdict, SyncFilter>> = {
  new: "new",
  partial: "new",
  newer: "changed",
  older: "changed",
  "only-mine": "only-mine",
  same: "same",
};

/** Whether a row is among those of a filter. */
export function isInFilter({ verdict }: SyncRow, filter: SyncFilter): boolean {
  return filter === "all" || filterOf[verdict] === filter;
}

/** What comes first. */
export type SyncOrder = "missing" | "name" | "size" | "time";

const comparers: Readonly<Record<SyncOrder, ((a: SyncRow, b: SyncRow) => number) | null>> = {
  // They come in this order.
  missing: null,
  name: (a, b) => compareNames(a.file.fileName, b.file.fileName),
  size: (a, b) => b.sizeBytes - a.sizeBytes,
  time: (a, b) => b.file.lastModified - a.file.lastModified,
};

/** Puts rows in an order; those that are equal in it stay as they were. */
export function inOrder(rows: readonly SyncRow[], order: SyncOrder): readonly SyncRow[] {
  const comparer = comparers[order];
  return comparer === null ? rows : rows.toSorted(comparer);
}

/** What fetching and sending some rows amounts to. */
export interface SyncWork {
  readonly fetch: readonly SyncRow[];
  readonly send: readonly SyncRow[];
  readonly fetchBytes: number;
  readonly totalBytes: number;
}

/** Sums up what can be done about some rows. */
export function syncWork(rows: readonly SyncRow[]): SyncWork {
  const fetch = rows.filter(({ action }) => action === "fetch");
  const send = rows.filter(({ action }) => action === "send");
  const bytesOf = (some: readonly SyncRow[]) => some.reduce((sum, row) => sum + bytesToMove(row), 0);
  const fetchBytes = bytesOf(fetch);
  return { fetch, send, fetchBytes, totalBytes: fetchBytes + bytesOf(send) };
}

/** The bytes that a row still lacks. */
function bytesToMove({ sizeBytes, progress }: SyncRow): number {
  return progress?.kind === "stopped" ? Math.round(sizeBytes * (1 - progress.share)) : sizeBytes;
}
