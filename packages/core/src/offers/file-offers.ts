import {
  type ClientId,
  type ErrorDescription,
  type FileDescription,
  type FileId,
  type PeerMessageOf,
  toWarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import { withRecipient } from "../messages/file-entry.ts";
import { everyone, type FileMessage, type MessageKey } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import { describeWireError } from "../messages/wire-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { Emitting } from "../shared/emitter.ts";
import { settledInTime } from "../shared/stall-watch.ts";
import {
  type Cancelled,
  isCancelled,
  isOpen,
  type Offer,
  type TransferState,
} from "../transfer/offer-state.ts";
import type { TransferRef, TransferService } from "../transfer/transfer-service.ts";
import type { FileCleanup } from "./file-cleanup.ts";
import {
  isSourceError,
  type OfferEffect,
  type OfferEvent,
  type OfferFact,
  offerEventOf,
  offerMessages,
  offerRequests,
  preparationEvent,
  ruleFor,
  type SenderEvent,
  storedOffer,
  transferEvents,
} from "./offer-policy.ts";
import type { FileOffer, Offers } from "./offers.ts";

/** The most concurrent lookups of files because of unexpected channels. */
const lookupsMax = 64;

interface FileOffersDeps {
  readonly offers: Offers;
  readonly cleanup: FileCleanup;
  readonly messages: MessageLog;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  /** Sends to a connected client; others learn the state on the next connection. */
  readonly tell: (to: ClientId, message: OutgoingMessage) => void;
  readonly isReady: (peer: ClientId) => boolean;
  /** Whether a client belongs to the room we are in and reads its log. */
  readonly isMember: (peer: ClientId) => boolean;
  readonly clock: Clock;
}

/** Data that comes with an event. */
interface Detail {
  readonly error?: ErrorDescription;
  /** The receiver had the file before it was offered. */
  readonly already?: true;
  /** The receiver's own description of that file, which replaces the offered one. */
  readonly file?: FileDescription;
}

/** The events of {@link FileOffers}. */
export type FileOffersEvents = {
  /** A message's offer has been put into this state, which it may have been in. */
  stored: [message: FileMessage, peer: ClientId, offer: Offer];
};

/** The effects that only send a message stand in the policy. */
type LocalEffect = Exclude<OfferEffect, keyof typeof offerMessages | keyof typeof offerRequests>;
type Effects = Readonly<Record<LocalEffect, (offer: FileOffer & Detail) => void | Promise<void>>>;

/**
 * Every file offered by us or to us: what people, peers, files and transfers do becomes an event of the offer's state machine
 * (`offer-policy.ts`), whose state is then stored and whose effects are run.
 */
export class FileOffers extends Emitting<FileOffersEvents> {
  readonly #deps: FileOffersDeps;
  readonly #effects: Effects;
  readonly #stopListening: readonly (() => void)[];
  /** Offers whose senders were asked after reconnecting whether they are still valid. */
  readonly #asked = new Set<MessageKey>();
  #lookups = 0;
  readonly #factsOf: Readonly<Record<Exclude<OfferFact, "sourceFault">, (offer: FileOffer) => boolean>> = {
    away: ({ peer }) => !this.#deps.isReady(peer),
    undelivered: ({ message, peer }) => message.deliveries[peer]?.status !== "received",
    offeredSince: ({ message, peer }) =>
      this.#deps.offers.last(peer, message.file.fid)?.message.key !== message.key,
    askedAgain: ({ stored }) => isCancelled(stored) && stored.askedAgain === true,
    asked: ({ message }) => this.#asked.has(message.key),
  };

  constructor(deps: FileOffersDeps) {
    super();
    this.#deps = deps;
    const { transfers, cleanup } = deps;
    this.#effects = this.#makeEffects();
    this.#stopListening = [
      transfers.on("state", (transfer, state) => this.#onTransfer(transfer, state)),
      transfers.on("broken", ({ peerId, fid, mode }) => {
        void this.take("transfer-breaks", deps.offers.ofTransfer(peerId, fid, mode));
      }),
      transfers.on("unexpected", (peer, fid) => void this.#onUnexpected(peer, fid).catch(() => {})),
      cleanup.on("file-whole", (offer) => void this.take("file-whole", offer)),
      cleanup.on("source-lost", (offer) => void this.take("source-lost", offer)),
      cleanup.on("space-freed", (offer) => void this.take("space-freed", offer)),
    ];
  }

  /**
   * A person here, or one of their options, decides about a message's offers: about all, or the one with `peer`. Resolves once the effects have run: on
   * accepting, once we are ready to receive. While the other side is away the decision is stored.
   */
  async decide(
    event: "accept" | "decline" | "pause" | "resume" | "cancel" | "request" | "ask-again",
    key: MessageKey,
    peer?: ClientId,
  ): Promise<void> {
    const { offers, transfers } = this.#deps;
    if (event === "cancel" && peer === undefined) this.#withdraw(key);
    await Promise.all(
      offers.shownIn(key, peer).map((offer) => {
        transfers.forgetBreak(offer.key);
        return this.take(event, offer);
      }),
    );
  }

  /**
   * Resumes a transfer where it stopped; also retries after an error.
   * @returns false if one of our files has to be chosen again first.
   */
  async resume(key: MessageKey): Promise<boolean> {
    await this.decide("resume", key);
    return !this.#deps.offers
      .shownIn(key)
      .some(({ side, state }) => side === "sender" && state === "needsSource");
  }

  /**
   * Takes a file that the person chose again, and resumes every offer waiting for it.
   * Rejects with `wrong-file` if it is a different file.
   */
  async choose(key: MessageKey, file: File): Promise<void> {
    const { offers, library } = this.#deps;
    const chosen = offers.find(key);
    if (!chosen || !offers.isMine(chosen)) return;
    const { fid } = chosen.file;
    await library.offered.choose(fid, file);
    for (const { side, state, stored, message, peer } of offers.all(fid)) {
      const lacksSource =
        state === "needsSource" || (stored.state === "failed" && isSourceError(stored.error.code));
      if (side === "sender" && lacksSource) await this.decide("resume", message.key, peer);
    }
  }

  /**
   * Requests a cancelled, failed or deleted file again. If the sender cancelled it, the person there decides and
   * answers with a new offer; otherwise the file is sent.
   */
  async askAgain(key: MessageKey): Promise<void> {
    for (const { side, message, peer, stored } of this.#deps.offers.shownIn(key))
      if (side === "receiver" && stored.state === "withdrawn")
        this.updateCancelled([message], peer, { askedAgain: true });
    await this.decide("ask-again", key);
  }

  /** A message is being removed: cancels its transfers, unless another message is about the same file. */
  async forget(key: MessageKey): Promise<void> {
    const offers = this.#deps.offers.shownIn(key).filter(({ shownBy }) => shownBy.length === 1);
    await Promise.all(offers.map(({ peer }) => this.decide("cancel", key, peer)));
  }

  /** Deletes a file from this browser, after notifying the clients that send it or wait for it. */
  async discard(fid: FileId): Promise<void> {
    const { messages, offers, transfers } = this.#deps;
    await messages.whenLoaded;
    await messages.loadAbout([fid]);
    for (const { key } of messages.files(fid)) this.#withdraw(key);
    for (const { message, peer, state } of offers.all(fid))
      if (isOpen(state)) void this.decide("cancel", message.key, peer);
    await transfers.discard(fid);
  }

  /** A message of the other side about an offer, if there still is one. */
  async receive(
    message: Parameters<typeof offerEventOf>[1],
    offer: FileOffer | null | undefined,
  ): Promise<void> {
    if (!offer) return;
    const detail = message.type === "error" ? { error: describeWireError(message) } : {};
    await this.take(offerEventOf(offer.side, message), offer, detail);
  }

  /** `resume-file`, which may be about an offer that is gone. */
  async resumedBy(peer: ClientId, message: PeerMessageOf<"resume-file">): Promise<void> {
    const { messages, offers, tell } = this.#deps;
    const { fid } = message;
    if (offers.to(peer, fid) === null) for (const { key } of messages.files(fid)) this.admit(peer, fid, key);
    const ours = offers.to(peer, fid);
    const offer = ours?.state === "withdrawn" ? null : ours;
    const theirs = offers.from(peer, fid);
    if (offer ?? theirs) await this.receive(message, offer ?? theirs);
    // Withdrawn or deleted while the client was away.
    else tell(peer, { type: "cancel-file", fid });
  }

  /**
   * A client names a file, and the message by which we may have offered it to everyone while it was away: a member that does was given
   * the entry, also by others, and becomes a recipient. The id of the entry alone would not show that, since those know it too who came
   * later.
   */
  admit(peer: ClientId, fid: FileId, key: MessageKey): void {
    const { messages, offers, isMember } = this.#deps;
    const message = offers.find(key);
    if (message?.file.fid !== fid || !offers.isMine(message) || !isMember(peer)) return;
    if (message.entry === undefined || message.conversation !== everyone) return;
    // It may name the file by what we sent it alone since, and took back.
    const isTakenBack = offers
      .between(peer, fid)
      .some(
        (other) =>
          offers.isMine(other) &&
          other.entry === undefined &&
          other.sortedAt > message.sortedAt &&
          offers.stateOf(other, peer) === "withdrawn",
      );
    if (isTakenBack) return;
    messages.update(key, (known) => (known.type === "file" ? withRecipient(known, peer) : known));
  }

  /** Resumes transfers, and tells the other side what was decided while it was away. */
  async peerConnected(peer: ClientId): Promise<void> {
    const { offers } = this.#deps;
    const connect = ({ message: { key } }: FileOffer) =>
      this.take("peer-connects", offers.shownIn(key, peer)[0]);
    await Promise.all(offers.with(peer).map(connect));
  }

  /** Adds to messages that show a cancelled offer what followed. */
  updateCancelled(
    messages: readonly FileMessage[],
    peer: ClientId,
    change: Pick<Cancelled, "askedAgain" | "offeredAgain">,
  ): void {
    for (const message of messages) {
      const offer = message.offers[peer];
      if (isCancelled(offer)) this.#store(message, peer, { ...offer, ...change });
    }
  }

  /** Applies an event to an offer, if there is one. */
  async take(event: OfferEvent, offer: FileOffer | null | undefined, detail: Detail = {}): Promise<void> {
    if (!offer) return;
    const { side, peer, message, shownBy, stored, state } = offer;
    const { offers } = this.#deps;
    const error = detail.error ?? (stored.state === "failed" ? stored.error : undefined);
    const { to, effects = [] } = ruleFor(
      side,
      event,
      state,
      (fact) => this.#factsOf[fact](offer),
      error?.code,
    );
    if (to !== undefined)
      for (const shown of shownBy) this.#store(shown, peer, storedOffer(to, detail), detail.file);
    const now = { ...offers.of(offers.find(message.key) ?? message, peer), ...(error && { error }) };
    await Promise.all(effects.map((effect) => this.#run(effect, now)));
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.clear();
  }

  /** Who is given the entry of an offer to everyone later gets it as one that was taken back. */
  #withdraw(key: MessageKey): void {
    const { messages, offers } = this.#deps;
    const message = offers.find(key);
    if (message?.entry === undefined || !offers.isMine(message)) return;
    messages.update(key, (known) => (known.type === "file" ? { ...known, withdrawn: true } : known));
  }

  #run(effect: OfferEffect, offer: FileOffer & Detail): void | Promise<void> {
    const { message, peer, error } = offer;
    const offered = { ...message, fid: message.file.fid, error };
    if (isKeyOf(offerRequests, effect)) return this.#prepare(offer, offerRequests[effect](offered));
    if (!isKeyOf(offerMessages, effect)) return this.#effects[effect](offer);
    if (effect === "ask-whether-offered") this.#asked.add(message.key);
    const told = offerMessages[effect](offered);
    if (told) this.#deps.tell(peer, told);
  }

  #makeEffects(): Effects {
    const { library, transfers, cleanup } = this.#deps;
    return {
      "open-source": (offer) => this.#openSource(offer, false, "source-ready"),
      "ask-for-source": (offer) => this.#openSource(offer, true, "source-ready-to-resume"),
      "lose-source": ({ message }) => {
        library.closeSource(message.file.fid);
        cleanup.loseSource(message.file.fid);
      },
      "start-transfer": async (offer) => {
        try {
          transfers.send(offer.peer, offer.message.file);
        } catch (thrown) {
          await this.take("source-failed", offer, { error: toWarrenError(thrown).describe() });
        }
      },
      "stop-transfer": ({ key, stored }) => transfers.stop(key, stored),
      "drop-transfer": ({ key, stored }) => transfers.drop(key, stored),
      "wait-for-space": () => cleanup.waitForSpace(),
      free: ({ message }) => cleanup.free(message.file.fid),
      "check-file": (offer) =>
        this.take(library.has(offer.message.file) ? "file-whole" : "file-lacking", offer),
    };
  }

  async #openSource({ message, peer }: FileOffer, ask: boolean, ready: SenderEvent): Promise<void> {
    const { library, clock, offers } = this.#deps;
    let event: SenderEvent = "source-failed";
    let detail: Detail = {};
    try {
      const opening = library.openSource(message.file.fid, { ask });
      // A browser that asks for permission waits for the person.
      event = (await (ask ? opening : settledInTime(clock, "read", opening))) ? ready : "source-missing";
    } catch (thrown) {
      detail = { error: toWarrenError(thrown).describe() };
    }
    // It may have been paused, withdrawn or deleted in the meantime.
    await this.take(event, offers.shownIn(message.key, peer)[0], detail);
  }

  /** Prepares to receive, then asks the sender to start. */
  async #prepare({ message, peer, stored }: FileOffer, request: OutgoingMessage): Promise<void> {
    const { transfers, library, offers, tell } = this.#deps;
    const { key, file, root } = message;
    // What is stored: another request may be opening its transfer now.
    const hasBegun = stored.state === "needsSpace" || library.store.getState().has(file.fid);
    try {
      if (await transfers.expect(peer, file, root)) tell(peer, request);
    } catch (thrown) {
      const error = toWarrenError(thrown).describe();
      await this.take(preparationEvent(error, hasBegun), offers.shownIn(key, peer)[0], { error });
    }
  }

  #onTransfer({ peerId, fid, mode }: TransferRef, now: TransferState): void {
    const { library, offers } = this.#deps;
    if (mode === "send") library.offered.noteSending(fid, peerId, now.state === "running");
    const event = transferEvents[now.state];
    const detail = now.state === "failed" ? { error: now.error } : {};
    if (event) void this.take(event, offers.ofTransfer(peerId, fid, mode), detail);
  }

  async #onUnexpected(peer: ClientId, fid: FileId): Promise<void> {
    // Channels are opened without asking: storage that is slow must not gather lookups.
    if (this.#lookups >= lookupsMax) return;
    this.#lookups++;
    const { messages, offers } = this.#deps;
    await messages.loadAbout([fid]).finally(() => this.#lookups--);
    await this.take("transfer-unexpected", offers.from(peer, fid));
  }

  #store(shown: FileMessage, peer: ClientId, offer: Offer, file?: FileDescription): void {
    this.#deps.messages.update(shown.key, (message) => {
      const known = message.type === "file" ? message.offers[peer] : undefined;
      if (message.type !== "file" || !known || (isSame(known, offer) && !file)) return message;
      return { ...message, ...(file && { file }), offers: { ...message.offers, [peer]: offer } };
    });
    this.emit("stored", shown, peer, offer);
  }
}

/** A failure is compared by its error, which is one object as long as it is passed on. */
function isSame(a: Offer, b: Offer): boolean {
  const [ours, theirs] = [Object.entries(a), new Map(Object.entries(b))];
  return ours.length === theirs.size && ours.every(([name, value]) => theirs.get(name) === value);
}

function isKeyOf<T extends object>(table: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(table, key);
}
