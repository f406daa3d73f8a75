import {
  type ClientId,
  contentSizeOf,
  type ErrorCode,
  type FileDescription,
  type FileId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { Clock } from "../ports/clock.ts";
import type { Options } from "../settings/options.ts";
import type { EventSource } from "../shared/emitter.ts";
import { type Log, silentLog } from "../shared/log.ts";
import type { ReadableStore } from "../shared/store.ts";
import { LanedTransferEngine } from "./laned-transfer-engine.ts";
import { LazyTransferEngine } from "./lazy-transfer-engine.ts";
import { TransferBoard, type TransferBoardEvents } from "./transfer-board.ts";
import {
  channelsPerTransfer,
  fileIdOfLabel,
  openChannels,
  type TransferChannels,
} from "./transfer-channels.ts";
import type { TransferEngine } from "./transfer-engine.ts";
import type { TransferRun, TransferRunHandlers } from "./transfer-run.ts";
import {
  type PauseReason,
  partsOf,
  type Transfer,
  type TransferKey,
  type TransferState,
  type TransferStatus,
  transferKeyOf,
} from "./transfer-state.ts";

/** The options transfers follow. */
export type TransferOptions = Pick<
  Options,
  | "channelsNumber"
  | "ordered"
  | "blockSize"
  | "bufferedAmountLowThreshold"
  | "compressionLevel"
  | "maxFileSize"
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
  readonly #channels: TransferChannels;
  readonly #library: FileLibrary;
  readonly #options: () => TransferOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #engine: TransferEngine;
  readonly #board: TransferBoard;
  readonly #runs = new Map<TransferKey, TransferRun>();
  readonly #preparing = new Map<TransferKey, Promise<void>>();
  readonly #closing = new Map<TransferKey, Promise<void>>();
  readonly #stopListening: () => void;
  #isClosed = false;

  constructor({ channels, library, options, clock, engine, log = silentLog }: TransferServiceParts) {
    this.#channels = channels;
    this.#library = library;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#engine = new LanedTransferEngine(engine ?? new LazyTransferEngine({ clock, log }), channels);
    this.#board = new TransferBoard(clock);
    this.store = this.#board.store;
    this.#stopListening = channels.on("transfer-channel", (from, channel) => this.#accept(from, channel));
  }

  get on(): EventSource<TransferBoardEvents>["on"] {
    return this.#board.events.on.bind(this.#board.events);
  }

  /**
   * Sends a file to a client that expects it, or goes on sending it; joins a transfer of it that already runs.
   * @throws WarrenError `file-too-large`, `source-missing`, `source-changed`, `no-session`, or `transferer-closed` after
   * {@link close}; what fails later is told by "status".
   */
  send(peerId: ClientId, description: FileDescription): void {
    if (this.#isClosed) throw new WarrenError("transferer-closed");
    const key = transferKeyOf(peerId, description.fid);
    if (this.#isRunning(key, "send")) return;
    this.#checkSize(description);
    const source = this.#library.sourceOf(description.fid);
    if (!source) throw new WarrenError("source-missing");
    if (source.sizeBytes !== description.fileSize || source.changed())
      throw new WarrenError("source-changed");
    void this.#stop(key);
    const run = this.#engine.send(
      {
        peerId,
        description,
        source,
        channels: openChannels(this.#channels, { peerId, fid: description.fid }, this.#options()),
        options: this.#options(),
      },
      this.#handlersOf(key),
    );
    this.#begin(peerId, description, run);
    void this.#library
      .addPeer(description.fid, peerId)
      .catch(() => this.#log.warn("could not note who has a file"));
  }

  /**
   * Lets a client send this file, from where it stopped. Once this resolves its channels are let in; channels for
   * anything else are closed.
   * Rejects with `file-too-large`, `not-enough-space`, `cache-exists`, `storage-full` or `storage-failed`.
   */
  expect(peerId: ClientId, description: FileDescription): Promise<void> {
    const key = transferKeyOf(peerId, description.fid);
    const preparing = this.#preparing.get(key);
    if (preparing !== undefined) return preparing;
    const prepared = this.#prepare(key, peerId, description).finally(() => this.#preparing.delete(key));
    this.#preparing.set(key, prepared);
    return prepared;
  }

  /** Stops a transfer without a fault; {@link send} or {@link expect} goes on with it. */
  pause(key: TransferKey, by: PauseReason): void {
    this.#end(key, { status: "paused", by });
  }

  /** Gives a transfer up. What was received so far of a file that is not complete is deleted. */
  cancel(key: TransferKey): void {
    const { fid } = partsOf(key);
    const wasSending = this.#runs.get(key)?.mode === "send";
    this.#end(key, { status: "error", error: new WarrenError("transfer-cancelled").describe() });
    if (!wasSending && !this.#library.isComplete(fid)) this.#forget(key);
  }

  /** Deletes a file, once every transfer of it was given up and has let it go. Rejects with `storage-failed`. */
  async discard(fid: FileId): Promise<void> {
    const ofFile = ([key]: readonly [TransferKey, unknown]) => partsOf(key).fid === fid;
    await Promise.allSettled([...this.#preparing].filter(ofFile).map(([, prepared]) => prepared));
    for (const [key] of [...this.#runs].filter(ofFile)) this.cancel(key);
    await Promise.all([...this.#closing].filter(ofFile).map(([, closing]) => closing));
    await this.#library.remove(fid);
  }

  /** The other side told why it can not go on. */
  fail(key: TransferKey, error: WarrenError): void {
    this.#end(key, { status: "error", error: error.describe() });
  }

  /** The connection to a client is gone: its transfers wait until it is back. */
  peerLost(peerId: ClientId): void {
    for (const key of [...this.#runs.keys()]) if (partsOf(key).peerId === peerId) this.pause(key, "absence");
  }

  /** Stops everything and says no more. Resolves once what was received is stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#board.close();
    await Promise.all([...this.#runs.keys()].map((key) => this.#stop(key)));
    await Promise.all(this.#closing.values());
  }

  async #prepare(key: TransferKey, peerId: ClientId, description: FileDescription): Promise<void> {
    if (this.#isRunning(key, "receive")) return;
    this.#checkSize(description);
    void this.#stop(key);
    await this.#closing.get(key);
    const claim = await this.#library.claim(description, peerId);
    const run = await this.#engine.receive(claim, this.#handlersOf(key));
    this.#begin(peerId, description, run);
  }

  #begin(peerId: ClientId, { fid, fileName, fileSize }: FileDescription, run: TransferRun): void {
    const key = transferKeyOf(peerId, fid);
    this.#runs.set(key, run);
    const shown = {
      key,
      peerId,
      fid,
      mode: run.mode,
      fileName,
      totalBytes: fileSize,
    } satisfies Partial<Transfer>;
    this.#board.begin(shown, run.transferredBytes);
  }

  #handlersOf(key: TransferKey): TransferRunHandlers {
    return {
      onOpen: () => this.#board.setState(key, { status: "transferring" }),
      onMerging: (share) => this.#board.merging(key, share),
      onComplete: () => this.#end(key, { status: "complete", verified: true }),
      onError: (error) => this.#failed(key, error),
      onChannelsClosed: () => this.#channelsClosed(key),
    };
  }

  /** A full disk is waited for. */
  #failed(key: TransferKey, error: WarrenError): void {
    if (error.code === "storage-full") {
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

  #accept(from: ClientId, channel: RTCDataChannel): void {
    const fid = fileIdOfLabel(channel.label);
    const run = fid === null ? undefined : this.#runs.get(transferKeyOf(from, fid));
    if (run?.mode === "receive" && run.channelCount < channelsPerTransfer) run.addChannel(channel, null);
    else channel.close();
  }

  /** Ends the run of a transfer, if it has one, with what is then shown of it. */
  #end(key: TransferKey, status: TransferStatus): void {
    const run = this.#runs.get(key);
    if (!run) return;
    this.#board.finish(key, status);
    // What was on its way to storage still gets there.
    void this.#stop(key).then(() => this.#board.correct(key, run.transferredBytes()));
  }

  /** Never rejects. Once this returns nothing more is heard of the run; once it resolves its file is free. */
  #stop(key: TransferKey): Promise<void> {
    const run = this.#runs.get(key);
    this.#runs.delete(key);
    return run ? this.#settle(key, run.close()) : Promise.resolve();
  }

  /** Deletes a file once its run has let it go, unless someone else is sending it to us. */
  #forget(key: TransferKey): void {
    const { fid } = partsOf(key);
    for (const [other, { mode }] of this.#runs) if (mode === "receive" && partsOf(other).fid === fid) return;
    const free = this.#closing.get(key) ?? Promise.resolve();
    void this.#settle(
      key,
      free.then(() => this.#library.remove(fid)),
    );
  }

  #settle(key: TransferKey, work: Promise<void>): Promise<void> {
    const settled = Promise.all([this.#closing.get(key), work])
      .then(() => {})
      .catch((thrown: unknown) => {
        this.#log.warn("a transfer did not close cleanly", { code: toWarrenError(thrown).code });
      })
      .finally(() => {
        if (this.#closing.get(key) === settled) this.#closing.delete(key);
      });
    this.#closing.set(key, settled);
    return settled;
  }

  /** Whether a run is alive: one whose channels have all closed only waits for its end. */
  #isRunning(key: TransferKey, mode: TransferRun["mode"]): boolean {
    const run = this.#runs.get(key);
    return run?.mode === mode && !run.isOver;
  }

  #checkSize(description: FileDescription): void {
    const { maxFileSize } = this.#options();
    const sizeBytes = contentSizeOf(description);
    if (sizeBytes > maxFileSize)
      throw new WarrenError("file-too-large", { sizeBytes, limitBytes: maxFileSize });
  }
}
