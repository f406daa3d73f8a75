import {
  type ChatState,
  type FileMessage,
  isRoomConversation,
  type TransferSnapshot,
  type TransferSnapshots,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { fileStateOf, fileStates, isMoving } from "../../file-state/file-state.ts";

/** Files offered within this time of each other belong together. */
const togetherMs = 30_000;

type Conversations = ChatState["conversations"];
type Mode = TransferSnapshot["mode"];

interface Bytes {
  readonly totalBytes: number;
  readonly transferredBytes: number;
}

/** Transfers between a peer and us; `fraction` is the overall progress, 0 to 1, in whole percents. */
export interface Moving {
  readonly mode: Mode;
  readonly fraction: number;
}

/** The active transfers. */
export function movingOf(transfers: TransferSnapshots): readonly TransferSnapshot[] {
  return [...transfers.values()].filter(isMoving);
}

/**
 * The overall progress of active files between one peer and us in one direction, 0 to 1; null if there are
 * none. Includes files offered together with them, queued or complete: without those, each newly started file
 * would reduce the progress.
 */
export function progressWith(
  peerId: ClientId,
  mode: Mode,
  transfers: TransferSnapshots,
  conversations: Conversations,
): number | null {
  return fractionOf(bytesUnderWay(peerId, mode, transfers, conversations));
}

/** As {@link progressWith}, over everyone and both directions. */
export function totalProgress(transfers: TransferSnapshots, conversations: Conversations): number | null {
  const directions = new Map(
    movingOf(transfers).map(({ peerId, mode }) => [`${mode} ${peerId}`, { peerId, mode }]),
  );
  return fractionOf(
    [...directions.values()].flatMap(({ peerId, mode }) =>
      bytesUnderWay(peerId, mode, transfers, conversations),
    ),
  );
}

/** Sums up the active transfers with a peer and the files offered with them; null when there are none. */
export function movingWith(
  transfers: TransferSnapshots,
  conversations: ChatState["conversations"],
  peerId: ClientId,
): Moving | null {
  for (const mode of ["receive", "send"] as const) {
    const fraction = progressWith(peerId, mode, transfers, conversations);
    if (fraction !== null) return { mode, fraction: Math.floor(fraction * 100) / 100 };
  }
  return null;
}

function fractionOf(files: readonly Bytes[]): number | null {
  if (files.length === 0) return null;
  const totalBytes = files.reduce((sum, file) => sum + file.totalBytes, 0);
  const doneBytes = files.reduce((sum, file) => sum + file.transferredBytes, 0);
  return totalBytes === 0 ? 0 : doneBytes / totalBytes;
}

function bytesUnderWay(
  peerId: ClientId,
  mode: Mode,
  transfers: TransferSnapshots,
  conversations: Conversations,
): readonly Bytes[] {
  const known = new Map<string, TransferSnapshot>();
  const moving: TransferSnapshot[] = [];
  for (const transfer of [...transfers.values()]) {
    if (transfer.peerId !== peerId) continue;
    known.set(transfer.fid, transfer);
    if (transfer.mode === mode && isMoving(transfer)) moving.push(transfer);
  }
  if (moving.length === 0) return [];
  const bytes: Bytes[] = [...moving];
  // The same file may have been offered twice.
  const counted = new Set<string>(moving.map(({ fid }) => fid));
  const offers = offersOf(peerId, mode, conversations);
  for (const { file, offers: own } of offeredWith(new Set(counted), offers).reverse()) {
    if (counted.has(file.fid)) continue;
    counted.add(file.fid);
    const transfer = known.get(file.fid);
    const isMine = mode === "send";
    // Bytes move with this peer: it is here.
    const { counts } = fileStates[fileStateOf(own[peerId], isMine, { transfer, isHere: true })];
    const isCounted =
      counts === "always" ||
      (counts === "if-mine" && isMine) ||
      (counts === "if-moved" && transfer !== undefined && transfer.startedAt !== null);
    if (isCounted) bytes.push(transfer ?? { totalBytes: file.fileSize, transferredBytes: 0 });
  }
  return bytes;
}

/**
 * The files offered to or by a peer, oldest first. Runs on every progress update over conversations of any
 * length, so it uses plain loops to avoid allocations.
 */
function offersOf(peerId: ClientId, mode: Mode, conversations: Conversations): readonly FileMessage[] {
  const offers: FileMessage[] = [];
  for (const [id, conversation] of Object.entries(conversations)) {
    if (id !== peerId && !isRoomConversation(id)) continue;
    for (const message of conversation?.messages ?? []) {
      if (message.type !== "file" || message.offers[peerId] === undefined) continue;
      if ((message.client === peerId) === (mode === "receive")) offers.push(message);
    }
  }
  return offers.sort((a, b) => a.sortedAt - b.sortedAt);
}

/** Of files in offer order, the given ones and those offered together with one of them. */
function offeredWith(fids: ReadonlySet<string>, offers: readonly FileMessage[]): FileMessage[] {
  const together: FileMessage[] = [];
  let start = 0;
  let isWanted = false;
  for (const [index, offer] of offers.entries()) {
    isWanted ||= fids.has(offer.file.fid);
    const next = offers[index + 1];
    if (next !== undefined && next.sortedAt - offer.sortedAt <= togetherMs) continue;
    if (isWanted) for (const one of offers.slice(start, index + 1)) together.push(one);
    start = index + 1;
    isWanted = false;
  }
  return together;
}

/** Current receive and send speeds; null while unknown. */
export interface TransferSpeeds {
  readonly receivedPerSecond: number | null;
  readonly sentPerSecond: number | null;
}

/** Sums up the speeds of the active transfers. */
export function transferSpeeds(transfers: TransferSnapshots): TransferSpeeds {
  const moving = movingOf(transfers);
  const speedOf = (mode: Mode): number | null => {
    const speeds = moving.flatMap((one) => (one.mode === mode ? [one.bytesPerSecond] : []));
    const known = speeds.filter((speed) => speed !== null);
    return known.length === 0 ? null : known.reduce((sum, speed) => sum + speed, 0);
  };
  return { receivedPerSecond: speedOf("receive"), sentPerSecond: speedOf("send") };
}
