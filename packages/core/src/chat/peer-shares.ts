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
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../room/outgoing-message.ts";
import type { Options } from "../settings/options.ts";
import { randomUuid } from "../shared/ids.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { type TransferKey, type TransferStatus, transferKeyOf } from "../transfer/transfer-state.ts";
import type { FetchQueue } from "./fetch-queue.ts";
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
  /** Files that wait for their turn to be fetched. */
  readonly waiting: readonly FileId[];
  /** Why a file could not even be asked for. */
  readonly refused: Readonly<Record<FileId, ErrorDescription>>;
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

const unasked: SharedListing = {
  request: { status: "answered" },
  files: null,
  answeredAt: null,
  waiting: [],
  refused: {},
};

/** What others share with us: asks for it, and fetches it. */
export class PeerShares {
  readonly store: ReadableStore<SharedListings>;
  readonly #store = createStore<SharedListings>({});
  readonly #deps: PeerSharesDeps;
  /** The request under way with each client. */
  readonly #asked = new Map<ClientId, { readonly id: MessageId; readonly cancel: CancelTimer }>();
  /** Null before anything is fetched. */
  #queue: FetchQueue | null = null;
  readonly #stopListening: () => void;

  constructor(deps: PeerSharesDeps) {
    this.#deps = deps;
    this.store = this.#store;
    this.#stopListening = deps.transfers.on("status", (key, status) => this.#onStatus(key, status));
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

  peerReady(peer: ClientId): void {
    this.#queue?.advance(peer);
  }

  peerLost(peer: ClientId): void {
    const asked = this.#asked.get(peer);
    if (asked) this.failed(peer, asked.id, "peer-offline");
  }

  /**
   * Fetches files a client shares, or what is missing of them, a few at a time. Each becomes a message of that client
   * when its turn comes, so that it goes on by itself like any file, and what fails then is told by that message.
   */
  fetch(peer: ClientId, files: readonly FileDescription[]): void {
    const { refused } = this.#store.getState()[peer] ?? unasked;
    const wanted = new Set(files.map(({ fid }) => fid));
    const others = Object.entries(refused).filter(([fid]) => !wanted.has(fid));
    this.#change(peer, { refused: Object.fromEntries(others) });
    void this.#loadQueue().then(
      (queue) => queue.add(peer, files),
      (thrown: unknown) => this.#refuse(peer, files, toWarrenError(thrown)),
    );
  }

  /** Gives up fetching a file, or sending it. */
  stop(peer: ClientId, fid: FileId): void {
    const { files } = this.#deps;
    const message = this.#queue?.remove(peer, fid) ? null : files.messages.sharedWith(peer, fid);
    if (message) files.cancel(message.key, peer);
  }

  async #start(peer: ClientId, file: FileDescription): Promise<boolean> {
    const { fid } = file;
    try {
      await this.#request(peer, file);
      const status = this.#deps.transfers.store.getState()[transferKeyOf(peer, fid)]?.state.status;
      return status === "init" || status === "transferring";
    } catch (thrown) {
      this.#refuse(peer, [file], toWarrenError(thrown));
      return false;
    }
  }

  #refuse(peer: ClientId, files: readonly FileDescription[], error: WarrenError): void {
    const { refused } = this.#store.getState()[peer] ?? unasked;
    const added = files.map(({ fid }) => [fid, error.describe()]);
    this.#change(peer, { refused: { ...refused, ...Object.fromEntries(added) } });
  }

  async #loadQueue(): Promise<FetchQueue> {
    const { FetchQueue } = await import("./fetch-queue.ts");
    this.#queue ??= new FetchQueue({
      isReady: this.#deps.isReady,
      start: (peer, file) => this.#start(peer, file),
      onWaiting: (peer, waiting) => this.#change(peer, { waiting }),
    });
    return this.#queue;
  }

  async #request(peer: ClientId, file: FileDescription): Promise<void> {
    const { options, library, files, messages } = this.#deps;
    const { maxFileSize } = options();
    const sizeBytes = contentSizeOf(file);
    if (sizeBytes > maxFileSize)
      throw new WarrenError("file-too-large", { sizeBytes, limitBytes: maxFileSize });
    if (library.isComplete(file.fid)) return;
    const known = files.messages.sharedWith(peer, file.fid);
    const state = known?.client === peer ? known.transfers[peer] : undefined;
    if (known && state?.status === "init") return files.accept(known.key);
    if (known && state?.status === "transferring") return;
    if (known && state && state.status !== "complete") return files.request(known.key);
    const message = this.#messageOf(peer, file);
    await messages.add(message, { read: true });
    await files.request(message.key);
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
      transfers: { [peer]: { status: "paused", by: "absence" } },
    };
  }

  close(): void {
    this.#stopListening();
    for (const { cancel } of this.#asked.values()) cancel();
    this.#asked.clear();
  }

  #onStatus(key: TransferKey, state: TransferStatus): void {
    const { transfers, library } = this.#deps;
    const transfer = transfers.store.getState()[key];
    const isUnderWay = state.status === "transferring" || (state.status === "paused" && state.by === "turn");
    if (transfer && !isUnderWay) this.#queue?.ended(transfer.peerId, transfer.fid);
    if (state.status !== "complete") return;
    // What we have sent is theirs too from then on.
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
