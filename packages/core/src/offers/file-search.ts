import {
  type ClientId,
  type ErrorCode,
  type MessageId,
  type PeerMessageOf,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import {
  everyone,
  type FileMessage,
  type MessageKey,
  messageKeyOf,
  messageNameOf,
} from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { randomUuid } from "../shared/ids.ts";
import type { WritableStore } from "../shared/store.ts";
import { isOpen, isTurnedDown, type Offer, type OfferState } from "../transfer/offer-state.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import type { FileOffers } from "./file-offers.ts";
import { fileProofOf } from "./file-proof.ts";
import type { FileOffer, Offers } from "./offers.ts";

/** How long members have to answer. */
const answerMs = 10_000;
/** After a connection came or went, or a giver stopped: others may follow, and a break may heal. */
const checkMs = 3_000;
/** For how many files members are asked at once. */
const askedMax = 20;
/** How long a member is not asked that has been asked too often. */
const pauseMs = 10_000;
/** How long a member is not asked again that has not got a file, while it stays; doubled each time. It may get it meanwhile. */
const refusedMs = { first: 60_000, last: 3_600_000 } as const;
/** What is got from a member, or the author, has stopped, and may never go on: `accepted` while it is here is that it has not begun for a minute. */
const stuck: readonly OfferState[] = ["accepted", "needsSource", "pausedThere"];
/** What a member gave is not what the author offered. */
const wrongBytes: readonly ErrorCode[] = ["root-verification-failed", "tree-invalid", "tree-too-large"];
/** What keeps every member from giving it. */
const ownFailures: readonly ErrorCode[] = ["not-enough-space", "storage-full", "storage-failed"];

/** What comes of looking for a file: members are being asked, none of those who are here has it, or one gives it. */
export type FileSearchState =
  | { readonly state: "asking" | "nobody" }
  | { readonly state: "given"; readonly by: ClientId };

/** The accepted offers to everyone whose author does not give the file. */
export type FileSearches = ReadonlyMap<MessageKey, FileSearchState>;

interface FileSearchDeps {
  readonly searches: WritableStore<FileSearches>;
  readonly selfId: ClientId;
  readonly messages: Pick<MessageLog, "files" | "add" | "nextSortedAt" | "whenLoaded">;
  readonly offers: Offers;
  readonly fileOffers: FileOffers;
  readonly transfers: Pick<TransferService, "isStuck">;
  readonly library: Pick<FileLibrary, "store">;
  readonly clock: Clock;
  readonly isReady: (peer: ClientId) => boolean;
  /** The clients that are here, belong to the room and read its log. */
  readonly membersHere: () => readonly ClientId[];
  readonly answer: (to: ClientId, message: OutgoingMessage) => void;
}

interface Giver {
  readonly peer: ClientId;
  /** Whether nothing was here when the file was requested of it. */
  readonly givesAll: boolean;
}

/** A member cannot give a file. */
interface Refusal {
  /** Not asked again before. */
  readonly until: number;
  readonly waitMs: number;
}

interface Asked {
  readonly key: MessageKey;
  /** Who has not answered yet. */
  readonly left: Set<ClientId>;
  readonly cancel: CancelTimer;
}

/**
 * Gets accepted files that were offered to everyone from other members while their author does not give them: asks all who are here,
 * and requests the file of the first that has it. What comes from there is a message of that member, with an offer of its own; the
 * digest that the author signed decides whether the bytes are right. Meanwhile the author's offer is paused.
 */
export class FileSearch {
  readonly #deps: FileSearchDeps;
  readonly #asked = new Map<MessageId, Asked>();
  /** Who cannot give a file at present, as they said or as it turned out. */
  readonly #refusals = new Map<MessageKey, Map<ClientId, Refusal>>();
  /** Until when members are not asked that have been asked too often. */
  readonly #pausedUntil = new Map<ClientId, number>();
  /** Who gave other bytes. */
  readonly #liars = new Map<MessageKey, Set<ClientId>>();
  /** Of whom a file was requested last. */
  readonly #givers = new Map<MessageKey, Giver>();
  /** The files that are being requested. */
  readonly #requested = new Set<MessageKey>();
  readonly #stopListening: () => void;
  /** The next check. */
  #check: { readonly at: number; readonly cancel: CancelTimer } | null = null;

  constructor(deps: FileSearchDeps) {
    this.#deps = deps;
    this.#stopListening = deps.fileOffers.on("stored", (message, peer, offer) =>
      this.#onStored(message, peer, offer),
    );
    void deps.messages.whenLoaded.then(() => this.#showGiven());
  }

  /** A person wants a file: whoever could not give it is asked again. */
  again(key: MessageKey): void {
    this.#refusals.delete(key);
    if (this.#deps.searches.getState().get(key)?.state === "nobody") this.#show(key, null);
    this.#checkNow();
  }

  peerReady(peer: ClientId): void {
    this.#askAllFor(peer);
    this.#checkSoon();
  }

  peerLost(peer: ClientId): void {
    for (const [id, { left }] of this.#asked) if (left.has(peer)) this.#refused(id, peer);
    // It is asked again when it is back.
    for (const refusals of this.#refusals.values()) refusals.delete(peer);
    this.#askAllFor(peer);
    this.#pausedUntil.delete(peer);
    this.#checkSoon();
  }

  /** An author comes or leaves: others may have got its files meanwhile, and were given up for it. */
  #askAllFor(author: ClientId): void {
    for (const { key, client } of this.#accepted()) if (client === author) this.#refusals.delete(key);
  }

  /** A member has a file that we look for. @returns whether it answers a question of ours. */
  found(peer: ClientId, { id, fid }: PeerMessageOf<"check-message">): boolean {
    const asked = this.#asked.get(id);
    if (!asked?.left.has(peer)) return false;
    const message = this.#deps.offers.find(asked.key);
    // Who cannot name it was not given its entry, and is not told its id by a request.
    if (message && message.file.fid !== fid) {
      this.#refused(id, peer);
      return true;
    }
    this.#settle(id, asked);
    if (message && this.#isForEveryone(message) && this.#isWanting(message))
      void this.#getFrom(peer, message);
    return true;
  }

  /** A member does not give us a file. @returns whether it answers a question of ours. */
  failed(peer: ClientId, id: MessageId, code: ErrorCode): boolean {
    if (!this.#asked.get(id)?.left.has(peer)) return false;
    const isAskedTooOften = code === "rate-limited";
    if (isAskedTooOften) this.#pausedUntil.set(peer, this.#deps.clock.elapsedMs() + pauseMs);
    this.#refused(id, peer, isAskedTooOften);
    return true;
  }

  close(): void {
    this.#stopListening();
    this.#check?.cancel();
    for (const [id, asked] of this.#asked) this.#settle(id, asked);
  }

  #onStored(message: FileMessage, peer: ClientId, offer: Offer): void {
    if (message.client === this.#deps.selfId) return;
    if (message.original !== undefined) this.#onGiven(message.original, peer, offer);
    else if (peer !== message.client) return;
    // Also of a room that we have left.
    else if (isTurnedDown(offer.state) || offer.state === "complete") this.#end(message);
    else if (!this.#isForEveryone(message)) return;
    else if (offer.state === "accepted" && !this.#deps.isReady(peer)) this.#checkNow();
    else if (offer.state === "accepted") this.#checkSoon();
    else if (offer.state === "needsSource") this.#checkSoon();
  }

  /** What becomes of the author's offer once that of another member changes. */
  #onGiven(original: MessageKey, giver: ClientId, offer: Offer): void {
    const { offers, fileOffers } = this.#deps;
    const message = offers.find(original);
    if (!message) return;
    if (offer.state === "complete") void fileOffers.take("found-here", offers.of(message, message.client));
    // Another member gives it by now.
    else if ((this.#givers.get(original)?.peer ?? giver) !== giver) return;
    else if (offer.state === "givenUp" || offer.state === "declined")
      void fileOffers.decide("cancel", original, message.client);
    else if (offer.state === "failed" && ownFailures.includes(offer.error.code))
      void fileOffers.take("prepare-failed", offers.of(message, message.client), { error: offer.error });
    else if (offer.state === "failed" || offer.state === "withdrawn") {
      const isWrong = offer.state === "failed" && wrongBytes.includes(offer.error.code);
      // What came from several may be wrong by any of them. It is dropped: who gives it next gives all of it.
      const isLie = isWrong && this.#givers.get(original)?.givesAll === true;
      if (isLie) addTo(this.#liars, original, giver);
      // One that has left is asked when it is back.
      else if (!isWrong && this.#deps.isReady(giver)) this.#refuse(original, giver);
      this.#lookFurther(message);
    } else this.#checkSoon();
  }

  /** A member does not give it any more: its author goes on, or the others are asked. */
  #lookFurther({ key, client }: FileMessage): void {
    this.#givers.delete(key);
    void this.#deps.fileOffers.decide("resume", key, client);
  }

  /** The person, or the author, has decided, or the file is here. */
  #end(message: FileMessage): void {
    const { key } = message;
    for (const [id, asked] of this.#asked) if (asked.key === key) this.#settle(id, asked);
    this.#show(key, null);
    for (const of of [this.#refusals, this.#liars, this.#givers]) of.delete(key);
    for (const given of this.#openFor(message))
      void this.#deps.fileOffers.decide("cancel", given.message.key, given.peer);
  }

  #checkSoon(delayMs: number = checkMs): void {
    const { clock } = this.#deps;
    const at = clock.elapsedMs() + delayMs;
    if (this.#check !== null && this.#check.at <= at) return;
    this.#check?.cancel();
    const cancel = clock.after(delayMs, () => {
      this.#check = null;
      this.#checkNow();
    });
    this.#check = { at, cancel };
  }

  #checkNow(): void {
    const asked = new Set([...this.#asked.values()].map(({ key }) => key));
    const accepted = this.#accepted();
    const wanting = accepted.filter((message) => this.#isWanting(message));
    // Who has said no may have it later, and who gives it may stop.
    if (accepted.length > 0) this.#checkSoon(refusedMs.first);
    for (const message of wanting) {
      if (this.#asked.size >= askedMax) return;
      const [given] = this.#openFor(message);
      // Its author goes on.
      if (given && this.#deps.isReady(message.client)) void this.#giveUp(given);
      else if (!asked.has(message.key)) this.#ask(message);
    }
  }

  /** The offers to everyone in this room that a person accepted, and that are not here. */
  #accepted(): readonly FileMessage[] {
    return this.#deps.messages.files().filter((message) => {
      const state = message.offers[message.client]?.state;
      return this.#isForEveryone(message) && (state === "accepted" || this.#isPaused(message, state));
    });
  }

  #isPaused(message: FileMessage, state: OfferState | undefined): boolean {
    return state === "needsSource" || (state === "pausedHere" && this.#openFor(message).length > 0);
  }

  #isForEveryone({ client, conversation, entry, root }: FileMessage): boolean {
    const isOfRoom = conversation === everyone && entry !== undefined && root !== undefined;
    return isOfRoom && client !== this.#deps.selfId;
  }

  /** Whether nobody gives an accepted file, neither a member nor its author. */
  #isWanting(message: FileMessage): boolean {
    if (this.#requested.has(message.key)) return false;
    const { offers, transfers } = this.#deps;
    const { state, key } = this.#openFor(message)[0] ?? offers.of(message, message.client);
    return stuck.includes(state) || transfers.isStuck(key);
  }

  #openFor(message: FileMessage): readonly FileOffer[] {
    return this.#deps.offers.givenFor(message).filter(({ state }) => isOpen(state));
  }

  #ask(message: FileMessage): void {
    const { key, file } = message;
    const { selfId, clock, answer } = this.#deps;
    const askable = this.#askable(message);
    if (askable.length === 0) {
      this.#endWithout(message);
      return;
    }
    // Who has been told that nobody has it is told nothing of asking once more, by itself, in vain.
    if (this.#openFor(message).length === 0 && this.#deps.searches.getState().get(key)?.state !== "nobody")
      this.#show(key, { state: "asking" });
    const now = clock.elapsedMs();
    const left = new Set(askable.filter((peer) => (this.#pausedUntil.get(peer) ?? now) <= now));
    if (left.size === 0) {
      this.#checkSoon();
      return;
    }
    const id = randomUuid();
    const cancel = clock.after(answerMs, () => {
      for (const peer of [...left]) this.#refused(id, peer);
    });
    this.#asked.set(id, { key, left, cancel });
    const original = messageNameOf(key);
    for (const peer of left) {
      const proof = fileProofOf(file.fid, original, { asker: selfId, asked: peer });
      answer(peer, { type: "find-file", id, original, proof });
    }
  }

  /** The members who are here and may give a file. */
  #askable(message: FileMessage): readonly ClientId[] {
    const { key, client } = message;
    const given = this.#openFor(message).map(({ peer }) => peer);
    const now = this.#deps.clock.elapsedMs();
    const refusals = this.#refusals.get(key);
    const isOut = (peer: ClientId) =>
      this.#liars.get(key)?.has(peer) || (refusals?.get(peer)?.until ?? now) > now;
    return this.#deps
      .membersHere()
      .filter((peer) => peer !== client && !given.includes(peer) && !isOut(peer));
  }

  /** @param later whether it may still give it */
  #refused(id: MessageId, peer: ClientId, later = false): void {
    const asked = this.#asked.get(id);
    if (!asked) return;
    asked.left.delete(peer);
    if (!later) this.#refuse(asked.key, peer);
    if (asked.left.size > 0) return;
    this.#settle(id, asked);
    const message = this.#deps.offers.find(asked.key);
    if (message && this.#askable(message).length === 0) this.#endWithout(message);
    this.#checkSoon();
  }

  /** A member does not give a file. @param atLeastMs how long it is not asked again, if that is longer than it would be */
  #refuse(key: MessageKey, peer: ClientId, atLeastMs: number = refusedMs.first): void {
    const refusals = this.#refusals.get(key) ?? new Map<ClientId, Refusal>();
    this.#refusals.set(key, refusals);
    const waitMs = Math.min(refusedMs.last, Math.max(atLeastMs, 2 * (refusals.get(peer)?.waitMs ?? 0)));
    refusals.set(peer, { until: this.#deps.clock.elapsedMs() + waitMs, waitMs });
  }

  #settle(id: MessageId, { cancel }: Asked): void {
    cancel();
    this.#asked.delete(id);
  }

  async #getFrom(peer: ClientId, original: FileMessage): Promise<void> {
    this.#requested.add(original.key);
    try {
      await this.#requestOf(peer, original);
    } catch {
      // It was not stored.
      this.#refuse(original.key, peer);
      this.#lookFurther(original);
    } finally {
      this.#requested.delete(original.key);
    }
  }

  async #requestOf(peer: ClientId, original: FileMessage): Promise<void> {
    const { offers, fileOffers, messages, library } = this.#deps;
    const storedBytes = library.store.getState().get(original.file.fid)?.storedBytes ?? 0;
    this.#givers.set(original.key, { peer, givesAll: storedBytes === 0 });
    this.#show(original.key, { state: "given", by: peer });
    for (const given of this.#openFor(original)) await this.#giveUp(given);
    // One that was turned down takes no bytes any more.
    const known = offers.givenFor(original).findLast((one) => one.peer === peer && !isTurnedDown(one.state));
    const message = known?.message ?? this.#messageOf(peer, original);
    // First: if the page closed after the pause, that would look like the person's.
    if (!known) await messages.add(message, { read: true });
    const now = offers.find(original.key);
    const isWanted = now !== null && isOpen(offers.stateOf(now, now.client));
    if (isWanted) await fileOffers.decide("pause", original.key, original.client);
    await fileOffers.decide(isWanted ? "request" : "cancel", message.key, peer);
  }

  async #giveUp({ message, peer }: FileOffer): Promise<void> {
    const { offers, fileOffers, isReady } = this.#deps;
    // Two that promise in turn, and do not give, would have it for ever.
    if (message.original !== undefined && isReady(peer)) this.#refuse(message.original, peer, refusedMs.last);
    const error = isReady(peer)
      ? new WarrenError("no-answer")
      : new WarrenError("peer-offline", { id: peer });
    await fileOffers.take("prepare-failed", offers.of(message, peer), { error: error.describe() });
  }

  #messageOf(peer: ClientId, { key, file, root, manifest, thumbnail, createdAt }: FileMessage): FileMessage {
    const id = randomUuid();
    return {
      ...{ key: messageKeyOf(peer, id), id, conversation: peer, client: peer, createdAt },
      ...{ sortedAt: this.#deps.messages.nextSortedAt(), deliveries: {}, type: "file" },
      ...{ file, root, manifest, thumbnail, original: key },
      offers: { [peer]: { state: "accepted" } },
    };
  }

  /** What is got from members goes on after a reload. */
  #showGiven(): void {
    for (const message of this.#accepted()) {
      const given = this.#openFor(message).at(-1);
      if (!given) continue;
      this.#show(message.key, { state: "given", by: given.peer });
      // The page closed before it was.
      void this.#deps.fileOffers.decide("pause", message.key, message.client);
    }
  }

  /** Nobody else has it. Who promised it and does not begin is given up; who paused it, or has left, may go on. */
  #endWithout(message: FileMessage): void {
    const open = this.#openFor(message);
    if (open.length === 0) this.#show(message.key, { state: "nobody" });
    for (const given of open)
      if (given.state === "accepted" && this.#deps.isReady(given.peer)) void this.#giveUp(given);
  }

  #show(key: MessageKey, search: FileSearchState | null): void {
    const { searches } = this.#deps;
    const shown = searches.getState().get(key);
    if (shown?.state === search?.state && search?.state !== "given") return;
    const next = new Map(searches.getState());
    if (search === null) next.delete(key);
    else next.set(key, search);
    searches.setState(next, true);
  }
}

function addTo(sets: Map<MessageKey, Set<ClientId>>, key: MessageKey, peer: ClientId): void {
  const known = sets.get(key);
  if (known) known.add(peer);
  else sets.set(key, new Set([peer]));
}
