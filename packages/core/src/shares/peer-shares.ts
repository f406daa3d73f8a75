import {
  type ClientId,
  contentSizeOf,
  type ErrorDescription,
  type FileDescription,
  type FileId,
  type MessageId,
  type PeerMessageOf,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import { type FileMessage, messageKeyOf } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { FileOffers } from "../offers/file-offers.ts";
import type { Offers } from "../offers/offers.ts";
import type { OfferOptions } from "../offers/own-files.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import type { Options } from "../settings/options.ts";
import { randomUuid } from "../shared/ids.ts";
import type { WritableStore } from "../shared/store.ts";
import { isLive, type TransferState } from "../transfer/offer-state.ts";
import type { TransferRef, TransferService } from "../transfer/transfer-service.ts";
import { transferKeyOf } from "../transfer/transfer-state.ts";
import { FetchQueue } from "./fetch-queue.ts";
import { type SharedListing, type SharedListings, unasked } from "./shared-listing.ts";

/** How long a client may take to answer a list request: a page of a list may wait behind a large text. */
const answerTimeoutMs = 15_000;

/** The delay before the next page of a list is requested: the other side limits the rate. */
const nextPageMs = 300;
/** The most files held of one client, regardless of the total it reports. */
const knownFilesMax = 20_000;

interface PeerSharesDeps {
  readonly listings: WritableStore<SharedListings>;
  readonly messages: MessageLog;
  readonly offers: Offers;
  readonly fileOffers: FileOffers;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly clock: Clock;
  readonly options: () => Pick<Options, "maxFileSize">;
  /** @throws WarrenError when there is no open channel to `to`. */
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
  readonly isReady: (peer: ClientId) => boolean;
}

interface Asked {
  /** The id of the last page request. */
  readonly id: MessageId;
  /** Cancels its timeout. */
  readonly cancel: CancelTimer;
  /** The files of earlier pages. */
  readonly files: ReadonlyMap<FileId, FileDescription>;
}

/** Requests and fetches the files that other clients share with us. */
export class PeerShares {
  readonly #store: WritableStore<SharedListings>;
  readonly #deps: PeerSharesDeps;
  /** The pending request to each client. */
  readonly #asked = new Map<ClientId, Asked>();
  readonly #wantedOverLimit = new Set<FileId>();
  readonly #queue: FetchQueue;
  readonly #stopListening: () => void;

  constructor(deps: PeerSharesDeps) {
    this.#deps = deps;
    this.#store = deps.listings;
    this.#queue = new FetchQueue({ isReady: deps.isReady, start: (peer, file) => this.#start(peer, file) });
    this.#queue.on("waiting", (peer, waiting) => this.#change(peer, { waiting }));
    this.#stopListening = deps.transfers.on("state", (transfer, state) => this.#onState(transfer, state));
  }

  /** Asks a client which files it shares with us; the answer, or the error, is put into the store. */
  ask(peer: ClientId): void {
    if (this.#asked.has(peer)) return;
    this.#change(peer, { request: { status: "asking" } });
    this.#askForPage(peer, new Map());
  }

  /** Requests the page after `files`, which are here already. */
  #askForPage(peer: ClientId, files: ReadonlyMap<FileId, FileDescription>): void {
    const id = randomUuid();
    const cancel = this.#deps.clock.after(answerTimeoutMs, () => this.failed(peer, id, "send-timeout"));
    this.#asked.set(peer, { id, cancel, files });
    const after = [...files.keys()].at(-1);
    try {
      this.#deps.send(peer, { type: "request-storage", id, ...(after && { after }) });
    } catch {
      this.failed(peer, id, "peer-offline");
    }
  }

  /** A page of a list arrived. Unrequested pages are ignored. */
  receive(from: ClientId, { id, data, total = 0, more }: PeerMessageOf<"storage">): void {
    const before = this.#asked.get(from)?.files;
    if (!this.#settle(from, id) || !before) return;
    const known = new Map([...before, ...data.map((file) => [file.fid, file] as const)]);
    const files = [...known.values()];
    const goesOn = more === true && known.size > before.size && known.size < knownFilesMax;
    const isRefreshed = (this.#store.getState().get(from)?.answeredAt ?? null) !== null;
    const news = { files, total: Math.max(total, files.length) };
    if (!goesOn) {
      this.#change(from, { ...news, request: { status: "answered" }, answeredAt: this.#deps.clock.now() });
      return;
    }
    // A list that is being refreshed is shown unchanged until all of the new one is here.
    if (!isRefreshed) this.#change(from, news);
    const wait = randomUuid();
    const cancel = this.#deps.clock.after(nextPageMs, () => this.#askForPage(from, known));
    this.#asked.set(from, { id: wait, cancel, files: known });
  }

  /** A list request failed. @returns whether it was one of ours. */
  failed(peer: ClientId, id: MessageId, error: "send-timeout" | "peer-offline" | ErrorDescription): boolean {
    if (!this.#settle(peer, id)) return false;
    const description = typeof error === "string" ? new WarrenError(error).describe() : error;
    this.#change(peer, { request: { status: "failed", error: description } });
    return true;
  }

  peerReady(peer: ClientId): void {
    this.#queue.advance(peer);
  }

  peerLost(peer: ClientId): void {
    const asked = this.#asked.get(peer);
    if (asked) this.failed(peer, asked.id, "peer-offline");
  }

  /**
   * Fetches files a client shares, or their missing parts, a few at a time. Each becomes a message of that client when
   * it is started, so that it resumes like any file and its errors are shown by that message. A file over the option
   * `maxFileSize` is refused unless `overLimit` is set.
   */
  fetch(peer: ClientId, files: readonly FileDescription[], { overLimit = false }: OfferOptions = {}): void {
    const { refused, waiting } = this.#store.getState().get(peer) ?? unasked;
    const wanted = new Set(files.map(({ fid }) => fid));
    if (overLimit) for (const fid of wanted) this.#wantedOverLimit.add(fid);
    const others = [...refused].filter(([fid]) => !wanted.has(fid));
    this.#change(peer, {
      refused: new Map(others),
      waiting: [...new Set([...waiting, ...wanted])],
    });
    this.#queue.add(peer, files);
  }

  /** Cancels fetching a file, or sending it. */
  stop(peer: ClientId, fid: FileId): void {
    const { offers, fileOffers } = this.#deps;
    const wasWaiting = this.#isWaiting(peer, fid);
    this.#queue.remove(peer, fid);
    this.#leaveWaiting(peer, fid);
    const offer = wasWaiting ? null : offers.last(peer, fid);
    if (offer) void fileOffers.decide("cancel", offer.message.key, peer);
  }

  /** @returns whether the file is on its way. */
  async #start(peer: ClientId, file: FileDescription): Promise<boolean> {
    const { fid } = file;
    try {
      await this.#request(peer, file);
      // As published: the end of one that another request still prepares may not be reported.
      const now = this.#deps.transfers.store.getState().get(transferKeyOf(peer, fid))?.state;
      return now?.state === "opening" || now?.state === "running";
    } catch (thrown) {
      this.#refuse(peer, fid, toWarrenError(thrown));
      return false;
    }
  }

  async #request(peer: ClientId, file: FileDescription): Promise<void> {
    const { options, library, offers, fileOffers, messages } = this.#deps;
    const { maxFileSize } = options();
    const sizeBytes = contentSizeOf(file);
    if (sizeBytes > maxFileSize && !this.#wantedOverLimit.has(file.fid))
      throw new WarrenError("file-too-large", { sizeBytes, limitBytes: maxFileSize });
    if (library.isComplete(file.fid)) return;
    await messages.loadAbout([file.fid]);
    const last = offers.last(peer, file.fid);
    if (last?.side === "receiver") {
      if (last.state === "running") return;
      const { key } = last.message;
      if (last.state === "offered") return fileOffers.decide("accept", key);
      if (last.state !== "complete") return fileOffers.decide("request", key);
    }
    const message = this.#messageOf(peer, file);
    await messages.add(message, { read: true });
    await fileOffers.decide("request", message.key);
  }

  #messageOf(peer: ClientId, file: FileDescription): FileMessage {
    const { messages, clock } = this.#deps;
    const id = randomUuid();
    return {
      key: messageKeyOf(peer, id),
      id,
      conversation: peer,
      client: peer,
      createdAt: clock.now(),
      sortedAt: messages.nextSortedAt(),
      deliveries: {},
      type: "file",
      file,
      offers: { [peer]: { state: "absent" } },
    };
  }

  #refuse(peer: ClientId, fid: FileId, error: WarrenError): void {
    this.#leaveWaiting(peer, fid);
    const { refused } = this.#store.getState().get(peer) ?? unasked;
    this.#change(peer, { refused: new Map(refused).set(fid, error.describe()) });
  }

  #isWaiting(peer: ClientId, fid: FileId): boolean {
    return this.#store.getState().get(peer)?.waiting.includes(fid) === true;
  }

  #leaveWaiting(peer: ClientId, fid: FileId): void {
    const { waiting } = this.#store.getState().get(peer) ?? unasked;
    if (waiting.includes(fid)) this.#change(peer, { waiting: waiting.filter((other) => other !== fid) });
  }

  close(): void {
    this.#stopListening();
    for (const { cancel } of this.#asked.values()) cancel();
    this.#asked.clear();
  }

  #onState({ peerId, fid }: TransferRef, now: TransferState): void {
    if (!isLive(now)) this.#queue.ended(peerId, fid);
    if (now.state !== "complete") return;
    // A file we have sent belongs to their list too.
    const file = this.#deps.library.store.getState().get(fid)?.description;
    const listed = this.#store.getState().get(peerId)?.files;
    if (!file || !listed || listed.some((other) => other.fid === fid)) return;
    this.#change(peerId, { files: [...listed, file] });
  }

  #settle(peer: ClientId, id: MessageId): boolean {
    const asked = this.#asked.get(peer);
    if (asked?.id !== id) return false;
    asked.cancel();
    this.#asked.delete(peer);
    return true;
  }

  #change(peer: ClientId, change: Partial<SharedListing>): void {
    this.#store.setState(
      (state) => new Map(state).set(peer, { ...unasked, ...state.get(peer), ...change }),
      true,
    );
  }
}
