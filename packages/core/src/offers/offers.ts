import type { ClientId, FileId } from "@warren/protocol";
import { awaitsAnybody } from "../messages/file-entry.ts";
import type { FileMessage, MessageKey } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import {
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

const sideOf = { send: "sender", receive: "receiver" } as const satisfies Record<TransferMode, OfferSide>;

interface OffersDeps {
  readonly selfId: ClientId;
  readonly messages: Pick<MessageLog, "find" | "files">;
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

  /** Our offers to everyone that have reached nobody yet, or those of one file. */
  awaitingAnybody(fid?: FileId): readonly FileMessage[] {
    return this.#deps.messages.files(fid).filter((message) => this.isMine(message) && awaitsAnybody(message));
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

  /** What other members than its author give, or gave, us for an offer to everyone; the last is what is got now. */
  givenFor({ key, file }: Pick<FileMessage, "key" | "file">): readonly FileOffer[] {
    return this.#deps.messages
      .files(file.fid)
      .filter((message) => message.original === key && !this.isMine(message))
      .map((message) => this.of(message, message.client));
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
