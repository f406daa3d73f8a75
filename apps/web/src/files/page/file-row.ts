import type {
  FileMessage,
  LibraryState,
  StoredFile,
  TransferSnapshot,
  TransferSnapshots,
} from "@warren/core";
import type { ClientId, FileId } from "@warren/protocol";
import {
  type FileState,
  type FileStatus,
  fileStateOf,
  fileStateOfTransfer,
  fileStates,
  isMoving,
} from "../../file-state/file-state.ts";

/** A file of this browser as a row of the list. */
export interface FileRow {
  readonly fid: FileId;
  readonly file: StoredFile;
  readonly status: FileStatus;
  /** The message that offered it; null for my own files, and if the message was deleted. */
  readonly offer: FileMessage | null;
  /** The last message about it, used to show it in its conversation; null if all were deleted. */
  readonly message: FileMessage | null;
  /** Its sender or its recipients. */
  readonly people: readonly ClientId[];
}

/** The id of a row. */
export function idOfFile({ fid }: FileRow): FileId {
  return fid;
}

/** The state of every file received since the page loaded, except complete ones. */
export function arrivalsOf(transfers: TransferSnapshots): Readonly<Record<FileId, FileState>> {
  const arrivals: Record<FileId, FileState> = {};
  for (const transfer of Object.values(transfers)) {
    const { fid, mode } = transfer;
    const state = fileStateOfTransfer(transfer);
    if (mode !== "receive" || state === "complete") continue;
    // Several peers may send the same file: the active transfer wins.
    const other = arrivals[fid];
    if (other === undefined || fileStates[other].tray !== "moving") arrivals[fid] = state;
  }
  return arrivals;
}

/** The messages about a file, oldest first. */
interface FileHistory {
  /** The last offer of it from somebody else. */
  readonly offer: FileMessage | null;
  /** My offers of it. */
  readonly own: readonly FileMessage[];
  readonly last: FileMessage;
}

/** Collects the messages about each file. */
export function fileHistories(
  conversations: Readonly<
    Record<string, { readonly messages: readonly { readonly type: string }[] } | undefined>
  >,
  selfId: ClientId,
): ReadonlyMap<FileId, FileHistory> {
  const histories = new Map<FileId, FileHistory>();
  const later = (a: FileMessage | null | undefined, b: FileMessage) => (a && a.sortedAt > b.sortedAt ? a : b);
  for (const conversation of Object.values(conversations)) {
    for (const message of conversation?.messages ?? []) {
      if (!isFile(message)) continue;
      const { fid } = message.file;
      const { offer = null, own = [], last } = histories.get(fid) ?? {};
      const isMine = message.client === selfId;
      histories.set(fid, {
        offer: isMine ? offer : later(offer, message),
        own: isMine ? [...own, message] : own,
        last: later(last, message),
      });
    }
  }
  return histories;
}

function isFile(message: { readonly type: string }): message is FileMessage {
  return message.type === "file";
}

function statusOf(
  file: StoredFile,
  arrival: FileState | undefined,
  history: FileHistory | undefined,
): FileStatus {
  if (file.state === "complete" && file.direction === "sent" && history) return sentStatus(history.own);
  if (file.state !== "incomplete") return file.state;
  const end = history?.offer?.transfers[history.offer.client];
  const state = arrival ?? (end && fileStateOf(end, false));
  // A file that is no longer offered, or has failed, cannot simply be resumed.
  if (state === undefined || fileStates[state].label === "incomplete") return "incomplete";
  // Only a transfer of this page moves.
  if (state === arrival && fileStates[state].tray === "moving") return fileStates[state].label;
  return file.storedBytes === 0 ? "not-started" : "stopped";
}

/** Of several recipients, the first of these is shown: active transfers, then received ones, then pending ones. */
const sentOrder: readonly FileStatus[] = [
  "transferring",
  "complete",
  "stopped",
  "offered",
  "incomplete",
  "declined",
  "cancelled",
];

function sentStatus(offers: readonly FileMessage[]): FileStatus {
  const states = offers.flatMap(({ transfers }) => Object.values(transfers));
  const statuses = new Set<FileStatus>(states.map((state) => fileStates[fileStateOf(state, true)].sent));
  return sentOrder.find((status) => statuses.has(status)) ?? "complete";
}

/** The sender of a file, or its recipients. */
function peopleOf(file: StoredFile, history: FileHistory | undefined): readonly ClientId[] {
  if (file.direction === "received") return history?.offer ? [history.offer.client] : file.peers.slice(0, 1);
  return [
    ...new Set([...(history?.own ?? []).flatMap(({ transfers }) => Object.keys(transfers)), ...file.peers]),
  ];
}

/** The rows of the list, unsorted. */
export function fileRows(
  library: LibraryState,
  histories: ReadonlyMap<FileId, FileHistory>,
  arrivals: Readonly<Record<FileId, FileState>>,
): readonly FileRow[] {
  return Object.entries(library).map(([fid, file]) => {
    const history = histories.get(fid);
    return {
      fid,
      file,
      offer: history?.offer ?? null,
      message: history?.last ?? null,
      people: peopleOf(file, history),
      status: statusOf(file, arrivals[fid], history),
    };
  });
}

/** The filters of the list. */
export type FileFilter = "all" | "complete" | "incomplete" | "waiting" | "not-sent";

const filterOfStatus: Readonly<Record<FileStatus, Exclude<FileFilter, "all">>> = {
  complete: "complete",
  "not-started": "waiting",
  stopped: "incomplete",
  transferring: "incomplete",
  merging: "incomplete",
  incomplete: "incomplete",
  missing: "incomplete",
  offered: "waiting",
  declined: "not-sent",
  cancelled: "not-sent",
};

/** Whether a row passes a filter. */
export function passesFilter({ status }: FileRow, filter: FileFilter): boolean {
  return filter === "all" || filterOfStatus[status] === filter;
}

/** The number of rows per filter. */
export function filterCounts(rows: readonly FileRow[]): Readonly<Record<FileFilter, number>> {
  const counts = { all: rows.length, complete: 0, incomplete: 0, waiting: 0, "not-sent": 0 };
  for (const { status } of rows) counts[filterOfStatus[status]]++;
  return counts;
}

/** Bytes stored by this browser; files that are only open in this page take none. */
export interface KeptBytes {
  readonly complete: number;
  readonly incomplete: number;
}

/** The storage that the files take in this browser. */
export function storedBytesOf(rows: readonly Pick<FileRow, "file">[]): KeptBytes {
  const kept = { complete: 0, incomplete: 0 };
  for (const { file } of rows) {
    if (file.place === "storage")
      kept[file.state === "complete" ? "complete" : "incomplete"] += file.storedBytes;
  }
  return kept;
}

/** A file's progress: the fraction received, or sent over all recipients. */
export interface FileProgress {
  readonly fraction: number;
  readonly isMoving: boolean;
  readonly isSending: boolean;
}

/** A file's progress; null for a complete file that is not being sent. `transfers` are those of the file. */
export function progressOf(
  { file, status }: FileRow,
  transfers: readonly (TransferSnapshot | undefined)[],
): FileProgress | null {
  const moving = transfers.filter((transfer) => transfer !== undefined && isMoving(transfer));
  if (file.state === "complete") {
    const total = moving.reduce((sum, transfer) => sum + (transfer?.totalBytes ?? 0), 0);
    const sent = moving.reduce((sum, transfer) => sum + (transfer?.transferredBytes ?? 0), 0);
    return total === 0 ? null : { fraction: sent / total, isMoving: true, isSending: true };
  }
  if (file.state === "missing") return null;
  const [arriving] = moving;
  const total = Math.max(1, file.description.fileSize);
  const fraction = arriving?.mergingProgress ?? (arriving?.transferredBytes ?? file.storedBytes) / total;
  return { fraction, isMoving: status === "transferring" || status === "merging", isSending: false };
}
