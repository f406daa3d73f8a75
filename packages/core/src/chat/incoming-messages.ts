import {
  type ClientId,
  contentSizeOf,
  isOriginalOf,
  type PeerMessage,
  type PeerMessageOf,
  type PeerMessageType,
  TokenBucket,
  toWarrenError,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { OutgoingMessage } from "../connection/message-channel.ts";
import { sameLayout } from "../files/file-layout.ts";
import type { FileLibrary } from "../files/file-library.ts";
import { readManifest } from "../files/open-tree.ts";
import type { Clock } from "../ports/clock.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import type { Options } from "../settings/options.ts";
import type { Emitter } from "../shared/emitter.ts";
import type { Log } from "../shared/log.ts";
import type { ChatEvents } from "./chat-state.ts";
import { isOpen, isTurnedDown, type OfferState } from "./file-offer.ts";
import type { FileOffers } from "./file-offers.ts";
import {
  type ChatMessage,
  type ConversationId,
  everyone,
  type FileMessage,
  type MessageKey,
  messageKeyOf,
} from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import type { Outbox } from "./outbox.ts";
import { OwnShares } from "./own-shares.ts";
import type { PeerShares } from "./peer-shares.ts";
import { SameFiles } from "./same-files.ts";
import type { Trust } from "./trust.ts";
import { describeWireError, errorAnswer } from "./wire-error.ts";

/** The most unanswered offers of one client. */
const openOffersMax = 200;
/** The states of an offer that is unanswered or queued. */
const undecided: readonly OfferState[] = ["offered", "opening", "queued"];
/** Messages received about one file, from one client and in all: those of a file are in memory together. */
const offersOfFileMax = { client: 16, together: 256 } as const;
/** Bytes of manifests in offers that are read from one unverified client: reading 86 KB can take 40 ms. */
const manifestRate = { burst: 512 * 1024, perSecond: (512 * 1024) / 60 } as const;
/** Messages of a client that wait for storage. */
const waitingMax = 1_000;
/** The most bytes one client may have accepted automatically per day. */
const unaskedBytesPerDay = 10 * 1024 ** 3;
/** Messages whose `id` is that of a message: an answer to it, or the message again. */
const namesMessage: ReadonlySet<PeerMessageType> = new Set([
  "send-file",
  "check-message",
  "error",
  "same-file",
]);
const dayMs = 24 * 60 * 60 * 1_000;
/** The shortest interval between a client's automatic clipboard writes. */
const clipboardWriteEveryMs = 1_000;

type Handlers = {
  readonly [T in PeerMessageType]: (from: ClientId, message: PeerMessageOf<T>) => void | Promise<void>;
};

interface IncomingDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly outbox: Outbox;
  readonly files: FileOffers;
  readonly peerShares: PeerShares;
  readonly trust: Trust;
  readonly cleanPicture: CleanPicture;
  readonly library: FileLibrary;
  readonly clock: Clock;
  readonly log: Log;
  readonly options: () => Pick<Options, "maxFileSize" | "enableClipboard">;
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
  readonly events: Emitter<ChatEvents>;
}

/**
 * Handles the messages of peers, one handler per message type; a missing one does not compile. Types that a session or the call
 * handles have an empty one.
 */
export class IncomingMessages {
  readonly #deps: IncomingDeps;
  readonly #handlers: Handlers;
  readonly #sameFiles: SameFiles;
  /** Offers being read and stored. */
  readonly #arrivingOffers = new Set<MessageKey>();
  /** Messages waiting for their subject to load. */
  readonly #loading = new Map<ClientId, Promise<void>>();
  readonly #waiting = new Map<ClientId, number>();
  readonly #clipboardWrittenAt = new Map<ClientId, number>();
  readonly #manifestBudgets = new Map<ClientId, TokenBucket>();
  /** When offers of the last day arrived, by elapsed time: the time of day may be changed meanwhile. */
  readonly #offeredAt = new Map<MessageKey, number>();

  constructor(deps: IncomingDeps) {
    this.#deps = deps;
    const { outbox, files, peerShares } = deps;
    const answer = (to: ClientId, message: OutgoingMessage) => this.#answer(to, message);
    const shares = new OwnShares({ ...deps, answer });
    this.#sameFiles = new SameFiles({ ...deps, answer });
    this.#handlers = {
      "send-text": (from, m) => this.#onText(from, m),
      "send-file": (from, m) => this.#onOffer(from, m),
      "send-clipboard": (from, m) => this.#onClipboard(from, m),
      "check-message": (from, m) => this.#onCheck(from, m),
      error: async (from, m) => {
        const error = describeWireError(m);
        const message = outbox.fail(messageKeyOf(deps.selfId, m.id), from, error);
        if (!message && peerShares.failed(from, m.id, error)) return;
        if (!message) await files.failedBy(messageKeyOf(from, m.id), from, error);
        else if (message.type === "file") await files.failedBy(message.key, from, error);
      },
      "request-file": (from, m) => shares.serve(from, m),
      "resume-file": (from, m) => files.resumedBy(from, m.fid),
      "pause-file": (from, m) => files.pausedBy(from, m.fid, m.reason),
      "cancel-file": (from, m) => files.cancelledBy(from, m.fid),
      "same-file": (from, m) => this.#sameFiles.receive(from, m),
      "request-storage": (from, m) => shares.list(from, m),
      storage: (from, m) => peerShares.receive(from, m),
      // Handled in connection/peer-session.ts, which passes only `profile` on; warren.ts remembers it.
      bind: () => {},
      end: () => {},
      "media-refused": () => {},
      profile: () => {},
      "lane-signal": () => {},
      "lane-close": () => {},
      // Handled in call/room-call.ts.
      "media-sources": () => {},
      "view-sizes": () => {},
    };
  }

  /** Handles one message. Failures are answered with an error and never end the session. */
  async handle(from: ClientId, message: PeerMessage): Promise<void> {
    try {
      const loading = this.#loadSubject(from, message);
      if (loading !== null) await loading;
      // A person may have blocked the client while it waited.
      if (!this.#deps.trust.isBlocked(from)) await this.#dispatch(from, message);
    } catch (thrown) {
      const error = toWarrenError(thrown);
      this.#deps.log.debug("a message failed", { type: message.type, code: error.code });
      // Answering an answer could loop forever.
      if (message.type !== "error" && message.type !== "check-message")
        this.#answer(from, errorAnswer(message.id, error));
    }
  }

  /**
   * Loads the messages that one from a client is about, so that handlers find them in memory; those that come after it
   * wait as well. Null if nothing has to be loaded.
   */
  #loadSubject(from: ClientId, message: PeerMessage): Promise<void> | null {
    const { messages, selfId } = this.#deps;
    const fids = "fid" in message ? [message.fid] : [];
    const keys = namesMessage.has(message.type)
      ? [messageKeyOf(selfId, message.id), messageKeyOf(from, message.id)]
      : [];
    const before = this.#loading.get(from);
    const waiting = this.#waiting.get(from) ?? 0;
    if (waiting >= waitingMax) throw new WarrenError("rate-limited");
    if (before === undefined && messages.hasFiles(fids, keys)) return null;
    const load = async () => {
      await messages.loadAbout(fids);
      await messages.loadFiles(keys);
    };
    const loading = (before ?? Promise.resolve()).catch(() => {}).then(load);
    this.#loading.set(from, loading);
    this.#waiting.set(from, waiting + 1);
    return loading.finally(() => {
      this.#waiting.set(from, (this.#waiting.get(from) ?? 0) - 1);
      if (this.#loading.get(from) !== loading) return;
      this.#loading.delete(from);
      this.#waiting.delete(from);
    });
  }

  #dispatch<T extends PeerMessageType>(from: ClientId, message: PeerMessageOf<T>): void | Promise<void> {
    const handler: (from: ClientId, message: PeerMessageOf<T>) => void | Promise<void> =
      this.#handlers[message.type as T];
    return handler(from, message);
  }

  async #onText(from: ClientId, wire: PeerMessageOf<"send-text">): Promise<void> {
    const message: ChatMessage = { ...this.#received(from, wire), type: "text", data: wire.data };
    await this.#deps.messages.add(message, { read: false });
    // Acknowledge only stored messages: if the page closes first, the sender sends it again.
    await this.#deps.messages.stored(message.key);
    this.#answer(from, { type: "check-message", id: wire.id });
  }

  async #onOffer(from: ClientId, wire: PeerMessageOf<"send-file">): Promise<void> {
    const { messages, library, files } = this.#deps;
    const head = this.#received(from, wire);
    const known = messages.find(head.key);
    if (known) {
      // The acknowledgement was lost, or the sender was reloaded.
      if (known.type === "file") await files.offeredBy(known);
      return;
    }
    const first = files.offerFrom(from, wire.fid);
    // Only a client that sent or received the file learns that we hold it; for others this is an ordinary offer.
    if (files.isParty(from, wire.fid) && library.isComplete(wire.fid))
      throw new WarrenError("cache-exists", { id: wire.fid });
    const received = messages.files(wire.fid).filter(({ client }) => client !== this.#deps.selfId);
    const isRepeated = received.filter(({ client }) => client === from).length >= offersOfFileMax.client;
    if (isRepeated || received.length >= offersOfFileMax.together) throw new WarrenError("rate-limited");
    if (this.#openOffersOf(from) >= openOffersMax) throw new WarrenError("rate-limited");
    this.#arrivingOffers.add(head.key);
    const message = await this.#storeOffer(from, wire, head, first).finally(() =>
      this.#arrivingOffers.delete(head.key),
    );
    // Another message with its id was faster.
    if (message === null) return;
    this.#offeredAt.set(message.key, this.#deps.clock.elapsedMs());
    const { fid } = wire;
    const { file } = message;
    const state = message.transfers[from];
    await messages.stored(message.key);
    files.noteOfferedAgain(from, fid);
    // After the offer: redrawing is asynchronous and the offer may be withdrawn meanwhile.
    if (wire.thumbnail !== undefined) void this.#addThumbnail(message.key, wire.thumbnail);
    await files.offeredBy(message);
    if (state?.status !== "init") return;
    const alike = wire.sample && (await files.passedLike(from, file));
    if (wire.sample && alike) await this.#sameFiles.settle(message, alike, wire.sample);
    const isWithinLimit = contentSizeOf(file) <= this.#deps.options().maxFileSize;
    if (!isWithinLimit || !this.#deps.trust.acceptsFile(from, file) || !(await this.#isWithinDay(from)))
      return;
    const now = files.find(message.key);
    if (now !== null && files.stateOf(now, from) === "offered") await files.accept(message.key);
  }

  /** Null if its id is known. @throws WarrenError `tree-invalid`, and as {@link MessageLog.add}. */
  async #storeOffer(
    from: ClientId,
    wire: PeerMessageOf<"send-file">,
    head: Omit<FileMessage, "type" | "file" | "transfers">,
    first: FileMessage | null,
  ): Promise<FileMessage | null> {
    const { fid, fileName, originalName, fileSize, mimeType, lastModified, chunkSize, tree, manifest } = wire;
    const isOriginal = originalName !== undefined && isOriginalOf(fileName, originalName);
    const named = isOriginal ? { fileName, originalName } : { fileName };
    const file = { fid, ...named, fileSize, mimeType, lastModified, chunkSize, ...(tree && { tree }) };
    const isRead = tree && manifest !== undefined && this.#mayReadManifest(from, manifest);
    const listed = isRead ? { manifest } : {};
    if (isRead) await readManifest(manifest, file);
    // The same file offered again while it is on its way: one transfer, shown by both messages.
    const joined = first && sameLayout(first.file, file) && isOpen(this.#deps.files.stateOf(first, from));
    const state = (joined && first.transfers[from]) || { status: "init" as const };
    const transfers = { [from]: state };
    const message: FileMessage = { ...head, type: "file", file, ...listed, transfers };
    return (await this.#deps.messages.add(message, { read: false })) ? message : null;
  }

  /** Whether the manifest of an offer is within its sender's budget. Without it, the list comes with the tree's bytes. */
  #mayReadManifest(from: ClientId, manifest: string): boolean {
    if (this.#deps.messages.contacts.get(from)?.trustLevel === "verified") return true;
    for (const [client, budget] of this.#manifestBudgets)
      if (budget.isFull) this.#manifestBudgets.delete(client);
    const budget = this.#manifestBudgets.get(from) ?? new TokenBucket(manifestRate, this.#deps.clock);
    this.#manifestBudgets.set(from, budget);
    return budget.take(utf8Length(manifest));
  }

  /** Adds the thumbnail of an offer after redrawing it here; one that cannot be redrawn is left out. */
  async #addThumbnail(key: MessageKey, sent: string): Promise<void> {
    const redrawn = await this.#deps.cleanPicture(sent, "thumbnail").catch(() => null);
    if (redrawn !== null) this.#deps.messages.addThumbnail(key, redrawn);
  }

  #onClipboard(from: ClientId, wire: PeerMessageOf<"send-clipboard">): void {
    if (this.#deps.options().enableClipboard) {
      this.#deps.messages.contacts.addClipboardText(from, wire.data);
      this.#deps.events.emit("clipboard", from, wire.data, this.#mayWriteClipboard(from));
    }
    this.#answer(from, { type: "check-message", id: wire.id });
  }

  /** A text within the interval is shown but does not replace the clipboard's content. */
  #mayWriteClipboard(from: ClientId): boolean {
    if (!this.#deps.trust.allows(from, "write-clipboard")) return false;
    const now = this.#deps.clock.elapsedMs();
    if (now - (this.#clipboardWrittenAt.get(from) ?? Number.NEGATIVE_INFINITY) < clipboardWriteEveryMs)
      return false;
    this.#clipboardWrittenAt.set(from, now);
    return true;
  }

  /** Whether a client's offers of the last day, including the current one, are within the automatic limit. */
  async #isWithinDay(from: ClientId): Promise<boolean> {
    const { clock, files, messages } = this.#deps;
    const now = clock.now();
    const elapsedMs = clock.elapsedMs();
    for (const [key, at] of this.#offeredAt) if (elapsedMs - at >= dayMs) this.#offeredAt.delete(key);
    for (const conversation of [from, everyone] as const)
      await messages.loadFilesSince(conversation, now - dayMs);
    // One from before a reload that seems to lie in the future arrived under a clock that was wrong.
    const isOfLastDay = ({ key, sortedAt }: FileMessage) =>
      this.#offeredAt.has(key) || (sortedAt > now - dayMs && sortedAt <= now);
    const offered = files
      .all()
      .filter((message) => message.client === from && isOfLastDay(message))
      .filter((message) => !isTurnedDown(files.stateOf(message, from)))
      .reduce((sum, { file }) => sum + contentSizeOf(file), 0);
    return offered <= unaskedBytesPerDay;
  }

  #openOffersOf(from: ClientId): number {
    let count = [...this.#arrivingOffers].filter((key) => key.startsWith(`${from}/`)).length;
    for (const message of this.#deps.files.all())
      if (message.client === from && undecided.includes(this.#deps.files.stateOf(message, from))) count++;
    return count;
  }

  async #onCheck(from: ClientId, wire: PeerMessageOf<"check-message">): Promise<void> {
    const message = this.#deps.outbox.acknowledge(messageKeyOf(this.#deps.selfId, wire.id), from);
    if (!message) {
      const error = new WarrenError("check-message-not-found", { id: wire.id });
      this.#deps.log.debug(error.message);
      if (wire.pending) this.#answer(from, errorAnswer(wire.id, error));
      return;
    }
    if (message.type === "file") await this.#deps.files.acknowledged(from, message, wire);
  }

  #received(from: ClientId, wire: PeerMessageOf<"send-text" | "send-file">) {
    const now = this.#deps.clock.now();
    const conversation: ConversationId = wire.scope === "room" ? everyone : from;
    return {
      key: messageKeyOf(from, wire.id),
      id: wire.id,
      conversation,
      client: from,
      // A sender's clock that runs ahead must not show a time in the future.
      createdAt: Math.min(wire.createdAt, now),
      sortedAt: this.#deps.messages.nextSortedAt(),
      deliveries: {},
    };
  }

  /** Ignores a failure to answer a client that has just disconnected: it will ask again. */
  #answer(to: ClientId, message: OutgoingMessage): void {
    try {
      this.#deps.send(to, message);
    } catch (error) {
      this.#deps.log.debug("an answer was not sent", { code: toWarrenError(error).code });
    }
  }
}
