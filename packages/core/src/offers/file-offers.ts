import {
  type ClientId,
  type ErrorCode,
  type ErrorDescription,
  type FileDescription,
  type FileId,
  type PeerMessageOf,
  safeFileName,
  type TreeSummary,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import { sameLayout } from "../files/file-layout.ts";
import type { FileLibrary } from "../files/file-library.ts";
import { isNoRoom } from "../files/space.ts";
import type { StoredFile } from "../files/stored-file.ts";
import type { FileMessage, MessageKey } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import { errorAnswer } from "../messages/wire-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import type { Options } from "../settings/options.ts";
import type { Log } from "../shared/log.ts";
import { settledInTime } from "../shared/stall-watch.ts";
import {
  type Cancelled,
  isCancelled,
  isOpen,
  isTurnedDown,
  type Offer,
  type OfferSide,
  type OfferState,
  offerNow,
  type TransferState,
} from "../transfer/offer-state.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { partsOf, type TransferKey, transferKeyOf } from "../transfer/transfer-state.ts";
import {
  type OfferEffect,
  type OfferEvent,
  type ReceiverEvent,
  ruleFor,
  type SenderEvent,
} from "./file-offer.ts";

/** Other sites and programs free disk space without any event, so poll for it. */
const spaceCheckMs = 15_000;
/** The most concurrent lookups of files because of unexpected channels. */
const lookupsMax = 64;

/** Source errors that choosing the file again fixes. */
const sourceErrors: readonly string[] = ["source-changed", "source-missing"];

/** Errors by which a receiver answers without having failed. */
const answers: ReadonlyMap<ErrorCode, SenderEvent> = new Map([
  ["transfer-declined", "peer-declines"],
  ["already-complete", "peer-is-done"],
]);

/** The events by which a transfer changes its offer. */
const transferEvents: Readonly<Partial<Record<OfferState, SenderEvent & ReceiverEvent>>> = {
  queued: "transfer-queued",
  opening: "transfer-opens",
  running: "transfer-runs",
  absent: "transfer-interrupted",
  complete: "transfer-completes",
  failed: "transfer-fails",
};

/** Decisions of the person here. */
const byPerson: ReadonlySet<SenderEvent | ReceiverEvent> = new Set([
  "accept",
  "decline",
  "pause",
  "cancel",
  "resume",
  "request",
  "ask-again",
]);

interface FileOffersDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly options: () => Pick<Options, "automaticCacheDeletion">;
  /** Sends a message to a client, unless it has just disconnected. */
  readonly answer: (to: ClientId, message: OutgoingMessage) => void;
  readonly isReady: (peer: ClientId) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** A picked file, with the properties that identify it without reading all of it. */
interface PickedFile {
  readonly stream: File;
  readonly tree: TreeSummary | undefined;
  readonly sample: string;
}

/** Data that comes with an event. */
interface Detail {
  readonly error?: ErrorDescription;
  /** The receiver had the file before it was offered. */
  readonly already?: true;
  /** The receiver's own description of that file, which replaces the offered one. */
  readonly file?: FileDescription;
}

/** One end of an offer, as effects need it. */
interface OfferEnd extends Detail {
  readonly message: FileMessage;
  readonly peer: ClientId;
  readonly key: TransferKey;
}

type Effects = Readonly<Record<OfferEffect, (end: OfferEnd) => void | Promise<void>>>;

/**
 * Every file offered by us or to us: finds offers by client and file, passes events to their state machine
 * (`file-offer.ts`) and runs the effects. The same file may be offered by several messages; they share one transfer.
 */
export class FileOffers {
  readonly #deps: FileOffersDeps;
  readonly #effects: Effects;
  readonly #stopListening: readonly (() => void)[];
  /** Offers whose senders were asked after reconnecting whether they are still valid. */
  readonly #asked = new Set<MessageKey>();
  #lookups = 0;
  #stopSpaceCheck: (() => void) | null = null;

  constructor(deps: FileOffersDeps) {
    this.#deps = deps;
    const { transfers } = deps;
    this.#effects = this.#makeEffects();
    this.#stopListening = [
      transfers.on("state", (key, state) => this.#onTransferState(key, state)),
      transfers.on("broken", (key) => this.#onTransfer(key, "transfer-breaks")),
      transfers.on("unexpected", (key) => void this.#onUnexpected(key).catch(() => {})),
    ];
  }

  // Decisions of the person here, by the message that shows the offer.

  /**
   * Accepts an offer. Resolves once we are ready to receive; while the sender is away the offer is stored as accepted.
   */
  async accept(key: MessageKey): Promise<void> {
    const message = this.#theirs(key);
    if (message) await this.#receiver("accept", message);
  }

  decline(key: MessageKey): void {
    const message = this.#theirs(key);
    if (message) void this.#receiver("decline", message);
  }

  pause(key: MessageKey): void {
    for (const [message, peer] of this.#ends(key)) void this.#apply("pause", message, peer);
  }

  /** Cancels for good, for one client or all: withdraws our offer, or stops receiving. */
  cancel(key: MessageKey, peer?: ClientId): void {
    for (const [message, other] of this.#ends(key, peer)) void this.#apply("cancel", message, other);
  }

  /**
   * Resumes a transfer where it stopped; also retries after an error.
   * @returns false if one of our files has to be chosen again first.
   */
  async resume(key: MessageKey): Promise<boolean> {
    await Promise.all(this.#ends(key).map(([message, peer]) => this.#apply("resume", message, peer)));
    const message = this.find(key);
    if (!message || !this.isMine(message)) return true;
    return !Object.keys(message.offers).some((peer) => this.stateOf(message, peer) === "needsSource");
  }

  /**
   * Takes a file that the person chose again, and resumes every offer waiting for it.
   * Rejects with `wrong-file` if it is a different file.
   */
  async choose(key: MessageKey, file: File): Promise<void> {
    const chosen = this.find(key);
    if (!chosen || !this.isMine(chosen)) return;
    const { fid } = chosen.file;
    await this.#deps.library.offered.choose(fid, file);
    for (const [message, peer] of this.#offersOf(fid).filter(([message]) => this.isMine(message))) {
      const offer = message.offers[peer];
      const needsSource =
        this.stateOf(message, peer) === "needsSource" ||
        (offer?.state === "failed" && sourceErrors.includes(offer.error.code));
      if (needsSource) await this.#sender("resume", message, peer);
    }
  }

  /** Requests the shared file of a message from its sender, who answers by sending it. */
  async request(key: MessageKey): Promise<void> {
    const message = this.#theirs(key);
    if (message) await this.#receiver("request", message);
  }

  /**
   * Requests a cancelled, failed or deleted file again. If the sender cancelled it, the person there decides and
   * answers with a new offer; otherwise the file is sent.
   */
  async askAgain(key: MessageKey): Promise<void> {
    const message = this.#theirs(key);
    if (!message) return;
    this.#annotate(message, message.client, { askedAgain: true }, "withdrawn");
    await this.#receiver("ask-again", message);
  }

  /** A message was removed: cancels its transfers, unless another message is about the same file. */
  forget(key: MessageKey): void {
    for (const [message, peer] of this.#ends(key))
      if (this.#joined(message, peer).length === 1) this.cancel(key, peer);
  }

  /** Deletes a file from this browser, after notifying the clients that send it or wait for it. */
  async discard(fid: FileId): Promise<void> {
    const { messages } = this.#deps;
    await messages.whenLoaded;
    await messages.loadAbout([fid]);
    for (const [message, peer] of this.#offersOf(fid))
      if (isOpen(this.stateOf(message, peer))) this.cancel(message.key, peer);
    await this.#deps.transfers.discard(fid);
  }

  // Messages from other clients.

  /** The recipient of our offer acknowledges or accepts it. */
  async acknowledged(
    peer: ClientId,
    message: FileMessage,
    { pending, accepted }: Pick<PeerMessageOf<"check-message">, "pending" | "accepted">,
  ): Promise<void> {
    if (!Object.hasOwn(message.offers, peer)) return;
    const event = pending ? (accepted ? "peer-queues" : "peer-acknowledges") : "peer-accepts";
    await this.#sender(event, message, peer);
  }

  /** The recipient of our offer requests the file again. */
  async requested(peer: ClientId, message: FileMessage): Promise<void> {
    await this.#sender("peer-requests", message, peer);
  }

  /** A known offer arrives again: answers its sender with our state. */
  async offeredBy(message: FileMessage): Promise<void> {
    await this.#receiver("peer-offers", message);
  }

  /** `resume-file`: the recipient of our offer requests its bytes, or the sender of their offer asks for our state. */
  async resumedBy(peer: ClientId, fid: FileId): Promise<void> {
    const ours = this.offerTo(peer, fid);
    const theirs = this.offerFrom(peer, fid);
    if (ours) await this.#sender("peer-accepts", ours, peer);
    else if (theirs) await this.#receiver("peer-resumes", theirs);
    // Withdrawn or deleted while the client was away.
    else this.#send(peer, { type: "cancel-file", fid });
  }

  /** `pause-file`; `reason` as in the protocol. */
  pausedBy(peer: ClientId, fid: FileId, reason: "source" | "storage" | undefined): void {
    const message = this.lastBetween(peer, fid);
    if (!message) return;
    // Only a sender has a source, and only a receiver needs space.
    if (this.isMine(message))
      void this.#sender(reason === "storage" ? "peer-needs-space" : "peer-pauses", message, peer);
    else void this.#receiver(reason === "source" ? "peer-needs-source" : "peer-pauses", message);
  }

  /** `cancel-file`. */
  cancelledBy(peer: ClientId, fid: FileId): void {
    const message = this.lastBetween(peer, fid);
    if (message) void this.#apply("peer-cancels", message, peer);
  }

  /** `error`: the other side cannot continue. */
  async failedBy(key: MessageKey, peer: ClientId, error: ErrorDescription): Promise<void> {
    const message = this.find(key);
    if (!message || !Object.hasOwn(message.offers, peer)) return;
    if (error.code === "transfer-cancelled") await this.#apply("peer-cancels", message, peer);
    else if (this.isMine(message)) {
      await this.#sender(answers.get(error.code) ?? "peer-fails", message, peer, { error });
    } else if (error.code === "already-complete") await this.#receiver("peer-is-done", message);
    else if (error.code === "check-message-not-found") {
      if (this.#asked.delete(key)) await this.#receiver("peer-forgot", message);
    } else await this.#receiver("peer-fails", message, { error });
  }

  /**
   * Both sides are connected: resumes transfers, and each side learns the other's decisions made while disconnected.
   */
  async peerReturned(peer: ClientId): Promise<void> {
    const between = this.all().filter(({ offers }) => Object.hasOwn(offers, peer));
    await Promise.all(
      between.map(async (message) => {
        const isMine = this.isMine(message);
        // The message of a cancellation names the file, which was offered again since.
        const isEarlier = isMine && message !== this.lastBetween(peer, message.file.fid);
        if (isEarlier && this.stateOf(message, peer) === "withdrawn") return;
        // An undelivered offer is sent again, which also carries its state.
        if (
          isMine &&
          message.deliveries[peer]?.status !== "received" &&
          this.stateOf(message, peer) === "offered"
        )
          return;
        if (!isMine && this.stateOf(message, peer) === "offered") this.#asked.add(message.key);
        await this.#apply("peer-returns", message, peer);
        const offer = message.offers[peer];
        if (!isMine && isCancelled(offer) && offer.askedAgain) await this.#receiver("ask-again", message);
      }),
    );
  }

  // The same file on both sides (`same-files.ts`).

  /** We already hold the offered file, as `known`. */
  foundHere(key: MessageKey, known: FileDescription): void {
    const message = this.#theirs(key);
    if (message) void this.#receiver("found-here", message, { already: true, file: known });
  }

  /** The recipient of our offer already has the file. */
  foundAt(peer: ClientId, message: FileMessage): void {
    void this.#sender("peer-has-it", message, peer, { already: true });
  }

  // Files and page lifetime.

  /**
   * Called after a reload, once history and files are loaded: reopens the files of our offers and frees unneeded
   * copies.
   */
  async reopenOwnFiles(): Promise<void> {
    const { library } = this.#deps;
    const wanted = new Set<FileId>();
    for (const message of this.all().filter((message) => this.isMine(message))) {
      const { fid } = message.file;
      const peers = Object.keys(message.offers).filter((peer) => this.#mayStillGo(message, peer));
      if (peers.length === 0) continue;
      wanted.add(fid);
      // A file that has changed since is reported when somebody requests it.
      if (await library.openSource(fid, { ask: false }).catch(() => false)) continue;
      for (const peer of peers) void this.#sender("source-lost", message, peer);
    }
    if (this.#needingSpace().length > 0) this.#waitForSpace();
    try {
      await library.offered.keepOnly(wanted);
      await this.#sweep();
    } catch (thrown) {
      // A full disk may refuse even that. What is left is freed at the next start.
      this.#deps.log.warn("files were not freed", { code: toWarrenError(thrown).code });
    }
  }

  /**
   * Deletes data that no offer of the file needs any more: the whole file once everybody has it, if that option is on,
   * or our copy once nobody can still get it. Received files are kept.
   */
  free(fid: FileId): void {
    const { library, transfers, options } = this.#deps;
    if (library.store.getState().get(fid)?.direction !== "sent") return;
    // What cannot be deleted now stays in the file list and is freed on the next page load.
    if (options().automaticCacheDeletion && this.#isDelivered(fid))
      void transfers.discard(fid).catch(() => {});
    else if (this.#isWanted(fid) === false) void library.freeCopy(fid).catch(() => {});
  }

  close(): void {
    for (const stop of this.#stopListening) stop();
    this.#stopSpaceCheck?.();
  }

  // Queries.

  find(key: MessageKey): FileMessage | null {
    const message = this.#deps.messages.find(key);
    return message?.type === "file" ? message : null;
  }

  isMine(message: FileMessage): boolean {
    return message.client === this.#deps.selfId;
  }

  /** All messages about files that are in memory: every open offer, and others about their files. */
  all(): readonly FileMessage[] {
    return this.#deps.messages.files();
  }

  /** The state of an offer with one client. */
  stateOf({ file, offers }: FileMessage, peer: ClientId): OfferState {
    const offer = offers[peer];
    if (offer === undefined) return "withdrawn";
    return offerNow(offer, this.#deps.transfers.stateOf(transferKeyOf(peer, file.fid))).state;
  }

  /** The messages about a file exchanged between a client and us, oldest first. */
  between(peer: ClientId, fid: FileId): readonly FileMessage[] {
    return this.#deps.messages.files(fid).filter(({ offers }) => Object.hasOwn(offers, peer));
  }

  /** The last of {@link between}. */
  lastBetween(peer: ClientId, fid: FileId): FileMessage | null {
    return this.between(peer, fid).at(-1) ?? null;
  }

  /** A client's last offer of a file to us. */
  offerFrom(peer: ClientId, fid: FileId): FileMessage | null {
    return this.between(peer, fid).findLast(({ client }) => client === peer) ?? null;
  }

  /** Our last offer of a file to a client that was not withdrawn. */
  offerTo(peer: ClientId, fid: FileId): FileMessage | null {
    const ours = this.between(peer, fid).filter((message) => this.isMine(message));
    return ours.findLast((message) => this.stateOf(message, peer) !== "withdrawn") ?? null;
  }

  /** Our last offer of a file to a client if all of them were withdrawn. */
  withdrawnFrom(peer: ClientId, fid: FileId): FileMessage | null {
    if (this.offerTo(peer, fid)) return null;
    return this.between(peer, fid).findLast((message) => this.isMine(message)) ?? null;
  }

  /** Our offer of an apparently identical file that all of these clients still wait for or are receiving. */
  openOfferLike(peers: readonly ClientId[], picked: PickedFile): FileMessage | undefined {
    const { stream, tree, sample } = picked;
    return this.all().find(
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

  /**
   * The files sent or offered between a client and us, oldest first, without withdrawn and cancelled ones; of messages in
   * memory.
   */
  sharedIn(peer: ClientId): readonly FileDescription[] {
    return this.all()
      .filter(({ offers }) => Object.hasOwn(offers, peer))
      .filter((message) => this.#isShared(message, peer))
      .filter((message) => !this.isMine(message) || !this.#isCancelled(message, peer))
      .map(({ file }) => file);
  }

  /** Whether a client sent us this file or was offered it by us; of messages in memory. */
  isParty(peer: ClientId, fid: FileId): boolean {
    return this.between(peer, fid).some((message) => this.#isShared(message, peer));
  }

  /** Anyone who knows the id of a file can offer it: only a completed transfer shows that a client has the bytes. */
  #isShared(message: FileMessage, peer: ClientId): boolean {
    if (this.isMine(message)) return true;
    const kept = this.#deps.library.store.getState().get(message.file.fid);
    return message.offers[peer]?.state === "complete" && (kept?.peers.includes(peer) ?? true);
  }

  /** A file was offered again: records that in the messages that show it as cancelled. */
  noteOfferedAgain(peer: ClientId, fid: FileId): void {
    for (const message of this.between(peer, fid))
      this.#annotate(message, peer, { askedAgain: undefined, offeredAgain: true });
  }

  /** The receiver of one of our cancelled files requests it again. */
  noteAskedAgain(message: FileMessage, peer: ClientId): void {
    this.#annotate(message, peer, { askedAgain: true });
  }

  // The state machine.

  #sender(event: SenderEvent, message: FileMessage, peer: ClientId, detail?: Detail): Promise<void> {
    return this.#step("sender", event, message, peer, detail);
  }

  #receiver(event: ReceiverEvent, message: FileMessage, detail?: Detail): Promise<void> {
    return this.#step("receiver", event, message, message.client, detail);
  }

  /** Applies an event that exists at both ends. */
  #apply(
    event: OfferEvent<"sender"> & OfferEvent<"receiver">,
    message: FileMessage,
    peer: ClientId,
    detail?: Detail,
  ): Promise<void> {
    return this.isMine(message)
      ? this.#sender(event, message, peer, detail)
      : this.#receiver(event, message, detail);
  }

  async #step<S extends OfferSide>(
    side: S,
    event: OfferEvent<S>,
    message: FileMessage,
    peer: ClientId,
    detail: Detail = {},
  ): Promise<void> {
    if (byPerson.has(event)) this.#deps.transfers.forgetBreak(transferKeyOf(peer, message.file.fid));
    const state = this.stateOf(message, peer);
    const { to, effects = [] } = ruleFor(side, event, state, this.#deps.isReady(peer));
    if (to !== undefined) {
      const offer = offerIn(to, detail);
      for (const { key } of this.#joined(message, peer)) this.#setOffer(key, peer, offer, detail.file);
    }
    const now = this.find(message.key) ?? message;
    const end = { ...detail, message: now, peer, key: transferKeyOf(peer, now.file.fid) };
    await Promise.all(effects.map((effect) => this.#effects[effect](end)));
  }

  #makeEffects(): Effects {
    const { library, transfers } = this.#deps;
    return {
      "open-source": (end) => this.#openSource(end, false),
      "ask-for-source": (end) => this.#openSource(end, true),
      "start-transfer": async ({ message, peer }) => {
        try {
          transfers.send(peer, message.file);
        } catch (thrown) {
          await this.#sender("source-failed", message, peer, { error: toWarrenError(thrown).describe() });
        }
      },
      "prepare-and-accept": (end) => this.#prepare(end, { type: "check-message", id: end.message.id }),
      "prepare-and-resume": (end) => this.#prepare(end, { type: "resume-file", fid: end.message.file.fid }),
      "prepare-and-request": (end) => this.#prepare(end, requestOf(end.message)),
      "stop-transfer": ({ key, message, peer }) => transfers.stop(key, storedIn(message, peer)),
      "drop-transfer": ({ key, message, peer }) => transfers.drop(key, storedIn(message, peer)),
      "wait-for-space": () => this.#waitForSpace(),
      free: ({ message }) => this.free(message.file.fid),
      "send-acknowledged": ({ message: { id }, peer }) =>
        this.#send(peer, { type: "check-message", id, pending: true }),
      "send-queued": ({ message: { id }, peer }) =>
        this.#send(peer, { type: "check-message", id, pending: true, accepted: true }),
      "send-resume": ({ message: { file }, peer }) =>
        this.#send(peer, { type: "resume-file", fid: file.fid }),
      "send-request": ({ message, peer }) => this.#send(peer, requestOf(message)),
      "send-declined": ({ message: { id }, peer }) =>
        this.#send(peer, errorAnswer(id, new WarrenError("transfer-declined"))),
      "send-pause": ({ message: { file }, peer }) => this.#send(peer, { type: "pause-file", fid: file.fid }),
      "send-needs-source": ({ message: { file }, peer }) =>
        this.#send(peer, { type: "pause-file", fid: file.fid, reason: "source" }),
      "send-needs-space": ({ message: { file }, peer }) =>
        this.#send(peer, { type: "pause-file", fid: file.fid, reason: "storage" }),
      "send-cancel": ({ message: { file }, peer }) =>
        this.#send(peer, { type: "cancel-file", fid: file.fid }),
      "send-already-complete": ({ message: { id }, peer }) =>
        this.#send(peer, errorAnswer(id, new WarrenError("already-complete"))),
      "send-same-file": ({ message: { id, root }, peer }) => {
        if (root !== undefined) this.#send(peer, { type: "same-file", id, root });
      },
      "send-error": (end) => this.#sendError(end),
      "confirm-or-request": (end) =>
        library.isComplete(end.message.file.fid)
          ? this.#receiver("transfer-completes", end.message)
          : this.#effects["prepare-and-request"](end),
    };
  }

  async #onUnexpected(key: TransferKey): Promise<void> {
    const { peerId, fid } = partsOf(key);
    // Channels are opened without asking: storage that is slow must not gather lookups.
    if (this.#lookups >= lookupsMax) return;
    this.#lookups++;
    await this.#deps.messages.loadAbout([fid]).finally(() => this.#lookups--);
    const message = this.offerFrom(peerId, fid);
    if (message) await this.#receiver("transfer-unexpected", message);
  }

  async #openSource({ message, peer }: OfferEnd, ask: boolean): Promise<void> {
    let event: SenderEvent = "source-failed";
    let detail: Detail = {};
    try {
      const opening = this.#deps.library.openSource(message.file.fid, { ask });
      // A browser that asks for permission waits for the person.
      const isAtHand = await (ask ? opening : settledInTime(this.#deps.clock, "read", opening));
      event = isAtHand ? (ask ? "source-ready-to-resume" : "source-ready") : "source-missing";
    } catch (thrown) {
      detail = { error: toWarrenError(thrown).describe() };
    }
    // It may have been paused, withdrawn or deleted in the meantime.
    const now = this.find(message.key);
    if (now) await this.#sender(event, now, peer, detail);
  }

  /** Prepares to receive, then asks the sender to start. */
  async #prepare({ message, peer }: OfferEnd, request: OutgoingMessage): Promise<void> {
    const { transfers, library } = this.#deps;
    const { fid } = message.file;
    // What is stored: another request may be opening its transfer now.
    const wasStarted = message.offers[peer]?.state === "needsSpace" || library.store.getState().has(fid);
    try {
      if (await transfers.expect(peer, message.file)) this.#send(peer, request);
    } catch (thrown) {
      const error = toWarrenError(thrown);
      const now = this.find(message.key);
      if (!now) return;
      // A started file waits for space; a new one that does not fit is not started.
      const waits = isNoRoom(error) || (wasStarted && error.code === "not-enough-space");
      if (waits) await this.#receiver("prepare-lacks-space", now);
      else await this.#receiver("prepare-failed", now, { error: error.describe() });
    }
  }

  /** Reports an error without revealing how much space is free here, or that the file came from somebody else. */
  #sendError({ message, peer, error }: OfferEnd): void {
    const offer = message.offers[peer];
    const described = error ?? (offer?.state === "failed" ? offer.error : undefined);
    if (!described) return;
    const { id, file } = message;
    if (described.code === "not-enough-space")
      this.#send(peer, { type: "pause-file", fid: file.fid, reason: "storage" });
    else if (described.code === "cache-exists" && !this.isMine(message))
      this.#send(peer, { type: "check-message", id, pending: true });
    else this.#send(peer, errorAnswer(id, new WarrenError(described.code, described.values)));
  }

  #onTransferState(key: TransferKey, transfer: TransferState): void {
    const { peerId, fid } = partsOf(key);
    const { library } = this.#deps;
    const shown = this.between(peerId, fid);
    if (shown.some((message) => this.isMine(message))) {
      library.offered.noteSending(fid, peerId, transfer.state === "running");
      if (transfer.state === "failed" && sourceErrors.includes(transfer.error.code)) library.closeSource(fid);
    }
    const event = transferEvents[transfer.state];
    if (event) this.#onTransfer(key, event, transfer.state === "failed" ? { error: transfer.error } : {});
    else if (transfer.state === "needsSpace")
      for (const message of shown)
        if (!this.isMine(message)) void this.#receiver("transfer-lacks-space", message);
  }

  /** The messages that show a transfer: if a file was offered again, those that were turned down are left out. */
  #onTransfer(
    key: TransferKey,
    event: OfferEvent<"sender"> & OfferEvent<"receiver">,
    detail: Detail = {},
  ): void {
    const { peerId, fid } = partsOf(key);
    const all = this.between(peerId, fid);
    for (const message of all)
      if (message === all.at(-1) || !isTurnedDown(this.stateOf(message, peerId)))
        void this.#apply(event, message, peerId, detail);
  }

  #waitForSpace(): void {
    if (this.#stopSpaceCheck) return;
    const { clock, library } = this.#deps;
    const check = () => {
      this.#stopSpaceCheck?.();
      for (const message of this.#needingSpace()) void this.#receiver("space-freed", message);
    };
    const cancelTimer = clock.after(spaceCheckMs, check);
    const stopListening = library.store.subscribe((now, before) => {
      if ([...before.keys()].some((fid) => !now.has(fid))) check();
    });
    this.#stopSpaceCheck = () => {
      this.#stopSpaceCheck = null;
      cancelTimer();
      stopListening();
    };
  }

  #needingSpace(): readonly FileMessage[] {
    return this.all().filter(
      (message) => !this.isMine(message) && this.stateOf(message, message.client) === "needsSpace",
    );
  }

  /** Frees our copies that nobody can still get, and parts of received files that no message resumes. */
  async #sweep(): Promise<void> {
    const { library, messages } = this.#deps;
    const files = [...library.store.getState().values()];
    // A copy that has reached somebody is kept unless all its offers in memory were turned down.
    const mayGo = ({ direction, state, peers }: StoredFile) =>
      direction === "sent" ? peers.length === 0 : state === "incomplete";
    await messages.loadAbout(files.filter(mayGo).map(({ description }) => description.fid));
    for (const { description, direction, state, peers } of files) {
      const { fid } = description;
      const isWanted = this.#isWanted(fid);
      // If somebody got a file whose message was removed, it is kept until a person deletes it.
      if (direction === "sent" && !(isWanted ?? peers.length > 0)) await library.freeCopy(fid);
      if (direction === "received" && state === "incomplete" && !isWanted) await library.remove(fid);
    }
  }

  /** Whether somebody has a file through a message, or may still get it; null if no message is about it. */
  #isWanted(fid: FileId): boolean | null {
    const offers = this.#offersOf(fid);
    if (offers.length === 0) return null;
    return offers.some(([message, peer]) => !isTurnedDown(this.stateOf(message, peer)));
  }

  /** Whether a file has reached somebody, and everyone it was offered to who may still get it. */
  #isDelivered(fid: FileId): boolean {
    const offered = this.#offersOf(fid).filter(([message, peer]) => !this.#isCancelled(message, peer));
    return (
      offered.length > 0 && offered.every(([message, peer]) => this.stateOf(message, peer) === "complete")
    );
  }

  #mayStillGo(message: FileMessage, peer: ClientId): boolean {
    const state = this.stateOf(message, peer);
    return state !== "complete" && !isTurnedDown(state);
  }

  #isCancelled(message: FileMessage, peer: ClientId): boolean {
    return ["withdrawn", "givenUp"].includes(this.stateOf(message, peer));
  }

  #offersOf(fid: FileId): readonly (readonly [FileMessage, ClientId])[] {
    return this.#deps.messages
      .files(fid)
      .flatMap((message) => Object.keys(message.offers).map((peer) => [message, peer] as const));
  }

  /** The incomplete ends of a message's offer: all of them, or the one with one client. */
  #ends(key: MessageKey, peer?: ClientId): readonly (readonly [FileMessage, ClientId])[] {
    const message = this.find(key);
    if (!message) return [];
    return Object.keys(message.offers)
      .filter(
        (other) => (peer === undefined || other === peer) && message.offers[other]?.state !== "complete",
      )
      .map((other) => [message, other] as const);
  }

  /** A message and its client's other messages that share its transfer. */
  #joined(message: FileMessage, peer: ClientId): readonly FileMessage[] {
    return this.between(peer, message.file.fid).filter(
      (other) =>
        other.key === message.key || (other.client === message.client && isOpen(this.stateOf(other, peer))),
    );
  }

  /** Adds what followed to a cancelled offer; with `only`, if it was cancelled by that side. */
  #annotate(
    message: FileMessage,
    peer: ClientId,
    change: Pick<Cancelled, "askedAgain" | "offeredAgain">,
    only?: Cancelled["state"],
  ): void {
    const offer = message.offers[peer];
    if (!isCancelled(offer) || (only !== undefined && offer.state !== only)) return;
    this.#setOffer(message.key, peer, { ...offer, ...change });
  }

  #setOffer(key: MessageKey, peer: ClientId, offer: Offer, file?: FileDescription): void {
    this.#deps.messages.update(key, (message) =>
      message.type === "file" && Object.hasOwn(message.offers, peer)
        ? { ...message, ...(file && { file }), offers: { ...message.offers, [peer]: offer } }
        : message,
    );
  }

  /** A message from somebody else. */
  #theirs(key: MessageKey): FileMessage | null {
    const message = this.find(key);
    return message && !this.isMine(message) ? message : null;
  }

  /** Sends to a connected client; others learn the state on the next connection. */
  #send(peer: ClientId, message: OutgoingMessage): void {
    if (this.#deps.isReady(peer)) this.#deps.answer(peer, message);
  }
}

function requestOf({ id, file }: FileMessage): OutgoingMessage {
  return { type: "request-file", id, fid: file.fid };
}

/** What is stored for a state. */
function offerIn(state: OfferState, { error, already }: Detail): Offer {
  switch (state) {
    case "complete":
      return { state, ...(already && { already }) };
    case "failed":
      return { state, error: error ?? new WarrenError("unknown").describe() };
    case "opening":
    case "queued":
    case "running":
      return { state: "absent" };
    default:
      return { state };
  }
}

function storedIn({ offers }: FileMessage, peer: ClientId): Offer {
  return offers[peer] ?? { state: "withdrawn" };
}
