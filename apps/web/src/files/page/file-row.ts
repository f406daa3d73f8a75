import type { FileMessage, LibraryState, StoredFile, TransferSnapshot } from "@warren/core";
import type { ClientId, FileId } from "@warren/protocol";
import { useMemo } from "react";
import { combinedState, fileStatesOf } from "../../file-state/combined-state.ts";
import {
  type FileState,
  type FileStatus,
  fileStateOf,
  fileStates,
  isMoving,
} from "../../file-state/file-state.ts";
import type { LiveTransfers } from "../../file-state/live-transfers.ts";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { isStored } from "../use-is-stored.ts";
import { useLiveTransfers } from "../use-live-transfers.ts";
import { useMessagesAbout } from "../use-messages-about.ts";

/** A file of this browser as a row of the list. */
export interface FileRow {
  readonly fid: FileId;
  readonly file: StoredFile;
  readonly status: FileStatus;
  /** Whether its bytes move or are merged. */
  readonly isMoving: boolean;
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

/** The transfers of every file received since the page loaded. */
function arrivalsOf({ transfers }: LiveTransfers): ReadonlyMap<FileId, readonly TransferSnapshot[]> {
  const arrivals = new Map<FileId, TransferSnapshot[]>();
  for (const transfer of [...transfers.values()]) {
    if (transfer.mode !== "receive") continue;
    const ofFile = arrivals.get(transfer.fid);
    if (ofFile) ofFile.push(transfer);
    else arrivals.set(transfer.fid, [transfer]);
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

/** The state of a file of this browser: of my offers, or of its offer and all peers that send it. */
function stateOf(
  file: StoredFile,
  history: FileHistory | undefined,
  arrivals: readonly TransferSnapshot[],
  live: LiveTransfers,
): FileState {
  if (isStored(file)) {
    const own = file.direction === "sent" ? (history?.own ?? []) : [];
    return combinedState(own.flatMap((offer) => Object.values(fileStatesOf(offer, live)))) ?? "complete";
  }
  if (file.state !== "incomplete") return file.state;
  // It is incomplete here: what completed was a copy that is here no more.
  const loss = "gone";
  const arriving = arrivals.map((transfer) => {
    const isHere = live.here.has(transfer.peerId);
    return [transfer.peerId, fileStateOf(undefined, false, { transfer, isHere, loss })] as const;
  });
  const offered = history?.offer ? fileStatesOf(history.offer, live, loss) : {};
  // A file that is no longer offered cannot simply be resumed.
  return combinedState(Object.values({ ...Object.fromEntries(arriving), ...offered })) ?? "gone";
}

function statusOf(file: StoredFile, state: FileState): FileStatus {
  if (file.state === "missing") return file.state;
  // My own file is received if the browser lost it and somebody sends it back.
  const isOffered = file.direction === "sent" && isStored(file);
  return isOffered ? fileStates[state].sent : fileStates[state].label;
}

/** The sender of a file, or its recipients. */
function peopleOf(file: StoredFile, history: FileHistory | undefined): readonly ClientId[] {
  if (file.direction === "received") return history?.offer ? [history.offer.client] : file.peers.slice(0, 1);
  return [...new Set([...(history?.own ?? []).flatMap(({ offers }) => Object.keys(offers)), ...file.peers])];
}

/** The rows of the list, unsorted. */
export function fileRows(
  library: LibraryState,
  histories: ReadonlyMap<FileId, FileHistory>,
  live: LiveTransfers,
): readonly FileRow[] {
  const arrivals = arrivalsOf(live);
  return [...library].map(([fid, file]) => {
    const history = histories.get(fid);
    const state = stateOf(file, history, arrivals.get(fid) ?? [], live);
    return {
      fid,
      file,
      offer: history?.offer ?? null,
      message: history?.last ?? null,
      people: peopleOf(file, history),
      status: statusOf(file, state),
      isMoving: fileStates[state].tray === "moving",
    };
  });
}

/** Whether a file is complete. */
export function isComplete({ file }: FileRow): boolean {
  return isStored(file);
}

/**
 * Whether a file can be previewed or shared by itself: complete and not a folder. A folder is saved as a zip.
 */
export function isSingle(row: FileRow): boolean {
  return isComplete(row) && row.file.description.tree === undefined;
}

const resumable: ReadonlySet<FileStatus> = new Set(["stopped", "not-started", "incomplete", "missing"]);

/** Whether an incomplete file can be resumed or requested again. */
export function canResume({ status, offer }: FileRow): boolean {
  return offer !== null && resumable.has(status);
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
interface StoredBytes {
  readonly complete: number;
  readonly incomplete: number;
}

/** The storage that the files take in this browser. */
export function storedBytesOf(rows: readonly Pick<FileRow, "file">[]): StoredBytes {
  const stored = { complete: 0, incomplete: 0 };
  for (const { file } of rows) {
    if (file.location === "storage") stored[isStored(file) ? "complete" : "incomplete"] += file.storedBytes;
  }
  return stored;
}

/** A file's progress: the fraction received, or sent over all recipients. */
export interface FileProgress {
  readonly fraction: number;
  readonly isMoving: boolean;
}

/** A file's progress; null for a complete file that is not being sent. `transfers` are those of the file. */
export function progressOf(
  { file, isMoving: moves }: FileRow,
  transfers: readonly (TransferSnapshot | undefined)[],
): FileProgress | null {
  const moving = transfers.filter((transfer) => transfer !== undefined && isMoving(transfer));
  if (isStored(file)) {
    const total = moving.reduce((sum, transfer) => sum + (transfer?.totalBytes ?? 0), 0);
    const sent = moving.reduce((sum, transfer) => sum + (transfer?.transferredBytes ?? 0), 0);
    return total === 0 ? null : { fraction: sent / total, isMoving: true };
  }
  if (file.state === "missing") return null;
  const [arriving] = moving;
  const total = Math.max(1, file.description.fileSize);
  const fraction = arriving?.mergingProgress ?? (arriving?.transferredBytes ?? file.storedBytes) / total;
  return { fraction, isMoving: moves };
}

/** The columns in which no row has anything to show; that all are complete is nothing. */
export function emptyColumns(rows: readonly FileRow[]): readonly ("progress" | "people" | "status")[] {
  const isUnderWay = (row: FileRow) => row.isMoving || (!isComplete(row) && row.file.state !== "missing");
  return [
    ...(rows.some(isUnderWay) ? [] : (["progress"] as const)),
    ...(rows.some(({ people }) => people.length > 0) ? [] : (["people"] as const)),
    ...(rows.some(({ status }) => status !== "complete") ? [] : (["status"] as const)),
  ];
}

/** Every file of this browser as a row. Re-renders when a file's state changes, not with each byte. */
export function useFileRows(): readonly FileRow[] {
  const { files, chat } = useWarren();
  const { clientId: selfId } = useProfile();
  const library = useStore(files.store);
  useMessagesAbout(useMemo(() => [...library.keys()], [library]));
  const conversations = useStore(chat.store, (state) => state.conversations);
  const live = useLiveTransfers();
  const histories = useMemo(() => fileHistories(conversations, selfId), [conversations, selfId]);
  return useMemo(() => fileRows(library, histories, live), [library, histories, live]);
}
