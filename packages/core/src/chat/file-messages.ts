import {
  type ClientId,
  type FileDescription,
  type FileId,
  safeFileName,
  type TreeSummary,
} from "@warren/protocol";
import { sameLayout } from "../files/file-layout.ts";
import { cancellationOf, cancelled, type TransferStatus } from "../transfer/transfer-state.ts";
import type { ChatMessage, FileMessage, MessageKey } from "./message.ts";
import type { MessageLog } from "./message-log.ts";

/** A file that was picked, as far as it can be told without reading it whole. */
interface FileLike {
  readonly stream: File;
  readonly tree: TreeSummary | undefined;
  readonly sample: string;
}

/** The messages that are about files, as transfers look for them. */
export class FileMessages {
  readonly #selfId: ClientId;
  readonly #messages: MessageLog;

  constructor(selfId: ClientId, messages: MessageLog) {
    this.#selfId = selfId;
    this.#messages = messages;
  }

  find(key: MessageKey): FileMessage | null {
    const message = this.#messages.find(key);
    return message && isFileMessage(message) ? message : null;
  }

  isMine(message: FileMessage): boolean {
    return message.client === this.#selfId;
  }

  /** All of them as they are now: they may be changed meanwhile. */
  all(): readonly FileMessage[] {
    return [...this.#messages.all()].filter(isFileMessage);
  }

  /** A file of which a client and we both have every byte, because it passed between us, described as another one is. */
  alike(peer: ClientId, file: FileDescription): FileDescription | undefined {
    return this.all().find(
      ({ file: known, transfers }) =>
        transfers[peer]?.status === "complete" &&
        known.fileName === file.fileName &&
        sameLayout(known, file) &&
        known.tree?.manifestDigest === file.tree?.manifestDigest,
    )?.file;
  }

  /** Our offer of a file that all of these still wait for or are just being sent, and that seems the same as another. */
  underWay(peers: readonly ClientId[], like: FileLike): FileMessage | undefined {
    return this.own().find(
      ({ file, sample, transfers }) =>
        sample === like.sample &&
        file.fileName === safeFileName(like.stream.name) &&
        file.fileSize === like.stream.size &&
        file.lastModified === Math.max(0, Math.trunc(like.stream.lastModified)) &&
        file.tree?.manifestDigest === like.tree?.manifestDigest &&
        peers.every((peer) => isUnderWay(transfers[peer])),
    );
  }

  /** Our offers. */
  own(): readonly FileMessage[] {
    return this.all().filter((message) => this.isMine(message));
  }

  /** The messages by which a file passes between a client and us. */
  ofTransfer(peer: ClientId, fid: FileId): readonly FileMessage[] {
    return this.all().filter((message) => message.file.fid === fid && Object.hasOwn(message.transfers, peer));
  }

  /** Whether a file has reached somebody, and everyone it was offered to who may still get it. */
  isDelivered(fid: FileId): boolean {
    const ends = this.all().flatMap((message) =>
      message.file.fid === fid
        ? Object.entries(message.transfers).filter(([peer]) => !isCancelled(message, peer))
        : [],
    );
    return ends.length > 0 && ends.every(([, { status }]) => status === "complete");
  }

  /**
   * Whether somebody has a file by a message, or may still get it; null where no message is about it.
   * What was cancelled or declined on either side is offered anew before it is sent.
   */
  isWanted(fid: FileId): boolean | null {
    const about = this.all().filter(({ file }) => file.fid === fid);
    if (about.length === 0) return null;
    return about.some(({ transfers }) => Object.values(transfers).some((state) => !isTurnedDown(state)));
  }

  /** The last of {@link ofTransfer}. */
  sharedWith(peer: ClientId, fid: FileId): FileMessage | null {
    return lastOf(this.ofTransfer(peer, fid));
  }

  /** The files that passed between a client and us or were offered, the earlier first; not those withdrawn. */
  sharedIn(peer: ClientId): readonly FileDescription[] {
    return this.all()
      .filter((message) => Object.hasOwn(message.transfers, peer))
      .filter((message) => !this.isMine(message) || !isCancelled(message, peer))
      .map(({ file }) => file);
  }

  /** A message that asks to go on with a file names only the file: finds our offer of it to that client. */
  offerTo(peer: ClientId, fid: FileId): FileMessage | null {
    return lastOf(
      this.ofTransfer(peer, fid).filter((message) => this.isMine(message) && !isWithdrawn(message, peer)),
    );
  }

  /** Our last offer of a file to that client where none of them stands any more. */
  withdrawnFrom(peer: ClientId, fid: FileId): FileMessage | null {
    if (this.offerTo(peer, fid)) return null;
    return lastOf(this.ofTransfer(peer, fid).filter((message) => this.isMine(message)));
  }

  /** The messages that a transfer shows in now: where a file was offered once more, not those that were turned down. */
  toldBy(peer: ClientId, fid: FileId): readonly FileMessage[] {
    const all = this.ofTransfer(peer, fid);
    const last = lastOf(all);
    return all.filter((message) => message === last || !isTurnedDown(message.transfers[peer]));
  }

  /** A file was offered once more: what was cancelled before says so. */
  noteOfferedAgain(peer: ClientId, fid: FileId): void {
    for (const { key, transfers } of this.ofTransfer(peer, fid)) {
      const cancellation = cancellationOf(transfers[peer]);
      if (!cancellation) continue;
      const error = cancelled({ ...cancellation, askedAgain: false, offeredAgain: true }).describe();
      this.setStatus(key, peer, { status: "error", error });
    }
  }

  /** The receiver of a cancelled file asked for it once more. */
  noteAskedAgain({ key, transfers }: FileMessage, peer: ClientId): void {
    const cancellation = cancellationOf(transfers[peer]);
    if (!cancellation) return;
    const error = cancelled({ ...cancellation, askedAgain: true }).describe();
    this.setStatus(key, peer, { status: "error", error });
  }

  /** A client's offer of a file to us. */
  offerFrom(peer: ClientId, fid: FileId): FileMessage | null {
    return lastOf(this.ofTransfer(peer, fid).filter(({ client }) => client === peer));
  }

  /** The transfers of a message that are neither complete nor of another client. */
  ends(key: MessageKey, peer?: ClientId): readonly (readonly [FileMessage, ClientId])[] {
    const message = this.find(key);
    if (!message) return [];
    return Object.entries(message.transfers)
      .filter(([other, state]) => (peer === undefined || other === peer) && state.status !== "complete")
      .map(([other]) => [message, other] as const);
  }

  /** A message and the others by which the same transfer is still to be, or is made. */
  joined(message: FileMessage, peer: ClientId): readonly FileMessage[] {
    return this.ofTransfer(peer, message.file.fid).filter(
      ({ key, client, transfers }) =>
        key === message.key || (client === message.client && isUnderWay(transfers[peer])),
    );
  }

  /** As {@link setStatus}, for all that are {@link joined}. */
  setAll(message: FileMessage, peer: ClientId, status: TransferStatus): void {
    for (const { key } of this.joined(message, peer)) this.setStatus(key, peer, status);
  }

  /** Another file takes the place of a message's own. */
  become(key: MessageKey, file: FileDescription, transfers: FileMessage["transfers"]): void {
    this.#messages.update(key, (message) =>
      isFileMessage(message) ? { ...message, file, transfers } : message,
    );
  }

  setStatus(key: MessageKey, peer: ClientId, status: TransferStatus): void {
    this.#messages.update(key, (message) =>
      isFileMessage(message) && Object.hasOwn(message.transfers, peer)
        ? { ...message, transfers: { ...message.transfers, [peer]: status } }
        : message,
    );
  }
}

/** Whether a file is still to reach whoever it is for, and nothing is wrong. */
export function isUnderWay(state: TransferStatus | undefined): boolean {
  return state !== undefined && state.status !== "complete" && state.status !== "error";
}

/** Whether a file that was accepted waits for others before it. */
export function waitsForTurn(state: TransferStatus | undefined): boolean {
  return state?.status === "paused" && state.by === "turn";
}

/** Whether a person here has stopped a file for now: nobody else makes it go on. */
export function isPausedHere(state: TransferStatus | undefined): boolean {
  return state?.status === "paused" && state.by === "me";
}

/** An offer that was cancelled reaches nobody; only a receiver who cancelled it can change that, by asking for it again. */
function isCancelled(message: FileMessage | null, peer: ClientId): boolean {
  const state = message?.transfers[peer];
  return state === undefined || cancellationOf(state) !== null;
}

/** Whether our offer is none any more, whoever asks to go on with it. */
export function isWithdrawn(message: FileMessage | null, peer: ClientId): boolean {
  return isCancelled(message, peer) && cancellationOf(message?.transfers[peer])?.by !== "receiver";
}

/** Whether a person at either end did not want the file. */
function isTurnedDown(state: TransferStatus | undefined): boolean {
  return state?.status === "error" && ["transfer-cancelled", "transfer-declined"].includes(state.error.code);
}

/** Whether a transfer we receive goes on when its sender wants to: not before it was accepted, nor against our wish. */
export function mayGoOn(state: TransferStatus | undefined): boolean {
  if (state?.status === "paused") return !isPausedHere(state);
  if (state?.status === "error")
    return !["transfer-cancelled", "transfer-declined", "file-too-large"].includes(state.error.code);
  return state?.status === "complete" || state?.status === "transferring";
}

function isFileMessage(message: ChatMessage): message is FileMessage {
  return message.type === "file";
}

function lastOf(messages: readonly FileMessage[]): FileMessage | null {
  return messages.reduce<FileMessage | null>(
    (last, message) => (last && last.sortedAt > message.sortedAt ? last : message),
    null,
  );
}
