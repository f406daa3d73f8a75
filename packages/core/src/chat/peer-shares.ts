import {
  type ClientId,
  contentSizeOf,
  type ErrorDescription,
  type FileDescription,
  type MessageId,
  type PeerMessageOf,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../room/outgoing-message.ts";
import type { Options } from "../settings/options.ts";
import { randomUuid } from "../shared/ids.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import type { TransferKey } from "../transfer/transfer-state.ts";
import type { FileExchange } from "./file-exchange.ts";
import { type FileMessage, messageKeyOf } from "./message.ts";
import type { MessageLog } from "./message-log.ts";

/** How long a client may take to say what it shares. */
const answerTimeoutMs = 5_000;

/** What a client shares with us, as far as it has told. */
export interface SharedListing {
  readonly request:
    | { readonly status: "asking" }
    | { readonly status: "answered" }
    | { readonly status: "failed"; readonly error: ErrorDescription };
  /** What it told last, which stays while it is asked again; null before. */
  readonly files: readonly FileDescription[] | null;
  /** When it told, ms since the epoch; null before. */
  readonly answeredAt: number | null;
}

/** What each client shares with us that was asked since the page loaded. */
export type SharedListings = Readonly<Partial<Record<ClientId, SharedListing>>>;

interface PeerSharesDeps {
  readonly messages: MessageLog;
  readonly files: FileExchange;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly clock: Clock;
  readonly options: () => Pick<Options, "maxFileSize">;
  /** @throws WarrenError when there is no open channel to `to`. */
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
  readonly isReady: (peer: ClientId) => boolean;
}

const unasked: SharedListing = { request: { status: "answered" }, files: null, answeredAt: null };

/** What others share with us: asks for it, and fetches it. */
export class PeerShares {
  readonly store: ReadableStore<SharedListings>;
  readonly #store = createStore<SharedListings>({});
  readonly #deps: PeerSharesDeps;
  /** The request under way with each client. */
  readonly #asked = new Map<ClientId, { readonly id: MessageId; readonly cancel: CancelTimer }>();
  readonly #stopListening: () => void;

  constructor(deps: PeerSharesDeps) {
    this.#deps = deps;
    this.store = this.#store;
    this.#stopListening = deps.transfers.on("status", (key, { status }) => {
      if (status === "complete") this.#noteSent(key);
    });
  }

  /** Asks a client which files it shares with us; the answer, or why there is none, comes into the store. */
  ask(peer: ClientId): void {
    if (this.#asked.has(peer)) return;
    const id = randomUuid();
    const cancel = this.#deps.clock.after(answerTimeoutMs, () => this.failed(peer, id, "send-timeout"));
    this.#asked.set(peer, { id, cancel });
    this.#change(peer, { request: { status: "asking" } });
    try {
      this.#deps.send(peer, { type: "request-storage", id });
    } catch {
      this.failed(peer, id, "peer-offline");
    }
  }

  /** A list came. One that nobody asked for is not read. */
  receive(from: ClientId, { id, data }: PeerMessageOf<"storage">): void {
    if (!this.#settle(from, id)) return;
    const files = [...new Map(data.map((file) => [file.fid, file])).values()];
    this.#change(from, { request: { status: "answered" }, files, answeredAt: this.#deps.clock.now() });
  }

  /** A request was not answered with a list. @returns whether it was one of ours. */
  failed(peer: ClientId, id: MessageId, error: "send-timeout" | "peer-offline" | ErrorDescription): boolean {
    if (!this.#settle(peer, id)) return false;
    const description = typeof error === "string" ? new WarrenError(error).describe() : error;
    this.#change(peer, { request: { status: "failed", error: description } });
    return true;
  }

  peerLost(peer: ClientId): void {
    const asked = this.#asked.get(peer);
    if (asked) this.failed(peer, asked.id, "peer-offline");
  }

  /**
   * Fetches a file a client shares, or what is missing of it. It becomes a message of that client, so that it goes on
   * by itself like any file. What fails later is told by that message.
   * @throws WarrenError `peer-offline`, `file-too-large` over the option `maxFileSize`, `storage-failed`.
   */
  async fetch(peer: ClientId, file: FileDescription): Promise<void> {
    const { isReady, options, library, files, messages, clock } = this.#deps;
    if (!isReady(peer)) throw new WarrenError("peer-offline");
    const { maxFileSize } = options();
    const sizeBytes = contentSizeOf(file);
    if (sizeBytes > maxFileSize)
      throw new WarrenError("file-too-large", { sizeBytes, limitBytes: maxFileSize });
    if (library.isComplete(file.fid)) return;
    const offer = files.messages.sharedWith(peer, file.fid);
    const state = offer?.client === peer ? offer.transfers[peer] : undefined;
    if (offer && state?.status === "init") return files.accept(offer.key);
    if (state?.status === "transferring") return;
    const id = randomUuid();
    const message: FileMessage = {
      key: messageKeyOf(peer, id),
      id,
      conversation: peer,
      client: peer,
      createdAt: clock.now(),
      sortedAt: messages.nextSortedAt(),
      deliveries: {},
      type: "file",
      file,
      transfers: { [peer]: { status: "paused", by: "absence" } },
    };
    const isOpen = offer && state && state.status !== "complete";
    if (!isOpen) await messages.add(message, { read: true });
    await files.request(isOpen ? offer.key : message.key);
  }

  close(): void {
    this.#stopListening();
    for (const { cancel } of this.#asked.values()) cancel();
    this.#asked.clear();
  }

  /** What we have sent is theirs too from then on. */
  #noteSent(key: TransferKey): void {
    const { transfers, library } = this.#deps;
    const transfer = transfers.store.getState()[key];
    const file = transfer && library.store.getState()[transfer.fid]?.description;
    const listed = transfer && this.#store.getState()[transfer.peerId]?.files;
    if (!file || !listed || listed.some(({ fid }) => fid === file.fid)) return;
    this.#change(transfer.peerId, { files: [...listed, file] });
  }

  #settle(peer: ClientId, id: MessageId): boolean {
    const asked = this.#asked.get(peer);
    if (asked?.id !== id) return false;
    asked.cancel();
    this.#asked.delete(peer);
    return true;
  }

  #change(peer: ClientId, change: Partial<SharedListing>): void {
    this.#store.setState((state) => ({ [peer]: { ...unasked, ...state[peer], ...change } }));
  }
}
