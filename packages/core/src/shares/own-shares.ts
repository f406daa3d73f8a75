import {
  type ClientId,
  type FileDescription,
  type FileId,
  limits,
  type PeerMessageOf,
  TokenBuckets,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { StoredFile } from "../files/stored-file.ts";
import { everyone, type FileMessage, messageKeyOf } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Trust } from "../messages/trust.ts";
import { errorAnswer } from "../messages/wire-error.ts";
import type { FileOffers } from "../offers/file-offers.ts";
import { fileProofOf } from "../offers/file-proof.ts";
import type { Offers } from "../offers/offers.ts";
import type { PassedFiles } from "../offers/passed-files.ts";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";

/** A generous bound for the size of a `storage` message without its list. */
const storageEnvelopeBytes = 1_024;
/** The shortest interval between lists to one client: making a list costs more than requesting it. */
const listEveryMs = 250;
/** How often a client may ask for files that others offered to everyone. */
const findRate = { burst: 60, perSecond: 2 } as const;

interface OwnSharesDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly offers: Offers;
  readonly passed: PassedFiles;
  readonly fileOffers: FileOffers;
  readonly library: FileLibrary;
  readonly trust: Pick<Trust, "allows">;
  /** Whether a client belongs to the room we are in and reads its log. */
  readonly isMember: (peer: ClientId) => boolean;
  /** Whether nothing is taken from a client, or passed on. */
  readonly isBarred: (client: ClientId) => boolean;
  readonly clock: Clock;
  readonly answer: (to: ClientId, message: OutgoingMessage) => void;
  /** Resolves once a message, which may be large, has left; rejects if the client has just disconnected. */
  readonly sendInTurn: (to: ClientId, message: OutgoingMessage) => Promise<void>;
}

/**
 * Which of our files a client may list and request: files that passed between us or that we offered to it, and files
 * marked as shared with the room, or all files if the person shares them with the room. Who names the offer of a file to everyone
 * may request that one as well.
 */
export class OwnShares {
  readonly #deps: OwnSharesDeps;
  readonly #listedAt = new Map<ClientId, number>();
  /** Clients to which a list is on its way. */
  readonly #listing = new Set<ClientId>();
  #loading: Promise<void> | null = null;
  readonly #finds: TokenBuckets;

  constructor(deps: OwnSharesDeps) {
    this.#deps = deps;
    this.#finds = new TokenBuckets(deps.clock);
  }

  /** Answers with one page of the shared files. @throws WarrenError `rate-limited`. */
  async list(from: ClientId, { id, after }: PeerMessageOf<"request-storage">): Promise<void> {
    const now = this.#deps.clock.elapsedMs();
    const isEarly = now - (this.#listedAt.get(from) ?? Number.NEGATIVE_INFINITY) < listEveryMs;
    if (isEarly || this.#listing.has(from)) throw new WarrenError("rate-limited");
    this.#listedAt.set(from, now);
    this.#listing.add(from);
    try {
      await this.#loadPassed();
      await this.#deps.sendInTurn(from, { type: "storage", id, ...this.#pageFor(from, after) });
    } finally {
      this.#listing.delete(from);
    }
  }

  /** Says that we give a file that somebody else offered to everyone. @throws WarrenError `cache-not-found`, `rate-limited`. */
  find(from: ClientId, { id, original, proof }: PeerMessageOf<"find-file">): void {
    const { selfId, offers, answer } = this.#deps;
    if (!this.#finds.of(from, findRate).take(1)) throw new WarrenError("rate-limited");
    const { fid } = offers.find(messageKeyOf(original.client, original.id))?.file ?? {};
    const isKnown = fid !== undefined && proof === fileProofOf(fid, original, { asker: from, asked: selfId });
    if (!isKnown || this.#givenTo(from, { fid, original }) === undefined)
      throw new WarrenError("cache-not-found", { id: original.id });
    answer(from, { type: "check-message", id, fid });
  }

  /**
   * Sends a shared file. If we never offered it, the request becomes our message about it, so that the transfer is
   * visible and can resume later.
   * @throws WarrenError `cache-not-found`, `cache-not-complete`, or `cache-info-not-found` if it passed between us and
   * was deleted here.
   */
  async serve(from: ClientId, wire: PeerMessageOf<"request-file">): Promise<void> {
    const { id, fid, original } = wire;
    const { offers, fileOffers, library, messages, selfId, clock, answer } = this.#deps;
    const given = this.#givenTo(from, wire);
    const file = given ?? this.#sharedWith(from).get(fid);
    const last = offers.to(from, fid);
    const isWithdrawn = last?.state === "withdrawn";
    if (!file && isWithdrawn) {
      // A person here withdrew it, and only a person offers it again.
      fileOffers.updateCancelled([last.message], from, { askedAgain: true });
      answer(from, errorAnswer(id, new WarrenError("transfer-cancelled", { by: "sender", askedAgain: 1 })));
      return;
    }
    // The same answer for "not shared" and "not here": which other files we hold is private.
    if (!file) throw new WarrenError("cache-not-found", { id: fid });
    if (!library.isComplete(fid)) {
      const isKnown = library.store.getState().has(fid);
      throw new WarrenError(isKnown ? "cache-not-complete" : "cache-info-not-found", { id: fid });
    }
    let message = isWithdrawn ? undefined : last?.message;
    if (!message) {
      const now = clock.now();
      message = {
        key: messageKeyOf(selfId, id),
        id,
        conversation: from,
        client: selfId,
        createdAt: now,
        sortedAt: messages.nextSortedAt(),
        countedFor: from,
        deliveries: { [from]: { status: "received" } },
        type: "file",
        file,
        ...(given && original && { original: messageKeyOf(original.client, original.id) }),
        offers: { [from]: { state: "offered" } },
      } satisfies FileMessage;
      // The requester chose the id: it must not collide with another message of ours.
      if (!(await messages.add(message, { read: true })))
        throw new WarrenError("cache-not-found", { id: fid });
    }
    await fileOffers.receive(wire, offers.of(message, from));
  }

  /** Loads the messages about the files held here, once: later ones are in memory when a file becomes complete. */
  async #loadPassed(): Promise<void> {
    const { library, messages } = this.#deps;
    const held = () => [...library.store.getState().keys()].filter((fid) => library.isComplete(fid));
    this.#loading ??= messages.loadAbout(held());
    try {
      await this.#loading;
    } catch (error) {
      this.#loading = null;
      throw error;
    }
  }

  #sharedWith(peer: ClientId): ReadonlyMap<FileId, FileDescription> {
    const { library, passed, trust } = this.#deps;
    const all = trust.allows(peer, "share-all-files");
    const marked = trust.allows(peer, "share-marked-files");
    const shared = new Map<FileId, FileDescription>();
    for (const file of [...library.store.getState().values()])
      if (all || (marked && file.shared) || this.#passedTo(peer, file))
        shared.set(file.description.fid, file.description);
    for (const file of passed.between(peer)) {
      // Delete first, so that the latest version comes last.
      shared.delete(file.fid);
      shared.set(file.fid, file);
    }
    return shared;
  }

  /**
   * A file that somebody offered to everyone and that we have whole. Only who has the signed entry can name both, and what we did not
   * get by it may be another file, so that nobody probes for what is here by inventing an entry.
   */
  #givenTo(
    peer: ClientId,
    { fid, original }: Pick<PeerMessageOf<"request-file">, "fid" | "original">,
  ): FileDescription | undefined {
    const { offers, library, trust, isMember, isBarred } = this.#deps;
    if (original === undefined || !isMember(peer) || !trust.allows(peer, "pass-on-files")) return undefined;
    const message = offers.find(messageKeyOf(original.client, original.id));
    if (message?.file.fid !== fid || message.conversation !== everyone || message.entry === undefined)
      return undefined;
    const isGot = message.offers[message.client]?.state === "complete" && !isBarred(message.client);
    const isWhole = library.isComplete(fid) && library.sourceOf(fid)?.root === message.root;
    const isStopped = offers.to(peer, fid)?.state === "withdrawn";
    return isGot && isWhole && !isStopped ? message.file : undefined;
  }

  /** A file sent to a client may be requested by it again, unless it was withdrawn on the way. */
  #passedTo(peer: ClientId, { peers, description: { fid } }: StoredFile): boolean {
    return peers.includes(peer) && this.#deps.offers.to(peer, fid)?.state !== "withdrawn";
  }

  /**
   * The shared and complete files, latest first: as many as fit into one frame, starting after the file `after`. If
   * that file is gone in the meantime, starts over; the requester knows each file by its id.
   */
  #pageFor(
    peer: ClientId,
    after: FileId | undefined,
  ): Pick<PeerMessageOf<"storage">, "data" | "total" | "more"> {
    const all = [...this.#sharedWith(peer).values()]
      .filter(({ fid }) => this.#deps.library.isComplete(fid))
      .reverse();
    const start = all.findIndex(({ fid }) => fid === after) + 1;
    let roomBytes = limits.peerFrameBytes - storageEnvelopeBytes;
    const data: FileDescription[] = [];
    for (const file of all.slice(start, start + limits.storageEntries)) {
      roomBytes -= utf8Length(JSON.stringify(file)) + 1;
      if (roomBytes < 0) break;
      data.push(file);
    }
    const isLast = data.length === 0 || start + data.length === all.length;
    return { data, total: all.length, ...(!isLast && { more: true }) };
  }
}
