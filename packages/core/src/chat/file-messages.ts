import type { ClientId, FileDescription, FileId } from "@warren/protocol";
import type { TransferStatus } from "../transfer/transfer-state.ts";
import type { ChatMessage, FileMessage, MessageKey } from "./message.ts";
import type { MessageLog } from "./message-log.ts";

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

  /** Our offers. */
  own(): readonly FileMessage[] {
    return this.all().filter((message) => this.isMine(message));
  }

  /** The messages by which a file passes between a client and us. */
  ofTransfer(peer: ClientId, fid: FileId): readonly FileMessage[] {
    return this.all().filter((message) => message.file.fid === fid && Object.hasOwn(message.transfers, peer));
  }

  /** Whether somebody a file was offered to is without it yet. */
  isWanted(fid: FileId): boolean {
    const ofFile = this.all().filter(({ file }) => file.fid === fid);
    return ofFile.some(({ transfers }) =>
      Object.values(transfers).some(({ status }) => status !== "complete"),
    );
  }

  /** The last of {@link ofTransfer}. */
  sharedWith(peer: ClientId, fid: FileId): FileMessage | null {
    return lastOf(this.ofTransfer(peer, fid));
  }

  /** The files that passed between a client and us or were offered, the earlier first; not those withdrawn. */
  sharedIn(peer: ClientId): readonly FileDescription[] {
    return this.all()
      .filter((message) => Object.hasOwn(message.transfers, peer))
      .filter((message) => !this.isMine(message) || !isWithdrawn(message, peer))
      .map(({ file }) => file);
  }

  /** A message that asks to go on with a file names only the file: finds our offer of it to that client. */
  offerTo(peer: ClientId, fid: FileId): FileMessage | null {
    return lastOf(
      this.ofTransfer(peer, fid).filter((message) => this.isMine(message) && !isWithdrawn(message, peer)),
    );
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

  setStatus(key: MessageKey, peer: ClientId, status: TransferStatus): void {
    this.#messages.update(key, (message) =>
      isFileMessage(message) && Object.hasOwn(message.transfers, peer)
        ? { ...message, transfers: { ...message.transfers, [peer]: status } }
        : message,
    );
  }
}

/** An offer that was withdrawn or given up is none any more, whoever asks to go on with it. */
export function isWithdrawn(message: FileMessage | null, peer: ClientId): boolean {
  const state = message?.transfers[peer];
  return state === undefined || (state.status === "error" && state.error.code === "transfer-cancelled");
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
