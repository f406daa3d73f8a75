import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ClientId, FileDescription } from "@warren/protocol";
import { FileLibrary } from "../files/file-library.ts";
import { ReceivedFile } from "../files/received-file.ts";
import type { Clock } from "../ports/clock.ts";
import { defaultOptions } from "../settings/options.ts";
import { StallWatch } from "../shared/stall-watch.ts";
import { createStore } from "../shared/store.ts";
import { LocalTransferEngine } from "../transfer/engine/local-transfer-engine.ts";
import type { TransferEngine } from "../transfer/engine/transfer-engine.ts";
import { TransferHost, type TransferHostDeps } from "../transfer/engine/transfer-host.ts";
import type { HostMessage, RunEvent } from "../transfer/engine/transfer-messages.ts";
import { WorkerTransferEngine } from "../transfer/engine/worker-transfer-engine.ts";
import type { OfferState, TransferState } from "../transfer/offer-state.ts";
import type { TransferOptions } from "../transfer/transfer.ts";
import { TransferService } from "../transfer/transfer-service.ts";
import { type TransferKey, type TransferSnapshots, transferKeyOf } from "../transfer/transfer-state.ts";
import { FakeClock, settle } from "./fake-clock.ts";
import { FakeLink } from "./fake-transfer-channels.ts";
import { MemoryFileStorage } from "./memory-file-storage.ts";
import { createThreadPair, type HangingThread } from "./thread-pair.ts";

const aId: ClientId = "00000000-0000-4000-8000-00000000000a";
const bId: ClientId = "00000000-0000-4000-8000-00000000000b";

/** The chunks of files offered by {@link FilePeers}. */
export const chunkSize = 64 * 1024;

/** One of two clients that exchange files. */
export interface FilePeer {
  readonly id: ClientId;
  readonly storage: MemoryFileStorage;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  /** The reported states of each transfer, in order. */
  readonly states: Map<TransferKey, TransferState[]>;
}

type FileCompression = Pick<TransferHostDeps, "compressor" | "zstd">;

/** Two clients with libraries and transfer services, connected in memory: `a` sends, `b` receives. */
export class FilePeers {
  readonly clock = new FakeClock();
  readonly link = new FakeLink(aId, bId);
  readonly options: { -readonly [Name in keyof TransferOptions]: TransferOptions[Name] } = {
    ...defaultOptions,
  };
  a: FilePeer;
  b: FilePeer;
  /** The workers, by client. */
  readonly workers = new Map<ClientId, HangingThread>();
  readonly #thread: "page" | "worker";
  readonly #compression: FileCompression;

  /**
   * @param thread the thread that moves the bytes.
   * @param compression the compression of both sides; deflate by default.
   */
  constructor(thread: "page" | "worker" = "page", compression: FileCompression = {}) {
    this.#thread = thread;
    this.#compression = compression;
    this.a = this.#createPeer(aId, new MemoryFileStorage());
    this.b = this.#createPeer(bId, new MemoryFileStorage());
  }

  /** Simulates a killed tab of `b`: only its storage survives. */
  async reloadReceiver(): Promise<void> {
    this.link.cut();
    this.b.storage.lose();
    await this.b.transfers.close();
    this.b = this.#createPeer(bId, this.b.storage);
    await this.b.library.load();
  }

  async close(): Promise<void> {
    this.b.storage.release();
    await Promise.all([this.a.transfers.close(), this.b.transfers.close()]);
  }

  /** `b` accepts a file and `a` starts sending it. */
  async begin(description: FileDescription): Promise<void> {
    await this.b.transfers.expect(aId, description);
    this.a.transfers.send(bId, description);
  }

  sentKey({ fid }: FileDescription): TransferKey {
    return transferKeyOf(bId, fid);
  }

  receivedKey({ fid }: FileDescription): TransferKey {
    return transferKeyOf(aId, fid);
  }

  /** Offers bytes as a file of `a`. */
  offer(bytes: Uint8Array<ArrayBuffer>, name?: string, type?: string): FileDescription {
    return this.a.library.addSource(fileOf(bytes, name, type), chunkSize);
  }

  /** Calls back once, while the nth message of the channels opened from now on is in transit. */
  onMessage(n: number, callback: () => void): void {
    let count = 0;
    this.link.channelOptions = {
      tamper: (message) => {
        count++;
        if (count === n) callback();
        return message;
      },
    };
  }

  /** Waits until both sides report a file as complete. */
  async bothComplete(description: FileDescription): Promise<void> {
    await this.reaches(this.b, this.receivedKey(description), "complete");
    await this.reaches(this.a, this.sentKey(description), "complete");
  }

  /**
   * Offers bytes, starts the transfer, and waits until `b` has stored `chunkCount` chunks. Its storage then holds
   * further
   * ones until it releases or loses them.
   */
  async beginAndStore(bytes: Uint8Array<ArrayBuffer>, chunkCount: number): Promise<FileDescription> {
    const description = this.offer(bytes);
    this.b.storage.holdAt = this.b.storage.writeCount + chunkCount;
    await this.begin(description);
    await this.until(() => this.b.storage.writeCount >= this.b.storage.holdAt);
    return description;
  }

  /** The digest of the complete file at `b`, as {@link digestText}; null if it has none. */
  async receivedDigest({ fid }: FileDescription): Promise<string | null> {
    const file = await this.b.library.open(fid);
    return file && digestText(new Uint8Array(await file.arrayBuffer()));
  }

  /** Waits until every channel opened so far is closed at both ends. */
  async allClosed(): Promise<void> {
    const isClosed = ({ readyState }: RTCDataChannel) => readyState === "closed";
    await this.until(() => this.link.pairs.every(({ local, remote }) => isClosed(local) && isClosed(remote)));
  }

  /** Waits until a transfer is in a state, running everything but the clock. */
  async reaches(peer: FilePeer, key: TransferKey, state: OfferState): Promise<TransferState> {
    return this.until(
      () => {
        const now = peer.transfers.store.getState().get(key)?.now;
        return now?.state === state ? now : null;
      },
      `${state}, not ${JSON.stringify(peer.transfers.store.getState().get(key)?.now)}`,
    );
  }

  /** Waits until `look` returns a value, running everything but the clock. */
  async until<T>(
    look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
    what = "a condition",
  ): Promise<T> {
    for (let turn = 0; turn < 1_000; turn++) {
      const found = await look();
      if (found) return found;
      await settle();
    }
    throw new Error(`waited in vain for ${what}`);
  }

  #createPeer(id: ClientId, storage: MemoryFileStorage): FilePeer {
    const library = new FileLibrary({ storage, clock: this.clock });
    const channels = id === aId ? this.link.a : this.link.b;
    const engine =
      this.#thread === "worker"
        ? this.#startWorker(id, storage)
        : new LocalTransferEngine({ clock: this.clock, ...this.#compression });
    const transfers = new TransferService({
      store: createStore<TransferSnapshots>(new Map()),
      channels,
      library,
      options: () => this.options,
      clock: this.clock,
      engine: async () => engine,
      paceTo: () => null,
    });
    const states = new Map<TransferKey, TransferState[]>();
    transfers.on("state", ({ key }, state) => states.set(key, [...(states.get(key) ?? []), state]));
    return { id, storage, library, transfers, states };
  }

  #startWorker(id: ClientId, storage: MemoryFileStorage): TransferEngine {
    const { page, worker, thread } = createThreadPair<HostMessage, RunEvent>();
    this.workers.set(id, thread);
    new TransferHost({ port: worker, storage, clock: this.clock, ...this.#compression });
    return new WorkerTransferEngine(page, this.clock);
  }
}

/** Claims a file and opens it as an engine does. */
export async function openReceived(
  library: FileLibrary,
  description: FileDescription,
  peerId: ClientId,
  clock: Clock = new FakeClock(),
): Promise<ReceivedFile> {
  const claim = await library.claim(description, peerId);
  return new ReceivedFile(claim, await claim.open(), new StallWatch(clock));
}

/** Incompressible pseudo-random bytes; the same for the same seed. */
export function noise(sizeBytes: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes);
  let state = seed | 0 || 1;
  for (let index = 0; index < sizeBytes; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[index] = state & 0xff;
  }
  return bytes;
}

/** SHA-256 as hex: comparing digests is fast, comparing megabytes element by element is not. */
export function digestText(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** A file with the given bytes. */
export function fileOf(
  bytes: Uint8Array<ArrayBuffer>,
  name = "noise.bin",
  type = "application/octet-stream",
): File {
  return new File([bytes], name, { type, lastModified: 1_600_000_000_000 });
}
