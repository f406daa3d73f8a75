import {
  type ClientId,
  type ErrorDescription,
  type FileDescription,
  type FileId,
  type MessageId,
  type PeerMessageOf,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { randomUuid } from "../shared/ids.ts";
import type { WritableStore } from "../shared/store.ts";
import type { TransferState } from "../transfer/offer-state.ts";
import type { TransferRef, TransferService } from "../transfer/transfer-service.ts";
import { changeListing, type SharedListings } from "./shared-listing.ts";

/** How long a client may take to answer a list request: a page of a list may wait behind a large text. */
const answerTimeoutMs = 15_000;

/** The delay before the next page of a list is requested: the other side limits the rate. */
const nextPageMs = 300;
/** The most files held of one client, regardless of the total it reports. */
const knownFilesMax = 20_000;

interface PeerSharesDeps {
  readonly listings: WritableStore<SharedListings>;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly clock: Clock;
  /** @throws WarrenError when there is no open channel to `to`. */
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
}

interface Asked {
  /** The id of the last page request. */
  readonly id: MessageId;
  /** Cancels its timeout. */
  readonly cancel: CancelTimer;
  /** The files of earlier pages. */
  readonly files: ReadonlyMap<FileId, FileDescription>;
}

/** Asks other clients which files they share with us. */
export class PeerShares {
  readonly #store: WritableStore<SharedListings>;
  readonly #deps: PeerSharesDeps;
  /** The pending request to each client. */
  readonly #asked = new Map<ClientId, Asked>();
  readonly #stopListening: () => void;

  constructor(deps: PeerSharesDeps) {
    this.#deps = deps;
    this.#store = deps.listings;
    this.#stopListening = deps.transfers.on("state", (transfer, state) => this.#onState(transfer, state));
  }

  /** Asks a client which files it shares with us; the answer, or the error, is put into the store. */
  ask(peer: ClientId): void {
    if (this.#asked.has(peer)) return;
    changeListing(this.#store, peer, { request: { status: "asking" } });
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
      changeListing(this.#store, from, {
        ...news,
        request: { status: "answered" },
        answeredAt: this.#deps.clock.now(),
      });
      return;
    }
    // A list that is being refreshed is shown unchanged until all of the new one is here.
    if (!isRefreshed) changeListing(this.#store, from, news);
    const wait = randomUuid();
    const cancel = this.#deps.clock.after(nextPageMs, () => this.#askForPage(from, known));
    this.#asked.set(from, { id: wait, cancel, files: known });
  }

  /** A list request failed. @returns whether it was one of ours. */
  failed(peer: ClientId, id: MessageId, error: "send-timeout" | "peer-offline" | ErrorDescription): boolean {
    if (!this.#settle(peer, id)) return false;
    const description = typeof error === "string" ? new WarrenError(error).describe() : error;
    changeListing(this.#store, peer, { request: { status: "failed", error: description } });
    return true;
  }

  peerLost(peer: ClientId): void {
    const asked = this.#asked.get(peer);
    if (asked) this.failed(peer, asked.id, "peer-offline");
  }

  close(): void {
    this.#stopListening();
    for (const { cancel } of this.#asked.values()) cancel();
    this.#asked.clear();
  }

  #onState({ peerId, fid }: TransferRef, now: TransferState): void {
    if (now.state !== "complete") return;
    // A file we have sent belongs to their list too.
    const file = this.#deps.library.store.getState().get(fid)?.description;
    const listed = this.#store.getState().get(peerId)?.files;
    if (!file || !listed || listed.some((other) => other.fid === fid)) return;
    changeListing(this.#store, peerId, { files: [...listed, file] });
  }

  #settle(peer: ClientId, id: MessageId): boolean {
    const asked = this.#asked.get(peer);
    if (asked?.id !== id) return false;
    asked.cancel();
    this.#asked.delete(peer);
    return true;
  }
}
