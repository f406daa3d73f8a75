import {
  type ClientId,
  type FileDescription,
  type FileId,
  safeFileName,
  type TreeSummary,
} from "@warren/protocol";
import { sameLayout } from "../files/file-layout.ts";
import type { FileLibrary } from "../files/file-library.ts";
import type { FileMessage, MessageKey } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import {
  isCancelled,
  isOpen,
  isTurnedDown,
  type Offer,
  type OfferSide,
  type OfferState,
  offerNow,
} from "../transfer/offer-state.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { type TransferKey, type TransferMode, transferKeyOf } from "../transfer/transfer-state.ts";

/**
 * A file that one end offered to the other, as it is now. Several messages may show it: those share its state and its
 * transfer. A message whose offer has ended stands for itself, beside a later offer of the same file.
 */
export interface FileOffer {
  readonly side: OfferSide;
  readonly peer: ClientId;
  /** Of its transfer. */
  readonly key: TransferKey;
  /** The message that it was found by, or the last that shows it; its `file` is what is offered. */
  readonly message: FileMessage;
  /** All messages that show it, and change with it. */
  readonly shownBy: readonly FileMessage[];
  readonly stored: Offer;
  readonly state: OfferState;
}

/** A picked file, with the properties that identify it without reading all of it. */
interface PickedFile {
  readonly stream: File;
  readonly tree: TreeSummary | undefined;
  readonly sample: string;
}

const sideOf = { send: "sender", receive: "receiver" } as const satisfies Record<TransferMode, OfferSide>;

interface OffersDeps {
  readonly selfId: ClientId;
  readonly messages: Pick<MessageLog, "find" | "files" | "loadAbout">;
  readonly library: Pick<FileLibrary, "store">;
  readonly transfers: Pick<TransferService, "stateOf">;
}

/** Finds offers among the messages in memory: every open one is there, and all about a file of which one is. Changes nothing. */
export class Offers {
  readonly #deps: OffersDeps;

  constructor(deps: OffersDeps) {
    this.#deps = deps;
  }

  find(key: MessageKey): FileMessage | null {
    const message = this.#deps.messages.find(key);
    return message?.type === "file" ? message : null;
  }

  isMine(message: FileMessage): boolean {
    return message.client === this.#deps.selfId;
  }

  /** The state of a message's offer with one client. */
  stateOf(message: FileMessage, peer: ClientId): OfferState {
    const offer = message.offers[peer];
    if (offer === undefined) return "withdrawn";
    const mode = this.isMine(message) ? "send" : "receive";
    return offerNow(offer, this.#deps.transfers.stateOf(transferKeyOf(peer, message.file.fid), mode)).state;
  }

  /** A message's offer with one client. */
  of(message: FileMessage, peer: ClientId): FileOffer {
    const shownBy = this.between(peer, message.file.fid).filter(
      (other) =>
        other.key === message.key || (other.client === message.client && isOpen(this.stateOf(other, peer))),
    );
    return this.#record(message, peer, shownBy);
  }

  /** The offers that a message shows: one for each recipient, or the one with `peer`. */
  shownIn(key: MessageKey, peer?: ClientId): readonly FileOffer[] {
    const message = this.find(key);
    if (!message) return [];
    const peers = Object.keys(message.offers).filter((other) => peer === undefined || other === peer);
    return peers.map((other) => this.of(message, other));
  }

  /** All offers, or those of one file. */
  all(fid?: FileId): readonly FileOffer[] {
    return this.#each(this.#deps.messages.files(fid), (message) => Object.keys(message.offers));
  }

  /** All offers between a client and us. */
  with(peer: ClientId): readonly FileOffer[] {
    const between = this.#deps.messages.files().filter(({ offers }) => Object.hasOwn(offers, peer));
    return this.#each(between, () => [peer]);
  }

  /** The messages about a file exchanged between a client and us, oldest first. */
  between(peer: ClientId, fid: FileId): readonly FileMessage[] {
    return this.#deps.messages.files(fid).filter(({ offers }) => Object.hasOwn(offers, peer));
  }

  /** The last offer of a file between a client and us, from whichever side. */
  last(peer: ClientId, fid: FileId): FileOffer | null {
    const message = this.between(peer, fid).at(-1);
    return message ? this.of(message, peer) : null;
  }

  /** A client's last offer of a file to us. */
  from(peer: ClientId, fid: FileId): FileOffer | null {
    const message = this.between(peer, fid).findLast(({ client }) => client === peer);
    return message ? this.of(message, peer) : null;
  }

  /** Our last offer of a file to a client, one that was not withdrawn if there is one. */
  to(peer: ClientId, fid: FileId): FileOffer | null {
    const ours = this.between(peer, fid).filter((message) => this.isMine(message));
    const message = ours.findLast((message) => this.stateOf(message, peer) !== "withdrawn") ?? ours.at(-1);
    return message ? this.of(message, peer) : null;
  }

  /** The offer that a transfer belongs to; all messages show the transfer, unless the file was turned down and offered again. */
  ofTransfer(peer: ClientId, fid: FileId, mode: TransferMode): FileOffer | null {
    const side = sideOf[mode];
    const all = this.between(peer, fid).filter((message) => this.isMine(message) === (side === "sender"));
    const last = all.at(-1);
    if (!last) return null;
    return this.#record(
      last,
      peer,
      all.filter((message) => message === last || !isTurnedDown(this.stateOf(message, peer))),
    );
  }

  /** Our message about an apparently identical file that all of these clients still wait for or are receiving. */
  openLike(peers: readonly ClientId[], { stream, tree, sample }: PickedFile): FileMessage | undefined {
    return this.#deps.messages
      .files()
      .find(
        (message) =>
          this.isMine(message) &&
          message.sample === sample &&
          message.file.fileName === safeFileName(stream.name) &&
          message.file.fileSize === stream.size &&
          message.file.lastModified === Math.max(0, Math.trunc(stream.lastModified)) &&
          message.file.tree?.manifestDigest === tree?.manifestDigest &&
          peers.every((peer) => isOpen(this.stateOf(message, peer))),
      );
  }

  /**
   * A file held here that passed between a client and us, is complete on both sides, and has the same description as
   * `file`.
   */
  async passedLike(peer: ClientId, file: FileDescription): Promise<FileDescription | undefined> {
    const alike = [...this.#deps.library.store.getState().values()]
      .map(({ description }) => description)
      .filter(
        (known) =>
          known.fileName === file.fileName &&
          sameLayout(known, file) &&
          known.tree?.manifestDigest === file.tree?.manifestDigest,
      );
    await this.#deps.messages.loadAbout(alike.map(({ fid }) => fid));
    return alike.find(({ fid }) =>
      this.between(peer, fid).some(({ offers }) => offers[peer]?.state === "complete"),
    );
  }

  /** The files sent or offered between a client and us, oldest first, without withdrawn and cancelled ones. */
  sharedWith(peer: ClientId): readonly FileDescription[] {
    return this.#deps.messages
      .files()
      .filter(({ offers }) => Object.hasOwn(offers, peer))
      .filter((message) => this.#isShared(message, peer))
      .filter((message) => !this.isMine(message) || !isCancelled(message.offers[peer]))
      .map(({ file }) => file);
  }

  /** Whether a client sent us this file or was offered it by us. */
  isParty(peer: ClientId, fid: FileId): boolean {
    return this.between(peer, fid).some((message) => this.#isShared(message, peer));
  }

  /** Anyone who knows the id of a file can offer it: only a completed transfer shows that a client has the bytes. */
  #isShared(message: FileMessage, peer: ClientId): boolean {
    if (this.isMine(message)) return true;
    const kept = this.#deps.library.store.getState().get(message.file.fid);
    return message.offers[peer]?.state === "complete" && (kept?.peers.includes(peer) ?? true);
  }

  /** Each offer once, by the last message that shows it. */
  #each(
    messages: readonly FileMessage[],
    peersOf: (message: FileMessage) => readonly ClientId[],
  ): readonly FileOffer[] {
    return messages
      .flatMap((message) => peersOf(message).map((peer) => this.of(message, peer)))
      .filter(({ message, shownBy, state }) => !isOpen(state) || shownBy.at(-1)?.key === message.key);
  }

  #record(message: FileMessage, peer: ClientId, shownBy: readonly FileMessage[]): FileOffer {
    return {
      side: this.isMine(message) ? "sender" : "receiver",
      peer,
      key: transferKeyOf(peer, message.file.fid),
      message,
      shownBy,
      stored: message.offers[peer] ?? { state: "withdrawn" },
      state: this.stateOf(message, peer),
    };
  }
}
