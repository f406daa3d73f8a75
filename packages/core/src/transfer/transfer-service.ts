import {
  type ClientId,
  type ErrorCode,
  type FileDescription,
  type FileId,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import { isNoRoom } from "../files/space.ts";
import type { Clock } from "../ports/clock.ts";
import type { Options } from "../settings/options.ts";
import type { EventSource } from "../shared/emitter.ts";
import { type Log, silentLog } from "../shared/log.ts";
import type { ReadableStore } from "../shared/store.ts";
import { LanedTransferEngine } from "./laned-transfer-engine.ts";
import { LazyTransferEngine } from "./lazy-transfer-engine.ts";
import { TransferBoard, type TransferBoardEvents } from "./transfer-board.ts";
import type { TransferChannels } from "./transfer-channels.ts";
import type { TransferEngine } from "./transfer-engine.ts";
import { TransferPreparations } from "./transfer-preparations.ts";
import type { TransferRun, TransferRunHandlers } from "./transfer-run.ts";
import { TransferRuns } from "./transfer-runs.ts";
import { TransferStarts } from "./transfer-starts.ts";
import {
  type PauseReason,
  partsOf,
  type TransferKey,
  type TransferSnapshot,
  type TransferState,
  type TransferStatus,
  transferKeyOf,
} from "./transfer-state.ts";

/** The options transfers follow. */
export type TransferOptions = Pick<
  Options,
  "channelsNumber" | "ordered" | "blockSize" | "bufferedAmountLowThreshold" | "compressionLevel"
>;

/** What a {@link TransferService} stands on. */
export interface TransferServiceParts {
  readonly channels: TransferChannels;
  readonly library: FileLibrary;
  readonly options: () => TransferOptions;
  readonly clock: Clock;
  /** Where bytes are moved; in this thread when absent. */
  readonly engine?: TransferEngine | undefined;
  readonly log?: Log;
}

/**
 * When all channels close, the reason (a pause, a lost connection) may be a moment behind them. This long it is
 * waited for before the transfer counts as failed.
 */
export const reasonGraceMs = 1_000;

/** Errors after which what was received is of no use to a second attempt. */
const uselessBytes: ReadonlySet<ErrorCode> = new Set(["root-verification-failed", "tree-invalid"]);

/** Moves files between this browser's library and the clients of the room. The only writer of what is shown of that. */
export class TransferService implements EventSource<TransferBoardEvents> {
  readonly store: ReadableStore<TransferState>;
  readonly #library: FileLibrary;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #board: TransferBoard;
  readonly #runs: TransferRuns;
  readonly #preparing: TransferPreparations;
  readonly #starting: TransferStarts;
  readonly #stopListening: () => void;
  #isClosed = false;

  constructor({ channels, library, options, clock, engine, log = silentLog }: TransferServiceParts) {
    this.#library = library;
    this.#clock = clock;
    this.#log = log;
    const laned = new LanedTransferEngine(engine ?? new LazyTransferEngine({ clock, log }), channels);
    this.#board = new TransferBoard(clock);
    this.store = this.#board.store;
    this.#runs = new TransferRuns({
      ...{ clock, log },
      onUnopened: (key) => this.pause(key, "absence"),
      onUnexpected: (key) => {
        if (this.#preparing.of(key) === undefined) this.#board.events.emit("unexpected", key);
      },
    });
    const onWaiting = (key: TransferKey) => this.#board.announce(key, { status: "paused", by: "turn" });
    this.#preparing = new TransferPreparations({ clock, library, engine: laned, onWaiting });
    this.#starting = new TransferStarts({
      ...{ channels, library, engine: laned, options, clock, onWaiting },
      onError: (key, error) => this.#board.announce(key, { status: "error", error: error.describe() }),
    });
    this.#stopListening = channels.on("transfer-channel", (from, channel) =>
      this.#runs.accept(from, channel),
    );
  }

  get on(): EventSource<TransferBoardEvents>["on"] {
    return this.#board.events.on.bind(this.#board.events);
  }

  /**
   * Sends a file to a client that expects it, or goes on sending it, when it is its turn; joins a transfer of it that
   * already runs or waits.
   * @throws WarrenError `source-missing`, `source-changed`, `no-session`, or `transferer-closed` after
   * {@link close}; what fails later is told by "status".
   */
  send(peerId: ClientId, description: FileDescription): void {
    if (this.#isClosed) throw new WarrenError("transferer-closed");
    const key = transferKeyOf(peerId, description.fid);
    if (this.#runs.isRunning(key, "send") || this.#starting.isWaiting(key)) return;
    this.#starting.requireSource(description);
    void this.#stop(key);
    this.#starting.begin(peerId, description, {
      handlers: this.#handlersOf(key),
      onBegun: (run) => this.#begin(key, description, run),
    });
    void this.#library
      .addPeer(description.fid, peerId)
      .catch(() => this.#log.warn("could not note who has a file"));
  }

  /**
   * Lets a client send this file, from where it stopped, when it is its turn. Once this resolves its channels are let
   * in; channels for anything else are closed.
   * @returns false where it was paused or given up meanwhile.
   * Rejects with `not-enough-space`, `cache-exists`, `storage-full` or `storage-failed`.
   */
  expect(peerId: ClientId, description: FileDescription): Promise<boolean> {
    const key = transferKeyOf(peerId, description.fid);
    return this.#preparing.of(key) ?? this.#prepare(key, description);
  }

  /** Whether a transfer runs, is prepared or waits for its turn. */
  isUnderWay(key: TransferKey): boolean {
    return this.#keys().has(key);
  }

  /** Stops a transfer without a fault; {@link send} or {@link expect} goes on with it. */
  pause(key: TransferKey, by: PauseReason): void {
    this.#end(key, { status: "paused", by });
  }

  /** Gives a transfer up, and says why. What was received so far of a file that is not complete is deleted. */
  cancel(key: TransferKey, error = new WarrenError("transfer-cancelled")): void {
    const { fid } = partsOf(key);
    const wasSending = this.#runs.get(key)?.mode === "send";
    this.#end(key, { status: "error", error: error.describe() });
    if (!wasSending && !this.#library.isComplete(fid)) this.#forget(key);
  }

  /** Deletes a file, once every transfer of it was given up and has let it go. Rejects with `storage-failed`. */
  async discard(fid: FileId): Promise<void> {
    for (const key of this.#keys()) if (partsOf(key).fid === fid) this.cancel(key);
    await this.#runs.closing.ofFile(fid);
    await this.#library.remove(fid);
  }

  /** The other side told why it can not go on. */
  fail(key: TransferKey, error: WarrenError): void {
    this.#end(key, { status: "error", error: error.describe() });
  }

  /** The connection to a client is gone: its transfers wait until it is back. */
  peerLost(peerId: ClientId): void {
    for (const key of this.#keys()) if (partsOf(key).peerId === peerId) this.pause(key, "absence");
  }

  /** Stops everything and says no more. Resolves once what was received is stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#board.close();
    for (const key of this.#keys()) {
      this.#giveUp(key);
      void this.#stop(key);
    }
    await this.#runs.closing.all();
  }

  async #prepare(key: TransferKey, description: FileDescription): Promise<boolean> {
    if (this.#runs.isRunning(key, "receive")) return true;
    void this.#stop(key);
    return this.#preparing.begin(key, description, {
      free: this.#runs.closing.of(key),
      handlers: this.#handlersOf(key),
      onPrepared: (run) => this.#begin(key, description, run),
    });
  }

  #begin(key: TransferKey, { fileName, fileSize }: FileDescription, run: TransferRun): void {
    this.#runs.add(key, run);
    const shown = {
      key,
      ...partsOf(key),
      mode: run.mode,
      fileName,
      totalBytes: fileSize,
    } satisfies Partial<TransferSnapshot>;
    this.#board.begin(shown, run.transferredBytes);
  }

  #handlersOf(key: TransferKey): TransferRunHandlers {
    return {
      onOpen: () => {
        this.#runs.opened(key);
        this.#board.setState(key, { status: "transferring" });
      },
      onMerging: (share) => this.#board.merging(key, share),
      onComplete: () => this.#end(key, { status: "complete", verified: true }),
      onError: (error) => this.#failed(key, error),
      onChannelsClosed: () => this.#channelsClosed(key),
    };
  }

  /** A full disk is waited for. */
  #failed(key: TransferKey, error: WarrenError): void {
    if (isNoRoom(error)) {
      this.#end(key, { status: "paused", by: "storage" });
      return;
    }
    const receiving = this.#runs.get(key)?.mode === "receive";
    this.#end(key, { status: "error", error: error.describe() });
    if (receiving && uselessBytes.has(error.code)) this.#forget(key);
  }

  #channelsClosed(key: TransferKey): void {
    const run = this.#runs.get(key);
    this.#clock.after(reasonGraceMs, () => {
      if (run && this.#runs.get(key) === run) this.fail(key, new WarrenError("connection-closed"));
    });
  }

  /** Ends a transfer that runs, is prepared or waits, with what is then shown of it. */
  #end(key: TransferKey, status: TransferStatus): void {
    const run = this.#runs.get(key);
    if (!run) {
      if (this.#giveUp(key)) this.#board.announce(key, status);
      return;
    }
    this.#board.finish(key, status);
    // What was on its way to storage still gets there.
    void this.#stop(key).then(() => this.#board.correct(key, run.transferredBytes()));
  }

  /** @returns whether there was anything that had not begun. */
  #giveUp(key: TransferKey): boolean {
    const wasWaiting = this.#starting.leave(key);
    const left = this.#preparing.giveUp(key);
    if (left !== null) void this.#runs.closing.add(key, left);
    return wasWaiting || left !== null;
  }

  /** As `TransferRuns.stop`; whoever waits takes its turn. */
  #stop(key: TransferKey): Promise<void> {
    const stopped = this.#runs.stop(key);
    this.#starting.leave(key);
    this.#preparing.leave(key);
    return stopped;
  }

  /** Deletes a file once its run has let it go, unless someone else is sending it to us. */
  #forget(key: TransferKey): void {
    const { fid } = partsOf(key);
    if (this.#runs.isReceiving(fid)) return;
    const { closing } = this.#runs;
    void closing.add(
      key,
      closing.of(key).then(() => this.#library.remove(fid)),
    );
  }

  /** Of what waits, is prepared or runs: in this order, so that nothing takes the turn of what is stopped with it. */
  #keys(): ReadonlySet<TransferKey> {
    return new Set([...this.#starting.keys, ...this.#preparing.keys, ...this.#runs.keys]);
  }
}
