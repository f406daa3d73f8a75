import {
  type ClientId,
  type ErrorDescription,
  type FileDescription,
  type FileId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { OutgoingMessage } from "../room/outgoing-message.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { type TransferKey, type TransferStatus, transferKeyOf } from "../transfer/transfer-state.ts";
import type { ChatMessage, FileMessage, MessageKey } from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import { errorAnswer } from "./wire-error.ts";

interface FileExchangeDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
  readonly isReady: (peer: ClientId) => boolean;
}

/** Ties file messages to transfers: who accepts, goes on, stops, and what each message then shows. */
export class FileExchange {
  readonly #deps: FileExchangeDeps;
  readonly #stopListening: () => void;

  constructor(deps: FileExchangeDeps) {
    this.#deps = deps;
    this.#stopListening = deps.transfers.on("status", (key, status) => this.#onTransferStatus(key, status));
  }

  /**
   * Takes an offer: prepares the disk, then tells the sender to begin. While the sender is away the offer is kept as
   * accepted and goes on when they are back.
   */
  async accept(key: MessageKey): Promise<void> {
    const message = this.#fileMessage(key);
    if (!message || message.client === this.#deps.selfId) return;
    const sender = message.client;
    if (!this.#deps.isReady(sender)) {
      this.#setStatus(key, sender, { status: "paused", by: "absence" });
    } else if (await this.#expect(message)) {
      this.#tell(sender, { type: "check-message", id: message.id, mode: "receive" });
    }
  }

  decline(key: MessageKey): void {
    const message = this.#fileMessage(key);
    if (!message || message.client === this.#deps.selfId) return;
    const error = new WarrenError("transfer-declined");
    this.#setStatus(key, message.client, { status: "error", error: error.describe() });
    this.#tell(message.client, errorAnswer(message.id, error));
  }

  /** Stops for good, for one client or all: withdraws our offer, or gives up what we receive. */
  cancel(key: MessageKey, peer?: ClientId): void {
    for (const [message, other] of this.#ends(key, peer)) {
      this.#deps.transfers.cancel(transferKeyOf(other, message.file.fid));
      this.#setStatus(key, other, {
        status: "error",
        error: new WarrenError("transfer-cancelled").describe(),
      });
      this.#tell(other, { type: "cancel-file", fid: message.file.fid });
    }
  }

  /** Deletes a file from this browser; whoever sends it to us or waits for it is told first. */
  async discard(fid: FileId): Promise<void> {
    for (const message of this.#deps.messages.all()) {
      if (!isFileMessage(message) || message.file.fid !== fid) continue;
      for (const [peer, { status }] of Object.entries(message.transfers))
        if (status !== "complete" && status !== "error") this.cancel(message.key, peer);
    }
    await this.#deps.transfers.discard(fid);
  }

  pause(key: MessageKey, peer?: ClientId): void {
    for (const [message, other] of this.#ends(key, peer)) {
      this.#deps.transfers.pause(transferKeyOf(other, message.file.fid), "me");
      this.#setStatus(key, other, { status: "paused", by: "me" });
      this.#tell(other, { type: "pause-file", fid: message.file.fid });
    }
  }

  /** Goes on where it stopped; also the way to try again after an error. */
  async resume(key: MessageKey, peer?: ClientId): Promise<void> {
    for (const [message, other] of this.#ends(key, peer)) {
      if (message.client === this.#deps.selfId) this.beginSending(other, message);
      else await this.#resumeReceiving(message);
    }
  }

  /** Asks the sender of a message for its file, which it shares; the answer is the file. */
  async request(key: MessageKey): Promise<void> {
    const message = this.#fileMessage(key);
    if (!message || message.client === this.#deps.selfId) return;
    const resume = Object.hasOwn(this.#deps.library.store.getState(), message.file.fid);
    if (await this.#expect(message))
      this.#tell(message.client, { type: "request-file", id: message.id, ...message.file, resume });
  }

  /** The sender refused what we asked it for. @returns whether the message is one of its. */
  refused(key: MessageKey, error: ErrorDescription): boolean {
    const message = this.#fileMessage(key);
    if (!message || message.client === this.#deps.selfId) return false;
    if (message.transfers[message.client]?.status === "complete") return true;
    const transferKey = transferKeyOf(message.client, message.file.fid);
    this.#deps.transfers.fail(transferKey, new WarrenError(error.code, error.values));
    this.failed(key, message.client, error);
    return true;
  }

  /** The recipient accepted, or asked to go on. */
  beginSending(peer: ClientId, message: FileMessage): void {
    if (!Object.hasOwn(message.transfers, peer)) return;
    try {
      this.#deps.transfers.send(peer, message.file);
    } catch (thrown) {
      const error = toWarrenError(thrown);
      this.#setStatus(message.key, peer, { status: "error", error: error.describe() });
      this.#tell(peer, errorAnswer(message.id, error));
    }
  }

  /** Someone is back: what we were receiving from them goes on. */
  async resumeAllFrom(peer: ClientId): Promise<void> {
    for (const message of this.#deps.messages.all()) {
      if (message.type !== "file" || message.client !== peer) continue;
      const state = message.transfers[peer];
      if (state?.status === "paused" && state.by === "absence") await this.#resumeReceiving(message);
    }
  }

  /** A message that asks to go on with a file names only the file: finds our offer of it to that client. */
  offerTo(peer: ClientId, fid: FileId): FileMessage | null {
    return this.#lastFileMessage(
      (message) =>
        message.client === this.#deps.selfId &&
        message.file.fid === fid &&
        Object.hasOwn(message.transfers, peer) &&
        !isWithdrawn(message, peer),
    );
  }

  /** The last message, in either direction, by which a file passed between a client and us. */
  sharedWith(peer: ClientId, fid: FileId): FileMessage | null {
    return this.#lastFileMessage(
      (message) => message.file.fid === fid && Object.hasOwn(message.transfers, peer),
    );
  }

  /** The files that passed between a client and us or were offered, the earlier first; not those withdrawn. */
  *sharedIn(peer: ClientId): Generator<FileDescription> {
    const { messages, selfId } = this.#deps;
    for (const message of messages.all()) {
      if (message.type !== "file" || !Object.hasOwn(message.transfers, peer)) continue;
      if (message.client !== selfId || !isWithdrawn(message, peer)) yield message.file;
    }
  }

  /** The other side paused or gave up. */
  stoppedByPeer(peer: ClientId, fid: FileId, how: "pause" | "cancel"): void {
    const message = this.sharedWith(peer, fid);
    const state = message?.transfers[peer];
    if (!message || !state || state.status === "complete") return;
    const key = transferKeyOf(peer, fid);
    if (how === "pause") {
      this.#deps.transfers.pause(key, "peer");
      if (state.status !== "error") this.#setStatus(message.key, peer, { status: "paused", by: "peer" });
      return;
    }
    this.#deps.transfers.cancel(key);
    this.failed(message.key, peer, new WarrenError("transfer-cancelled").describe());
  }

  failed(key: MessageKey, peer: ClientId, error: ErrorDescription): void {
    this.#setStatus(key, peer, { status: "error", error });
  }

  close(): void {
    this.#stopListening();
  }

  async #resumeReceiving(message: FileMessage): Promise<void> {
    const sender = message.client;
    if (!this.#deps.isReady(sender)) {
      this.#setStatus(message.key, sender, { status: "paused", by: "absence" });
      return;
    }
    if (await this.#expect(message)) this.#tell(sender, { type: "resume-file", fid: message.file.fid });
  }

  async #expect(message: FileMessage): Promise<boolean> {
    try {
      await this.#deps.transfers.expect(message.client, message.file);
      return true;
    } catch (thrown) {
      const error = toWarrenError(thrown);
      this.#setStatus(message.key, message.client, { status: "error", error: error.describe() });
      return false;
    }
  }

  #onTransferStatus(key: TransferKey, status: TransferStatus): void {
    for (const message of this.#deps.messages.all()) {
      if (message.type !== "file") continue;
      for (const peer of Object.keys(message.transfers)) {
        if (transferKeyOf(peer, message.file.fid) === key) this.#setStatus(message.key, peer, status);
      }
    }
  }

  #setStatus(key: MessageKey, peer: ClientId, status: TransferStatus): void {
    this.#deps.messages.update(key, (message) =>
      message.type === "file" && Object.hasOwn(message.transfers, peer)
        ? { ...message, transfers: { ...message.transfers, [peer]: status } }
        : message,
    );
  }

  /** The transfers of a message that are neither complete nor of another client. */
  #ends(key: MessageKey, peer?: ClientId): readonly (readonly [FileMessage, ClientId])[] {
    const message = this.#fileMessage(key);
    if (!message) return [];
    return Object.entries(message.transfers)
      .filter(([other, state]) => (peer === undefined || other === peer) && state.status !== "complete")
      .map(([other]) => [message, other] as const);
  }

  #fileMessage(key: MessageKey): FileMessage | null {
    const message = this.#deps.messages.find(key);
    return message?.type === "file" ? message : null;
  }

  #lastFileMessage(matches: (message: FileMessage) => boolean): FileMessage | null {
    let found: FileMessage | null = null;
    for (const message of this.#deps.messages.all()) {
      if (isFileMessage(message) && matches(message) && message.sortedAt >= (found?.sortedAt ?? 0))
        found = message;
    }
    return found;
  }

  /** Tells the other side if it is here; if not, both sides find out from their own messages when they meet. */
  #tell(peer: ClientId, message: OutgoingMessage): void {
    if (this.#deps.isReady(peer)) this.#deps.send(peer, message);
  }
}

function isFileMessage(message: ChatMessage): message is FileMessage {
  return message.type === "file";
}

/** An offer that was withdrawn or given up is none any more, whoever asks to go on with it. */
function isWithdrawn(message: FileMessage, peer: ClientId): boolean {
  const state = message.transfers[peer];
  return state?.status === "error" && state.error.code === "transfer-cancelled";
}
