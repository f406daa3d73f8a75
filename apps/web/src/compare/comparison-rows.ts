import {
  compareNames,
  descriptionOf,
  type FileComparison,
  type FileMessage,
  type SharedListing,
  type TransferSnapshot,
  transferKeyOf,
  type Verdict,
} from "@warren/core";
import {
  type ClientId,
  contentSizeOf,
  type ErrorDescription,
  type FileDescription,
  type FileId,
} from "@warren/protocol";
import { type FileState, fileStateOf, fileStates } from "../file-state/file-state.ts";
import type { LiveTransfers } from "../file-state/live-transfers.ts";

/** The details below a file's name, in order. */
export const comparisonDetails = ["size", "lastModified", "mimeType"] as const;
export type ComparisonDetail = (typeof comparisonDetails)[number];

/** The progress of a file between the two sides. */
export type ComparisonProgress =
  /** The fraction is 0 to 1. */
  | { readonly kind: "moving"; readonly mode: TransferSnapshot["mode"]; readonly fraction: number }
  /** Queued. */
  | { readonly kind: "queued"; readonly mode: TransferSnapshot["mode"] }
  /** Waits until the peer accepts it. */
  | { readonly kind: "offered" }
  | { readonly kind: "stopped"; readonly fraction: number }
  | { readonly kind: "failed"; readonly error: ErrorDescription };

/**
 * The comparison of a file; the last three are theirs and not here, because I sent, declined or cancelled
 * them.
 */
export type ComparisonVerdict = Verdict | "sent" | "declined" | "cancelled";

/** A file on both sides, as a row of the page. */
export interface ComparisonRow extends Omit<FileComparison, "verdict"> {
  readonly verdict: ComparisonVerdict;
  readonly file: FileDescription;
  /** The displayed size, in bytes. */
  readonly sizeBytes: number;
  readonly progress: ComparisonProgress | null;
  /** The action that makes both sides the same. */
  readonly action: "fetch" | "send" | null;
}

/** The id of a row. */
export function idOfRow({ file }: ComparisonRow): string {
  return file.fid;
}

/** Whether a row has an action. */
export function isSelectable({ action }: ComparisonRow): boolean {
  return action !== null;
}

/** The inputs of rows besides the files. */
export interface ComparisonContext {
  readonly peerId: ClientId;
  readonly live: LiveTransfers;
  readonly listing: Pick<SharedListing, "waiting" | "refused">;
  /** The last offer of each file between us. */
  readonly offers: ReadonlyMap<FileId, FileMessage>;
}

/** The offer and the transfer of a file between one peer and me. */
interface Between {
  readonly isMine: boolean;
  readonly state: FileState;
  readonly transfer: TransferSnapshot | undefined;
  /** Why it failed; null otherwise. */
  readonly error: ErrorDescription | null;
}

/** The state of a file between us; null if it was neither offered nor transferred. */
function betweenUs(fid: FileId, { peerId, live, offers }: ComparisonContext): Between | null {
  const offer = offers.get(fid);
  const transfer = live.transfers.get(transferKeyOf(peerId, fid));
  const stored = offer?.offers[peerId];
  const last = stored ?? transfer?.now;
  if (last === undefined) return null;
  const isMine = offer ? offer.client !== peerId : transfer?.mode === "send";
  const state = fileStateOf(stored, isMine, { transfer, isHere: live.here.has(peerId) });
  return { isMine, state, transfer, error: last.state === "failed" ? last.error : null };
}

const actionOf: Readonly<Record<ComparisonVerdict, ComparisonRow["action"]>> = {
  new: "fetch",
  newer: "fetch",
  partial: "fetch",
  older: "send",
  "only-mine": "send",
  same: null,
  sent: "fetch",
  declined: "fetch",
  cancelled: "fetch",
};

/** The verdict; for a file that is not here, also whether I had or refused it. */
function verdictOf({ verdict, theirs }: FileComparison, around: ComparisonContext): ComparisonVerdict {
  const before =
    theirs && ["new", "newer", "partial"].includes(verdict) ? betweenUs(theirs.fid, around) : null;
  if (!before) return verdict;
  const { outcome } = fileStates[before.state];
  if (before.isMine) return outcome === "complete" ? "sent" : verdict;
  return outcome === "declined" || outcome === "cancelled" ? outcome : verdict;
}

function fractionOf(doneBytes: number, totalBytes: number): number {
  return totalBytes === 0 ? 0 : Math.min(1, doneBytes / totalBytes);
}

function progressOf(
  { verdict, theirs, mine }: FileComparison,
  around: ComparisonContext,
): ComparisonProgress | null {
  if (verdict === "same") return null;
  const moved = actionOf[verdict] === "fetch" ? theirs : mine?.description;
  if (!moved) return null;
  const { fid, fileSize } = moved;
  const { listing } = around;
  const between = betweenUs(fid, around);
  const { state = null, transfer, isMine = false } = between ?? {};
  const { tray = null, outcome = null } = state ? fileStates[state] : {};
  const mode = isMine ? "send" : "receive";
  const fraction = transfer ? fractionOf(transfer.transferredBytes, transfer.totalBytes) : 0;
  if (tray === "moving" || tray === "opening") return { kind: "moving", mode, fraction };
  // A queued fetch has no offer until it starts.
  if (listing.waiting.some((file) => file.fid === fid)) return { kind: "queued", mode: "receive" };
  if (tray === "queued") return { kind: "queued", mode };
  if (outcome === "waiting" && isMine) return { kind: "offered" };
  const failed = outcome === "failed" && transfer ? between?.error : null;
  const error = listing.refused.get(fid) ?? failed;
  if (error) return { kind: "failed", error };
  if (tray === "stalled" && transfer) return { kind: "stopped", fraction };
  if (verdict === "partial" && mine)
    return { kind: "stopped", fraction: fractionOf(mine.storedBytes, fileSize) };
  return null;
}

/** The rows of compared files, in their order. */
export function comparisonRows(
  comparisons: readonly FileComparison[],
  around: ComparisonContext,
): readonly ComparisonRow[] {
  return comparisons.map((comparison) => {
    const file = descriptionOf(comparison);
    const progress = progressOf(comparison, around);
    const isBusy = progress !== null && ["moving", "queued", "offered"].includes(progress.kind);
    const verdict = verdictOf(comparison, around);
    const action = isBusy ? null : actionOf[verdict];
    return { ...comparison, verdict, file, sizeBytes: contentSizeOf(file), progress, action };
  });
}

/** Which rows are shown. */
export type ComparisonFilter = "all" | "new" | "changed" | "only-mine" | "same" | "set-aside";

const filterOf: Readonly<Record<ComparisonVerdict, ComparisonFilter>> = {
  new: "new",
  partial: "new",
  newer: "changed",
  older: "changed",
  "only-mine": "only-mine",
  same: "same",
  sent: "set-aside",
  declined: "set-aside",
  cancelled: "set-aside",
};

/** Whether a file is missing here and was not refused: "Fetch all" fetches these. */
export function isMissing({ verdict, action }: ComparisonRow): boolean {
  return action === "fetch" && filterOf[verdict] !== "set-aside";
}

/** Whether a row is among those of a filter. */
export function isInFilter({ verdict }: ComparisonRow, filter: ComparisonFilter): boolean {
  return filter === "all" || filterOf[verdict] === filter;
}

/** The sort order. */
export type ComparisonOrder = "missing" | "name" | "size" | "time";

type NameOf = (file: FileDescription) => string;
const comparers: Readonly<
  Record<ComparisonOrder, ((a: ComparisonRow, b: ComparisonRow, nameOf: NameOf) => number) | null>
> = {
  // The input is already in this order.
  missing: null,
  name: (a, b, nameOf) => compareNames(nameOf(a.file), nameOf(b.file)),
  size: (a, b) => b.sizeBytes - a.sizeBytes,
  time: (a, b) => b.file.lastModified - a.file.lastModified,
};

/** Sorts rows, by name as `nameOf` shows it; equal ones keep their order. */
export function inOrder(
  rows: readonly ComparisonRow[],
  order: ComparisonOrder,
  nameOf: NameOf,
): readonly ComparisonRow[] {
  const comparer = comparers[order];
  return comparer === null ? rows : rows.toSorted((a, b) => comparer(a, b, nameOf));
}

/** The totals of fetching and sending some rows. */
export interface ComparisonWork {
  readonly fetch: readonly ComparisonRow[];
  readonly send: readonly ComparisonRow[];
  readonly fetchBytes: number;
  readonly totalBytes: number;
}

/** Sums up the actions of some rows. */
export function comparisonWork(rows: readonly ComparisonRow[]): ComparisonWork {
  const fetch = rows.filter(({ action }) => action === "fetch");
  const send = rows.filter(({ action }) => action === "send");
  const bytesOf = (some: readonly ComparisonRow[]) => some.reduce((sum, row) => sum + bytesToMove(row), 0);
  const fetchBytes = bytesOf(fetch);
  return { fetch, send, fetchBytes, totalBytes: fetchBytes + bytesOf(send) };
}

/** The missing bytes of a row. */
function bytesToMove({ sizeBytes, progress }: ComparisonRow): number {
  return progress?.kind === "stopped" ? Math.round(sizeBytes * (1 - progress.fraction)) : sizeBytes;
}
