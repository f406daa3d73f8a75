import {
  type ClientId,
  type ErrorDescription,
  type FileDescription,
  type FileId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { FileSource } from "../files/file-source.ts";
import { isOutOfSpace } from "../files/space.ts";
import type { TransferLane } from "../lanes/transfer-lane.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Options } from "../settings/options.ts";
import { Emitting } from "../shared/emitter.ts";
import type { Log } from "../shared/log.ts";
import { settledInTime, type TransferStep } from "../shared/stall-watch.ts";
import type { EngineChoice, RunReport, TransferRun } from "./engine/transfer-engine.ts";
import { heldNeedOf } from "./held-bytes.ts";
import type { Offer, TransferState } from "./offer-state.ts";
import { noSpeed, ProgressMeter } from "./progress-meter.ts";
import {
  channelLabelOf,
  channelsPerTransfer,
  openChannels,
  type TransferChannels,
} from "./transfer-channels.ts";
import {
  type TransferKey,
  type TransferMode,
  type TransferSnapshot,
  transferKeyOf,
} from "./transfer-state.ts";

/** How long the first channel may take to open: the sender's page may have to wake up first. */
export const openLimitMs = 60_000;
/**
 * How long to wait for the reason when all channels close: a pause or a lost connection may be reported a moment later.
 * Without a reason the transfer counts as failed.
 */
export const reasonGraceMs = 1_000;
/** Channels of a sent file count until both sides have closed them; until then a connection may accept no others. */
const channelRetryMs = 500;
/** A transfer without progress for this long does not count against the quotas of other clients. */
const silenceLimitMs = 10_000;
/** After this long without progress its sender may never go on. */
const stuckMs = 60_000;
/** Smaller files are done before lanes help. */
const spreadFromBytes = 1024 * 1024;

/** The options that transfers use. */
export type TransferOptions = Pick<
  Options,
  "channelsNumber" | "ordered" | "blockSize" | "bufferedAmountLowThreshold" | "compressionLevel"
>;

/** The phase of a transfer, the only record of whether it waits, runs or has ended. */
export type TransferPhase =
  /** Waits for memory, for its client's quota or, if held back, for its connection to accept a channel again. */
  | { readonly name: "queued"; readonly isHeldBack: boolean }
  /** Claims its file, loads code and opens channels; with a run, waits for the first channel to open. */
  | { readonly name: "opening"; readonly run: TransferRun | null }
  | { readonly name: "running"; readonly run: TransferRun }
  /** Stores pending writes and releases its file. `end` is null if no end is reported. */
  | { readonly name: "closing"; readonly end: Offer | null }
  | { readonly name: "ended"; readonly end: Offer | null };

/** The dependencies of all transfers. */
export interface TransferDeps {
  readonly channels: Pick<TransferChannels, "open" | "lanesTo">;
  readonly library: Pick<FileLibrary, "claim" | "sourceOf">;
  readonly engine: EngineChoice;
  readonly options: () => TransferOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** The rate limit for sending to a client, in bytes per second; null for no limit. */
  readonly paceTo: (peerId: ClientId) => number | null;
  /** Resolves once a file being deleted is gone. */
  readonly removalOf: (fid: FileId) => Promise<void> | undefined;
}

/** The file, client and direction of a transfer. */
export interface TransferRequest {
  readonly mode: TransferMode;
  readonly peerId: ClientId;
  readonly description: FileDescription;
  /** The digest that received bytes have to match, if it is known before they come. */
  readonly root: string | undefined;
  /** Resolves once the previous transfer with this key has released its file. */
  readonly before: Promise<void> | undefined;
}

/** The events of a {@link Transfer}. */
export type TransferPhaseEvents = {
  phase: [phase: TransferPhase];
  /** The other side violated the protocol. */
  violation: [issue: string];
  /** It cannot continue and has to be closed; null if only {@link Transfer.ready} reports the reason. */
  stopped: [end: Offer | null];
};

/** One file on its way to or from one client, once: a resumed transfer is a new object with the same key. */
export class Transfer extends Emitting<TransferPhaseEvents> {
  readonly key: TransferKey;
  readonly peerId: ClientId;
  readonly fid: FileId;
  readonly mode: TransferMode;
  readonly description: FileDescription;
  /** The bytes it may hold in memory. */
  readonly needBytes: number;
  /**
   * Resolves with true once the channels of a received file are accepted, false if it was closed before.
   * Rejects with `not-enough-space`, `cache-exists`, `storage-full` or `storage-failed`.
   */
  readonly ready: Promise<boolean>;
  readonly #deps: TransferDeps;
  readonly #root: string | undefined;
  readonly #before: Promise<void> | undefined;
  readonly #meter: ProgressMeter;
  readonly #lanes = new Set<TransferLane>();
  #phase: TransferPhase = { name: "queued", isHeldBack: false };
  #settleReady: (isReady: boolean | Promise<never>) => void = () => {};
  #opening: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #cancelTimer: CancelTimer | null = null;
  #startedAt: number | null = null;
  /** When bytes last moved. */
  #movedAtMs = 0;
  #bytes = 0;
  #speed = noSpeed;
  #mergingProgress: number | null = null;
  /** The number of its next channel. */
  #nextChannel = 0;
  #isOrdered = false;

  constructor({ mode, peerId, description, root, before }: TransferRequest, parts: TransferDeps) {
    super();
    this.key = transferKeyOf(peerId, description.fid);
    this.peerId = peerId;
    this.fid = description.fid;
    this.mode = mode;
    this.description = description;
    this.needBytes = heldNeedOf(description);
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    // Only the caller of `expect` handles a rejection; nobody does when sending.
    this.ready.catch(() => {});
    this.#deps = parts;
    this.#root = root;
    this.#before = before;
    this.#meter = new ProgressMeter(description.fileSize);
  }

  get phase(): TransferPhase {
    return this.#phase;
  }

  get now(): TransferState {
    return stateOf(this.#phase);
  }

  /** Whether it has been stopped; its file may still have to be released. */
  get isClosed(): boolean {
    return this.#phase.name === "closing" || this.#phase.name === "ended";
  }

  /**
   * Whether another request for the same file can join it: not once all its channels are gone and only its end is
   * pending.
   */
  get canBeJoined(): boolean {
    return !this.isClosed && this.#run?.isOver !== true;
  }

  /** Whether its file was opened: it moves, has moved, or waits for its first channel. */
  get isStarted(): boolean {
    return this.#startedAt !== null;
  }

  /** Whether no bytes have moved for a while. */
  get isSilent(): boolean {
    return this.#silentMs >= silenceLimitMs;
  }

  /** Whether bytes are missing, and none have moved for so long that they had better come from somebody else. */
  get isStuck(): boolean {
    return this.#silentMs >= stuckMs && this.#bytes < this.description.fileSize;
  }

  get #silentMs(): number {
    return this.#run === null ? 0 : this.#deps.clock.elapsedMs() - this.#movedAtMs;
  }

  get #run(): TransferRun | null {
    return this.#phase.name === "opening" || this.#phase.name === "running" ? this.#phase.run : null;
  }

  /** Leaves the queue. */
  open(): void {
    this.#enter({ name: "opening", run: null });
    const opening = this.mode === "send" ? this.#openOutgoing() : this.#openIncoming();
    this.#opening = opening.catch((thrown: unknown) => this.#failToOpen(toWarrenError(thrown)));
  }

  /** Takes a channel opened by the other side, or closes it. */
  accept(channel: RTCDataChannel): void {
    const run = this.#run;
    if (this.mode === "receive" && run && run.channelCount < channelsPerTransfer)
      run.addChannel(channel, null);
    else channel.close();
  }

  /** Applies the current rate limit of its client. */
  pace(): void {
    if (this.mode === "send") this.#run?.setPace(this.#deps.paceTo(this.peerId));
  }

  /** Spreads a large outgoing file over all current lanes, and leaves those that are gone. */
  spread(): void {
    const run = this.#run;
    if (this.mode === "receive" || !run || this.description.fileSize < spreadFromBytes) return;
    const open = this.#deps.channels.lanesTo(this.peerId);
    for (const lane of this.#lanes) {
      if (open.includes(lane)) continue;
      this.#lanes.delete(lane);
      run.leaveLane(lane.id, lane.isLost);
    }
    for (const lane of open) if (!this.#lanes.has(lane)) this.#join(lane, run);
  }

  /** Measures its progress; called at regular intervals. */
  measure(): void {
    const run = this.#run;
    if (!run) return;
    const { clock } = this.#deps;
    const bytes = run.transferredBytes;
    if (bytes !== this.#bytes) this.#movedAtMs = clock.elapsedMs();
    this.#bytes = bytes;
    this.#speed = this.#meter.sample(clock.elapsedMs(), bytes);
  }

  /** Its published state, as last measured. */
  snapshot(): TransferSnapshot {
    const { key, peerId, fid, mode, description } = this;
    return {
      ...{ key, peerId, fid, mode },
      fileName: description.fileName,
      totalBytes: description.fileSize,
      transferredBytes: this.#bytes,
      ...this.#speed,
      isSilent: this.#phase.name === "running" && this.isSilent,
      now: this.now,
      mergingProgress: this.#mergingProgress,
      startedAt: this.#startedAt,
    };
  }

  /** Stops at once and reports only its end. Resolves once its file is released, and never rejects. */
  close(end: Offer | null): Promise<void> {
    this.#closing ??= this.#close(end);
    return this.#closing;
  }

  async #close(end: Offer | null): Promise<void> {
    const run = this.#run;
    if (run) this.#bytes = end?.state === "complete" ? this.description.fileSize : run.transferredBytes;
    this.#speed = noSpeed;
    this.#mergingProgress = null;
    this.#cancelTimer?.();
    this.#settleReady(false);
    this.#enter({ name: "closing", end });
    try {
      await Promise.all([this.#before, this.#opening, run?.close()]);
    } catch (thrown) {
      this.#deps.log.warn("a transfer did not close cleanly", { code: toWarrenError(thrown).code });
    }
    // Pending writes are stored by now.
    if (run && end?.state !== "complete") this.#bytes = run.transferredBytes;
    this.#enter({ name: "ended", end });
  }

  async #openOutgoing(): Promise<void> {
    const { peerId, fid, description } = this;
    const { engine: choose, channels, library } = this.#deps;
    const engine = await this.#settled("load", choose("send", fid));
    if (this.#phase.name !== "opening") return;
    const source = requireSource(library, description);
    const opening = this.#settled(
      "read",
      source.blob().catch(() => null),
    );
    // `ready` settles when the transfer is closed.
    await Promise.race([opening, this.ready]);
    if (this.#phase.name !== "opening") return;
    const blob = await opening;
    const options = this.#deps.options();
    const opened = openChannels(channels, { peerId, fid }, options);
    this.#nextChannel = opened.length;
    this.#isOrdered = options.ordered;
    this.#start(engine.send({ peerId, description, source, blob, options }), opened);
    this.spread();
  }

  async #openIncoming(): Promise<void> {
    const { engine: choose, library, removalOf } = this.#deps;
    await this.#settled("store", Promise.all([this.#before, removalOf(this.fid)]));
    if (this.#phase.name !== "opening") return;
    const choosing = this.#settled("load", choose("receive", this.fid));
    // The rejection is handled by the await below, unless claiming fails first.
    choosing.catch(() => {});
    const claim = await library.claim(this.description, this.peerId, this.#root);
    const engine = await choosing.catch((error: unknown) => {
      claim.abandon();
      throw error;
    });
    const run = await engine.receive(claim);
    if (this.#phase.name === "opening") this.#start(run, []);
    else await run.close();
  }

  #start(run: TransferRun, channels: readonly RTCDataChannel[]): void {
    const { clock, paceTo } = this.#deps;
    this.#bytes = run.transferredBytes;
    this.#startedAt = clock.now();
    this.#movedAtMs = clock.elapsedMs();
    run.on("report", (report) => this.#receive(report, run));
    for (const channel of channels) run.addChannel(channel, null);
    const pace = this.mode === "send" ? paceTo(this.peerId) : null;
    if (pace !== null) run.setPace(pace);
    this.#limitOpening();
    this.#settleReady(true);
    this.#enter({ name: "opening", run });
  }

  /** The result of what this browser does; rejects with `transfer-stalled` if it does not answer. */
  #settled<T>(step: TransferStep, promise: Promise<T>): Promise<T> {
    return settledInTime(this.#deps.clock, step, promise);
  }

  #limitOpening(): void {
    this.#setTimer(openLimitMs, () => this.emit("stopped", { state: "accepted" }));
  }

  #failToOpen(error: WarrenError): void {
    // It was closed in the meantime.
    if (this.#phase.name !== "opening") return;
    if (error.code === "no-available-channel") {
      this.#setTimer(channelRetryMs, () => this.#enter({ name: "queued", isHeldBack: false }));
      this.#enter({ name: "queued", isHeldBack: true });
      return;
    }
    const end = { state: "failed", error: error.describe() } as const;
    // The caller of `expect` reports other errors.
    const isReported = this.mode === "receive" && error.code !== "transfer-stalled";
    if (isReported) this.#settleReady(Promise.reject(error));
    this.emit("stopped", isReported ? null : end);
  }

  #receive(report: RunReport, run: TransferRun): void {
    if (this.isClosed) return;
    switch (report.type) {
      case "open":
        this.#cancelTimer?.();
        this.#enter({ name: "running", run });
        break;
      case "violation":
        this.emit("violation", report.issue);
        break;
      case "merging":
        this.#mergingProgress = report.progress;
        break;
      case "complete":
        this.emit("stopped", { state: "complete" });
        break;
      case "error":
        this.emit("stopped", endOf(report.error));
        break;
      case "channels-closed": {
        const end = endOf(new WarrenError("connection-closed").describe());
        this.#setTimer(reasonGraceMs, () => this.emit("stopped", end));
        break;
      }
    }
  }

  #enter(phase: TransferPhase): void {
    this.#phase = phase;
    this.emit("phase", phase);
  }

  #join(lane: TransferLane, run: TransferRun): void {
    let channel: RTCDataChannel;
    try {
      channel = lane.openTransferChannel(channelLabelOf(this.fid, this.#nextChannel), {
        ordered: this.#isOrdered,
      });
    } catch {
      // The lane has just ended, or has no channels left: the file uses the others.
      return;
    }
    this.#nextChannel++;
    this.#lanes.add(lane);
    run.addChannel(channel, lane.id);
  }

  #setTimer(delayMs: number, callback: () => void): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.clock.after(delayMs, callback);
  }
}

/** The bytes of a file. @throws WarrenError `source-missing`, or `source-changed` when it is known to have changed. */
export function requireSource(
  library: Pick<FileLibrary, "sourceOf">,
  { fid, fileSize }: FileDescription,
): FileSource {
  const source = library.sourceOf(fid);
  if (!source) throw new WarrenError("source-missing");
  if (source.sizeBytes !== fileSize || source.changed()) throw new WarrenError("source-changed");
  return source;
}

/** On a full disk it waits for space. */
function endOf(error: ErrorDescription): Offer {
  return isOutOfSpace(error) ? { state: "needsSpace" } : { state: "failed", error };
}

/** Each is one object: what has not changed is not published again. */
const states = {
  queued: { state: "queued" },
  opening: { state: "opening" },
  running: { state: "running" },
  /** Closed without a report: another transfer of the file follows, or the page closes. */
  unreported: { state: "accepted" },
} as const satisfies Readonly<Record<string, TransferState>>;

function stateOf(phase: TransferPhase): TransferState {
  if (phase.name === "closing" || phase.name === "ended") return phase.end ?? states.unreported;
  return states[phase.name];
}
