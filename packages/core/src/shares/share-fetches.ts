import {
  type ClientId,
  contentSizeOf,
  type FileDescription,
  type FileId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import { type FileMessage, messageKeyOf } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { FileOffers } from "../offers/file-offers.ts";
import type { Offers } from "../offers/offers.ts";
import type { OfferOptions } from "../offers/own-files.ts";
import type { Clock } from "../ports/clock.ts";
import type { Options } from "../settings/options.ts";
import { randomUuid } from "../shared/ids.ts";
import type { WritableStore } from "../shared/store.ts";
import { isLive } from "../transfer/offer-state.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { transferKeyOf } from "../transfer/transfer-state.ts";
import { changeListing, type SharedListing, type SharedListings, unasked } from "./shared-listing.ts";

/** How many files are fetched from one client at once: enough for small ones to fill the link. */
const runningMax = 3;

interface ShareFetchesDeps {
  readonly listings: WritableStore<SharedListings>;
  readonly messages: Pick<MessageLog, "loadAbout" | "nextSortedAt" | "add">;
  readonly offers: Pick<Offers, "last">;
  readonly fileOffers: Pick<FileOffers, "decide">;
  readonly library: Pick<FileLibrary, "isComplete">;
  readonly transfers: Pick<TransferService, "on" | "store">;
  readonly clock: Pick<Clock, "now">;
  readonly options: () => Pick<Options, "maxFileSize">;
  readonly isReady: (peer: ClientId) => boolean;
}

/**
 * Fetches files that other clients share, a few at a time. What waits stands in the listing of its client and nowhere else;
 * what is fetched is a message of that client, so that it resumes like any file and shows its errors.
 */
export class ShareFetches {
  readonly #deps: ShareFetchesDeps;
  readonly #running = new Map<ClientId, Set<FileId>>();
  readonly #wantedOverLimit = new Set<FileId>();
  readonly #stopListening: () => void;

  constructor(deps: ShareFetchesDeps) {
    this.#deps = deps;
    this.#stopListening = deps.transfers.on("state", ({ peerId, fid }, now) => {
      if (!isLive(now)) this.#ended(peerId, fid);
    });
  }

  /**
   * Fetches files or their missing parts; those that wait or are being fetched keep their position. A file over the option
   * `maxFileSize` is refused unless `overLimit` is set.
   */
  fetch(peer: ClientId, files: readonly FileDescription[], { overLimit = false }: OfferOptions = {}): void {
    const wanted = new Map(files.map((file) => [file.fid, file]));
    if (overLimit) for (const fid of wanted.keys()) this.#wantedOverLimit.add(fid);
    const { refused, waiting } = this.#listingOf(peer);
    const known = new Set([...waiting.map(({ fid }) => fid), ...(this.#running.get(peer) ?? [])]);
    this.#change(peer, {
      refused: new Map([...refused].filter(([fid]) => !wanted.has(fid))),
      waiting: [...waiting, ...[...wanted.values()].filter(({ fid }) => !known.has(fid))],
    });
    this.advance(peer);
  }

  /** Cancels fetching a file, or sending it. */
  stop(peer: ClientId, fid: FileId): void {
    const { offers, fileOffers } = this.#deps;
    const { waiting } = this.#listingOf(peer);
    const others = waiting.filter((file) => file.fid !== fid);
    const wasWaiting = others.length < waiting.length;
    if (wasWaiting) this.#change(peer, { waiting: others });
    const offer = wasWaiting ? null : offers.last(peer, fid);
    if (offer) void fileOffers.decide("cancel", offer.message.key, peer);
  }

  /** Starts what waits, up to the limit, if files can be fetched from a client now. */
  advance(peer: ClientId): void {
    const running = this.#running.get(peer) ?? new Set();
    const { waiting } = this.#listingOf(peer);
    if (!this.#deps.isReady(peer) || waiting.length === 0) return;
    const next = waiting.slice(0, runningMax - running.size);
    if (next.length === 0) return;
    this.#running.set(peer, running);
    this.#change(peer, { waiting: waiting.slice(next.length) });
    for (const { fid } of next) running.add(fid);
    for (const file of next)
      void this.#start(peer, file).then((isStarted) => isStarted || this.#ended(peer, file.fid));
  }

  close(): void {
    this.#stopListening();
  }

  /** A file is no longer being fetched, for any reason. */
  #ended(peer: ClientId, fid: FileId): void {
    if (this.#running.get(peer)?.delete(fid)) this.advance(peer);
  }

  /** @returns whether the file is on its way. */
  async #start(peer: ClientId, file: FileDescription): Promise<boolean> {
    const { fid } = file;
    try {
      await this.#request(peer, file);
      // As published: the end of one that another request still prepares may not be reported.
      const now = this.#deps.transfers.store.getState().get(transferKeyOf(peer, fid))?.now;
      return now?.state === "opening" || now?.state === "running";
    } catch (thrown) {
      const error = toWarrenError(thrown).describe();
      this.#change(peer, { refused: new Map(this.#listingOf(peer).refused).set(fid, error) });
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
      offers: { [peer]: { state: "accepted" } },
    };
  }

  #listingOf(peer: ClientId): SharedListing {
    return this.#deps.listings.getState().get(peer) ?? unasked;
  }

  #change(peer: ClientId, change: Partial<SharedListing>): void {
    changeListing(this.#deps.listings, peer, change);
  }
}
