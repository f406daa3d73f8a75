import {
  type ClientId,
  contentSizeOf,
  isOriginalOf,
  type PeerMessageOf,
  TokenBuckets,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import { sameLayout } from "../files/file-layout.ts";
import type { FileLibrary } from "../files/file-library.ts";
import { everyone, type FileMessage, type MessageHead, type MessageKey } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Trust } from "../messages/trust.ts";
import type { Clock } from "../ports/clock.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import type { Options } from "../settings/options.ts";
import { isOpen, isTurnedDown, type OfferState } from "../transfer/offer-state.ts";
import type { FileOffers } from "./file-offers.ts";
import type { FileOffer, Offers } from "./offers.ts";
import type { PassedFiles } from "./passed-files.ts";
import type { SameFiles } from "./same-files.ts";

/** The most unanswered offers of one client. */
const openOffersMax = 200;
/** The states of an offer that is unanswered or queued. */
const undecided: readonly OfferState[] = ["offered", "opening", "queued"];
/** Messages received about one file, from one client and in all: those of a file are in memory together. */
const offersOfFileMax = { client: 16, together: 256 } as const;
/** Bytes of manifests in offers that are read from one unverified client: reading 86 KB can take 40 ms. */
const manifestRate = { burst: 512 * 1024, perSecond: (512 * 1024) / 60 } as const;
/** The most bytes one client may have accepted automatically per day. */
const unaskedBytesPerDay = 10 * 1024 ** 3;
const dayMs = 24 * 60 * 60 * 1_000;

interface IncomingOffersDeps {
  readonly selfId: ClientId;
  readonly messages: MessageLog;
  readonly offers: Offers;
  readonly passed: PassedFiles;
  readonly fileOffers: FileOffers;
  readonly sameFiles: SameFiles;
  readonly library: FileLibrary;
  readonly trust: Trust;
  readonly cleanPicture: CleanPicture;
  readonly options: () => Pick<Options, "maxFileSize">;
  readonly clock: Clock;
}

/** Stores the offers of clients within their limits, and accepts those that need no person. */
export class IncomingOffers {
  readonly #deps: IncomingOffersDeps;
  /** Offers being read and stored. */
  readonly #arriving = new Set<MessageKey>();
  readonly #manifestBudgets: TokenBuckets;
  /** When offers of the last day arrived, by elapsed time: the time of day may be changed meanwhile. */
  readonly #offeredAt = new Map<MessageKey, number>();

  constructor(deps: IncomingOffersDeps) {
    this.#deps = deps;
    this.#manifestBudgets = new TokenBuckets(deps.clock);
  }

  /** @throws WarrenError `cache-exists`, `rate-limited`, `tree-invalid`, `tree-too-large`, and as {@link MessageLog.add}. */
  async receive(from: ClientId, wire: PeerMessageOf<"send-file">, head: MessageHead): Promise<void> {
    const { messages, library, offers, passed, fileOffers, sameFiles } = this.#deps;
    const known = messages.find(head.key);
    if (known) {
      // The acknowledgement was lost, or the sender was reloaded.
      if (known.type === "file") await fileOffers.receive(wire, offers.of(known, from));
      return;
    }
    const first = offers.from(from, wire.fid);
    // Only a client that sent or received the file learns that we hold it; for others this is an ordinary offer.
    if (passed.has(from, wire.fid) && library.isComplete(wire.fid))
      throw new WarrenError("cache-exists", { id: wire.fid });
    // Whoever accepts one would accept the other: they share the transfer.
    const isTaken = first !== null && (isOpen(first.state) || first.state === "failed");
    if (isTaken && !sameLayout(first.message.file, wire))
      throw new WarrenError("cache-exists", { id: wire.fid });
    const received = messages.files(wire.fid).filter(({ client }) => client !== this.#deps.selfId);
    const isRepeated = received.filter(({ client }) => client === from).length >= offersOfFileMax.client;
    if (isRepeated || received.length >= offersOfFileMax.together) throw new WarrenError("rate-limited");
    if (this.#openOffersOf(from) >= openOffersMax) throw new WarrenError("rate-limited");
    this.#arriving.add(head.key);
    const message = await this.#storeOffer(from, wire, head, first).finally(() =>
      this.#arriving.delete(head.key),
    );
    // Another message with its id was faster.
    if (message === null) return;
    this.#offeredAt.set(message.key, this.#deps.clock.elapsedMs());
    const { fid } = wire;
    const { file } = message;
    await messages.stored(message.key);
    fileOffers.updateCancelled(offers.between(from, fid), from, {
      askedAgain: undefined,
      offeredAgain: true,
    });
    // After the offer: redrawing is asynchronous and the offer may be withdrawn meanwhile.
    if (wire.thumbnail !== undefined) void this.#addThumbnail(message.key, wire.thumbnail);
    await fileOffers.receive(wire, offers.of(message, from));
    if (message.offers[from]?.state !== "offered") return;
    const alike = wire.sample && (await passed.like(from, file));
    if (wire.sample && alike) await sameFiles.settle(message, alike, wire.sample);
    const isWithinLimit = contentSizeOf(file) <= this.#deps.options().maxFileSize;
    if (!isWithinLimit || !this.#deps.trust.acceptsFile(from, file) || !(await this.#isWithinDay(from)))
      return;
    const [now] = offers.shownIn(message.key, from);
    if (now?.state === "offered") await fileOffers.decide("accept", message.key);
  }

  /** Null if its id is known. @throws WarrenError `tree-invalid`, `tree-too-large`, and as {@link MessageLog.add}. */
  async #storeOffer(
    from: ClientId,
    wire: PeerMessageOf<"send-file">,
    head: MessageHead,
    first: FileOffer | null,
  ): Promise<FileMessage | null> {
    const {
      fid,
      fileName,
      originalName,
      fileSize,
      mimeType,
      lastModified,
      chunkSize,
      tree,
      permissions,
      manifest,
      root,
    } = wire;
    const isOriginal = originalName !== undefined && isOriginalOf(fileName, originalName);
    const named = isOriginal ? { fileName, originalName } : { fileName };
    const optional = { ...(tree && { tree }), ...(permissions && { permissions }) };
    const file = { fid, ...named, fileSize, mimeType, lastModified, chunkSize, ...optional };
    const isRead = tree && manifest !== undefined && this.#mayReadManifest(from, manifest);
    const listed = isRead ? { manifest } : {};
    if (isRead) await this.#deps.library.readManifest(manifest, file);
    // The same file offered again while it is on its way: one transfer, shown by both messages.
    const isJoined = first && isOpen(first.state) && sameLayout(first.message.file, file);
    const offers = { [from]: isJoined ? first.stored : ({ state: "offered" } as const) };
    const message: FileMessage = { ...head, type: "file", file, ...listed, ...(root && { root }), offers };
    return (await this.#deps.messages.add(message, { read: false })) ? message : null;
  }

  /** Whether the manifest of an offer is within its sender's budget. Without it, the list comes with the tree's bytes. */
  #mayReadManifest(from: ClientId, manifest: string): boolean {
    if (this.#deps.messages.contacts.get(from)?.trustLevel === "verified") return true;
    return this.#manifestBudgets.of(from, manifestRate).take(utf8Length(manifest));
  }

  /** Adds the thumbnail of an offer after redrawing it here; one that cannot be redrawn is left out. */
  async #addThumbnail(key: MessageKey, sent: string): Promise<void> {
    const redrawn = await this.#deps.cleanPicture(sent, "thumbnail").catch(() => null);
    if (redrawn !== null) this.#deps.messages.addThumbnail(key, redrawn);
  }

  /** Whether a client's offers of the last day, including the current one, are within the automatic limit. */
  async #isWithinDay(from: ClientId): Promise<boolean> {
    const { clock, offers, messages } = this.#deps;
    const now = clock.now();
    const elapsedMs = clock.elapsedMs();
    for (const [key, at] of this.#offeredAt) if (elapsedMs - at >= dayMs) this.#offeredAt.delete(key);
    for (const conversation of [from, everyone] as const)
      await messages.loadFilesSince(conversation, now - dayMs);
    // One from before a reload that seems to lie in the future arrived under a clock that was wrong.
    const isOfLastDay = ({ key, sortedAt }: FileMessage) =>
      this.#offeredAt.has(key) || (sortedAt > now - dayMs && sortedAt <= now);
    const offered = messages
      .files()
      .filter((message) => message.client === from && isOfLastDay(message))
      .filter((message) => !isTurnedDown(offers.stateOf(message, from)))
      .reduce((sum, { file }) => sum + contentSizeOf(file), 0);
    return offered <= unaskedBytesPerDay;
  }

  #openOffersOf(from: ClientId): number {
    let count = [...this.#arriving].filter((key) => key.startsWith(`${from}/`)).length;
    for (const message of this.#deps.messages.files())
      if (message.client === from && undecided.includes(this.#deps.offers.stateOf(message, from))) count++;
    return count;
  }
}
