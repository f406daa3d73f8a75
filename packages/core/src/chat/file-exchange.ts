import { type ClientId, type ErrorDescription, type FileId, WarrenError } from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../room/outgoing-message.ts";
import type { Options } from "../settings/options.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import {
  cancelled,
  partsOf,
  type TransferKey,
  type TransferStatus,
  transferKeyOf,
} from "../transfer/transfer-state.ts";
import { FileMessages, waitsForTurn } from "./file-messages.ts";
import { IncomingFiles } from "./incoming-files.ts";
import type { FileMessage, MessageKey } from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import { acceptedAnswer } from "./offer-answer.ts";
import { OutgoingFiles } from "./outgoing-files.ts";
import { errorAnswer, isNews } from "./wire-error.ts";

interface FileExchangeDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly options: () => Pick<Options, "automaticCacheDeletion">;
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
  readonly isReady: (peer: ClientId) => boolean;
  readonly clock: Clock;
}

/** Ties file messages to transfers: who accepts, goes on, stops, and what each message then shows. */
export class FileExchange {
  readonly messages: FileMessages;
  /** The files we offered. */
  readonly outgoing: OutgoingFiles;
  readonly #deps: FileExchangeDeps;
  readonly #incoming: IncomingFiles;
  readonly #stopListening: readonly (() => void)[];
  /** The transfer whose end the other side is just telling us. */
  #heard: TransferKey | null = null;

  constructor(deps: FileExchangeDeps) {
    this.#deps = deps;
    this.messages = new FileMessages(deps.selfId, deps.messages);
    const tell = (peer: ClientId, message: OutgoingMessage) => this.#tell(peer, message);
    const parts = { ...deps, tell, messages: this.messages };
    this.outgoing = new OutgoingFiles(parts);
    this.#incoming = new IncomingFiles(parts);
    this.#stopListening = [
      deps.transfers.on("status", (key, status) => this.#onTransferStatus(key, status)),
      deps.transfers.on("begun", (key) => this.#onTransferBegun(key)),
    ];
  }

  /** Takes an offer; while its sender is away it is kept as accepted and goes on when they are back. */
  async accept(key: MessageKey): Promise<void> {
    const message = this.#offered(key);
    if (message) await this.#incoming.accept(message);
  }

  decline(key: MessageKey): void {
    const message = this.#offered(key);
    if (message) this.#incoming.decline(message);
  }

  /** Stops for good, for one client or all: withdraws our offer, or gives up what we receive. */
  cancel(key: MessageKey, peer?: ClientId): void {
    for (const [message, other] of this.messages.ends(key, peer)) {
      const error = cancelled({ by: this.messages.isMine(message) ? "sender" : "receiver" });
      this.messages.setAll(message, other, { status: "error", error: error.describe() });
      this.#deps.transfers.cancel(transferKeyOf(other, message.file.fid), error);
      this.#tell(other, { type: "cancel-file", fid: message.file.fid });
      this.settle(message.file.fid);
    }
  }

  /** A message is removed: what it tells of is given up, unless another one tells of it too. */
  forget(key: MessageKey): void {
    for (const [message, peer] of this.messages.ends(key))
      if (this.messages.joined(message, peer).length === 1) this.cancel(key, peer);
  }

  /** Deletes a file from this browser; whoever sends it to us or waits for it is told first. */
  async discard(fid: FileId): Promise<void> {
    for (const message of this.messages.all()) {
      if (message.file.fid !== fid) continue;
      for (const [peer, { status }] of Object.entries(message.transfers))
        if (status !== "complete" && status !== "error") this.cancel(message.key, peer);
    }
    await this.#deps.transfers.discard(fid);
  }

  pause(key: MessageKey, peer?: ClientId): void {
    for (const [message, other] of this.messages.ends(key, peer)) {
      this.#deps.transfers.pause(transferKeyOf(other, message.file.fid), "me");
      this.messages.setAll(message, other, { status: "paused", by: "me" });
      this.#tell(other, { type: "pause-file", fid: message.file.fid });
    }
  }

  /**
   * Goes on where it stopped; also the way to try again after an error.
   * @returns false where a file of ours has to be chosen again first.
   */
  async resume(key: MessageKey, peer?: ClientId): Promise<boolean> {
    let isAtHand = true;
    for (const [message, other] of this.messages.ends(key, peer)) {
      if (message.client !== this.#deps.selfId) await this.#incoming.resume(message);
      else if (!(await this.outgoing.goOn(other, message))) isAtHand = false;
    }
    return isAtHand;
  }

  /** Goes on with a file of ours that a person chose again. Rejects with `wrong-file` when it is another one. */
  async choose(key: MessageKey, file: File): Promise<void> {
    const message = this.messages.find(key);
    if (message?.client === this.#deps.selfId) await this.outgoing.choose(message.file.fid, file);
  }

  /** Someone is back: what passes between us goes on. */
  async resumeAllWith(peer: ClientId): Promise<void> {
    this.outgoing.goOnAllTo(peer);
    this.#incoming.askAboutOffersOf(peer);
    this.#incoming.repeatQuestionsTo(peer);
    const waiting = this.messages.all().filter(({ client, transfers }) => {
      const state = client === peer ? transfers[peer] : undefined;
      return state?.status === "paused" && (state.by === "absence" || state.by === "source");
    });
    await this.#incoming.resumeAll(waiting);
  }

  /**
   * Asks for a file of somebody else that was cancelled, failed or is gone. Where its sender cancelled it, they are asked
   * and a new offer is the answer; otherwise the file is.
   */
  async askAgain(key: MessageKey): Promise<void> {
    const message = this.#offered(key);
    if (message) await this.#incoming.askAgain(message);
  }

  /** Asks the sender of a message for its file, which it shares; the answer is the file. */
  async request(key: MessageKey): Promise<void> {
    const message = this.#offered(key);
    if (message) await this.#incoming.request(message);
  }

  /** Someone wants to go on with a file: the recipient of ours, or the sender of theirs. */
  async goOnWith(peer: ClientId, fid: FileId): Promise<void> {
    const offer = this.messages.offerTo(peer, fid);
    const theirs = this.messages.offerFrom(peer, fid);
    if (offer?.transfers[peer]?.status === "complete")
      this.#tell(peer, errorAnswer(offer.id, new WarrenError("already-complete")));
    else if (offer) await this.outgoing.begin(peer, offer);
    else if (theirs) await this.#incoming.goOn(theirs);
    // We said so while they were away.
    else if (this.messages.sharedWith(peer, fid)) this.#tell(peer, { type: "cancel-file", fid });
    else throw new WarrenError("cache-not-found", { id: fid });
  }

  /** Says what is to be done for transfers of an earlier page, once history and files are read. */
  async revive(): Promise<void> {
    await this.outgoing.checkSources();
    this.#incoming.revive();
  }

  /** The other side paused; `reason` as in the protocol. */
  pausedByPeer(peer: ClientId, fid: FileId, reason: "source" | "storage" | undefined): void {
    const message = this.messages.sharedWith(peer, fid);
    const state = message?.transfers[peer];
    if (!message || !state) return;
    // Only a sender has a source, and only a receiver needs room.
    const expected = this.messages.isMine(message) ? "storage" : "source";
    const by = reason === expected ? reason : "peer";
    this.#deps.transfers.pause(transferKeyOf(peer, fid), by);
    // What the person here has not accepted, or stopped, is not made a transfer that goes on by itself.
    const isAccepted = state.status === "transferring" || (state.status === "paused" && state.by !== "me");
    if (isAccepted || (state.status === "init" && by === "storage"))
      this.messages.setAll(message, peer, { status: "paused", by });
  }

  /** The other side gave up. */
  cancelledByPeer(peer: ClientId, fid: FileId): void {
    const message = this.messages.sharedWith(peer, fid);
    const state = message?.transfers[peer];
    if (!message || !state || state.status === "complete") return;
    const error = cancelled({ by: this.messages.isMine(message) ? "receiver" : "sender" });
    this.messages.setAll(message, peer, { status: "error", error: error.describe() });
    this.#deps.transfers.cancel(transferKeyOf(peer, fid), error);
    this.settle(fid);
  }

  /** The other side can not go on with a transfer. Of its own offers that counts only while we receive them. */
  async failedAtPeer(key: MessageKey, peer: ClientId, error: ErrorDescription): Promise<void> {
    const message = this.messages.find(key);
    const state = message?.transfers[peer];
    if (!message || state?.status === "complete") return;
    const isMine = this.messages.isMine(message);
    // They know it as whole; what is not whole here is fetched once more.
    if (!isMine && error.code === "already-complete") {
      if (this.#deps.library.isComplete(message.file.fid))
        this.messages.setStatus(key, peer, { status: "complete", verified: true });
      else await this.#incoming.request(message);
      return;
    }
    if (!isMine && error.code === "check-message-not-found") {
      if (state?.status === "init" && this.#incoming.wasDeletedThere(key))
        this.cancelledByPeer(peer, message.file.fid);
      return;
    }
    this.#heard = transferKeyOf(peer, message.file.fid);
    this.#deps.transfers.fail(this.#heard, new WarrenError(error.code, error.values));
    this.#heard = null;
    if (isMine) this.failed(key, peer, error);
  }

  failed(key: MessageKey, peer: ClientId, error: ErrorDescription): void {
    this.messages.setStatus(key, peer, { status: "error", error });
    const fid = this.messages.find(key)?.file.fid;
    if (fid !== undefined) this.settle(fid);
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#incoming.close();
  }

  #onTransferStatus(key: TransferKey, status: TransferStatus): void {
    const { peerId, fid } = partsOf(key);
    for (const message of this.messages.toldBy(peerId, fid)) {
      const isMine = this.messages.isMine(message);
      if (isMine) this.#noteSending(peerId, fid, status);
      if (!isMine && status.status === "paused" && status.by === "storage")
        this.#incoming.waitForRoom(message);
      else this.messages.setStatus(message.key, peerId, status);
      if (!isMine && waitsForTurn(status)) this.#tell(peerId, acceptedAnswer(message.id));
      if (status.status === "error" && this.#heard !== key && isNews(status.error.code))
        this.#tell(peerId, errorAnswer(message.id, new WarrenError(status.error.code, status.error.values)));
    }
    if (status.status === "complete") this.settle(fid);
  }

  /** Nothing comes before the other side does its part; a page that is loaded anew goes on from there. */
  #onTransferBegun(key: TransferKey): void {
    const { peerId, fid } = partsOf(key);
    for (const { key: messageKey } of this.messages.toldBy(peerId, fid))
      this.messages.setStatus(messageKey, peerId, { status: "paused", by: "absence" });
  }

  /**
   * A transfer of a file has ended. One of ours that everyone it was offered to has is deleted where that is wanted, and
   * the copy of one that nobody is to get any more is freed. What came from somebody stays.
   */
  settle(fid: FileId): void {
    const { library, transfers, options } = this.#deps;
    if (library.store.getState()[fid]?.direction !== "sent") return;
    // What cannot be deleted now is still in the list of files, and is freed when the page is loaded.
    if (options().automaticCacheDeletion && this.messages.isDelivered(fid))
      void transfers.discard(fid).catch(() => {});
    else if (this.messages.isWanted(fid) === false) void library.freeCopy(fid).catch(() => {});
  }

  #noteSending(peer: ClientId, fid: FileId, status: TransferStatus): void {
    const { library } = this.#deps;
    library.offered.noteSending(fid, peer, status.status === "transferring");
    if (status.status === "error" && status.error.code === "source-changed") library.closeSource(fid);
  }

  #offered(key: MessageKey): FileMessage | null {
    const message = this.messages.find(key);
    return message && !this.messages.isMine(message) ? message : null;
  }

  /** Tells the other side if it is here; if not, both sides find out from their own messages when they meet. */
  #tell(peer: ClientId, message: OutgoingMessage): void {
    if (this.#deps.isReady(peer)) this.#deps.send(peer, message);
  }
}
