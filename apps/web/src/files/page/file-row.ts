import type { FileMessage, LibraryState, StoredFile, TransferSnapshot, TransferState } from "@warren/core";
import type { ClientId, FileId } from "@warren/protocol";
import { type FileOutcome, fileOutcome } from "../file-outcome.ts";
import type { FileStatusLabel } from "../file-view.ts";

/** SPEC §4's labels of a file in the cache, one whose bytes have disappeared, and what became of one that I offered. */
export type FileStatus = Exclude<FileStatusLabel, "error"> | "missing" | "offered" | "declined" | "cancelled";

/** A file of this browser as a row of the list. */
export interface FileRow {
  readonly fid: FileId;
  readonly file: StoredFile;
  readonly status: FileStatus;
  /** The message by which it came; null for what I picked, and where that message was deleted. */
  readonly offer: FileMessage | null;
  /** The last message about it, by which it is found in its conversation; null where all were deleted. */
  readonly message: FileMessage | null;
  /** Who it came from, or who it was offered to. */
  readonly people: readonly ClientId[];
}

/** How a file arrives at the moment; `null` while nobody sends it. */
export type Arrival = "init" | "transferring" | "merging" | "paused" | "error";

/** Of every file that someone sends or sent us since the page loaded, how that stands; without those that are whole. */
export function arrivalsOf(transfers: TransferState): Readonly<Record<FileId, Arrival>> {
  const arrivals: Record<FileId, Arrival> = {};
  for (const { fid, mode, state, mergingShare } of Object.values(transfers)) {
    if (mode !== "receive" || state.status === "complete") continue;
    // Several may send the same file: the one that moves tells how it stands.
    if (arrivals[fid] === "transferring" || arrivals[fid] === "merging") continue;
    arrivals[fid] = state.status === "transferring" && mergingShare !== null ? "merging" : state.status;
  }
  return arrivals;
}

/** What was said of a file, the earlier first. */
interface FileTalk {
  /** The last offer of it by somebody else. */
  readonly offer: FileMessage | null;
  /** My offers of it. */
  readonly own: readonly FileMessage[];
  readonly last: FileMessage;
}

/** What was said of each file. */
export function talkOf(
  conversations: Readonly<
    Record<string, { readonly messages: readonly { readonly type: string }[] } | undefined>
  >,
  selfId: ClientId,
): ReadonlyMap<FileId, FileTalk> {
  const talks = new Map<FileId, FileTalk>();
  const later = (a: FileMessage | null | undefined, b: FileMessage) => (a && a.sortedAt > b.sortedAt ? a : b);
  for (const conversation of Object.values(conversations)) {
    for (const message of conversation?.messages ?? []) {
      if (!isFile(message)) continue;
      const { fid } = message.file;
      const { offer = null, own = [], last } = talks.get(fid) ?? {};
      const isMine = message.client === selfId;
      talks.set(fid, {
        offer: isMine ? offer : later(offer, message),
        own: isMine ? [...own, message] : own,
        last: later(last, message),
      });
    }
  }
  return talks;
}

function isFile(message: { readonly type: string }): message is FileMessage {
  return message.type === "file";
}

function statusOf(file: StoredFile, arrival: Arrival | undefined, talk: FileTalk | undefined): FileStatus {
  if (file.state === "complete" && file.direction === "sent" && talk) return sentStatus(talk.own);
  if (file.state !== "incomplete") return file.state;
  if (arrival === "transferring" || arrival === "merging") return arrival;
  const stopped = file.storedBytes === 0 ? "not-started" : "stopped";
  if (arrival !== undefined) return arrival === "error" ? "incomplete" : stopped;
  const end = talk?.offer?.transfers[talk.offer.client];
  // What nobody offers any more, and what has failed, cannot just be gone on with.
  return end === undefined || end.status === "error" ? "incomplete" : stopped;
}

const statusOfOutcome: Readonly<Record<FileOutcome, FileStatus>> = {
  complete: "complete",
  accepted: "stopped",
  waiting: "offered",
  failed: "incomplete",
  declined: "declined",
  cancelled: "cancelled",
  cancelledThere: "cancelled",
};

/** How a file stands that I offered: what happens now comes first, then what somebody has, then what may still come. */
function sentStatus(offers: readonly FileMessage[]): FileStatus {
  const states = offers.flatMap(({ transfers }) => Object.values(transfers));
  if (states.some(({ status }) => status === "transferring")) return "transferring";
  const outcomes = new Set(states.map((state) => fileOutcome(state, true)));
  const first = Object.keys(statusOfOutcome).find((outcome) => outcomes.has(outcome as FileOutcome));
  return first === undefined ? "complete" : statusOfOutcome[first as FileOutcome];
}

/** Who a file came from, or who I offered it to. */
function peopleOf(file: StoredFile, talk: FileTalk | undefined): readonly ClientId[] {
  if (file.direction === "received") return talk?.offer ? [talk.offer.client] : file.peers.slice(0, 1);
  return [
    ...new Set([...(talk?.own ?? []).flatMap(({ transfers }) => Object.keys(transfers)), ...file.peers]),
  ];
}

/** The rows of the list, in no order. */
export function fileRows(
  library: LibraryState,
  talks: ReadonlyMap<FileId, FileTalk>,
  arrivals: Readonly<Record<FileId, Arrival>>,
): readonly FileRow[] {
  return Object.entries(library).map(([fid, file]) => {
    const talk = talks.get(fid);
    return {
      fid,
      file,
      offer: talk?.offer ?? null,
      message: talk?.last ?? null,
      people: peopleOf(file, talk),
      status: statusOf(file, arrivals[fid], talk),
    };
  });
}

/** How the list can be narrowed. */
export type FileFilter = "all" | "complete" | "part-way" | "waiting" | "not-sent";

const filterOfStatus: Readonly<Record<FileStatus, Exclude<FileFilter, "all">>> = {
  complete: "complete",
  "not-started": "waiting",
  stopped: "part-way",
  transferring: "part-way",
  merging: "part-way",
  incomplete: "part-way",
  missing: "part-way",
  offered: "waiting",
  declined: "not-sent",
  cancelled: "not-sent",
};

/** Whether a filter lets a row through. */
export function passesFilter({ status }: FileRow, filter: FileFilter): boolean {
  return filter === "all" || filterOfStatus[status] === filter;
}

/** How many rows each filter lets through. */
export function filterCounts(rows: readonly FileRow[]): Readonly<Record<FileFilter, number>> {
  const counts = { all: rows.length, complete: 0, "part-way": 0, waiting: 0, "not-sent": 0 };
  for (const { status } of rows) counts[filterOfStatus[status]]++;
  return counts;
}

/** Bytes of files that this browser keeps; what is only open in this page takes nothing. */
export interface KeptBytes {
  readonly complete: number;
  readonly partWay: number;
}

/** What the files take of this browser's storage. */
export function keptBytes(rows: readonly Pick<FileRow, "file">[]): KeptBytes {
  const kept = { complete: 0, partWay: 0 };
  for (const { file } of rows) {
    if (file.place === "storage")
      kept[file.state === "complete" ? "complete" : "partWay"] += file.storedBytes;
  }
  return kept;
}

/** A file's progress: the share that is through, of what arrives or of what is being sent to all who get it. */
export interface FileProgress {
  readonly share: number;
  readonly isMoving: boolean;
  readonly isSending: boolean;
}

/** How far a file is; null for one that is whole and not on its way to anyone. `transfers` are those of the file. */
export function progressOf(
  { file, status }: FileRow,
  transfers: readonly (TransferSnapshot | undefined)[],
): FileProgress | null {
  const moving = transfers.filter((transfer) => transfer?.state.status === "transferring");
  if (file.state === "complete") {
    const total = moving.reduce((sum, transfer) => sum + (transfer?.totalBytes ?? 0), 0);
    const sent = moving.reduce((sum, transfer) => sum + (transfer?.transferredBytes ?? 0), 0);
    return total === 0 ? null : { share: sent / total, isMoving: true, isSending: true };
  }
  if (file.state === "missing") return null;
  const [arriving] = moving;
  const total = Math.max(1, file.description.fileSize);
  const share = arriving?.mergingShare ?? (arriving?.transferredBytes ?? file.storedBytes) / total;
  return { share, isMoving: status === "transferring" || status === "merging", isSending: false };
}
