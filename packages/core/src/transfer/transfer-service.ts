import {
  type ClientId,
  type ErrorCode,
  type FileDescription,
  type FileId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitting } from "../shared/emitter.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { settledInTime } from "../shared/stall-watch.ts";
import type { ReadableStore, WritableStore } from "../shared/store.ts";
import type { EngineChoice } from "./engine/transfer-engine.ts";
import type { Offer, TransferState } from "./offer-state.ts";
import {
  requireSource,
  Transfer,
  type TransferDeps,
  type TransferOptions,
  type TransferPhase,
} from "./transfer.ts";
import { fileIdOfLabel, type TransferChannels } from "./transfer-channels.ts";
import { nextToOpen } from "./transfer-queue.ts";
import {
  partsOf,
  type TransferKey,
  type TransferMode,
  type TransferSnapshot,
  type TransferSnapshots,
  transferKeyOf,
} from "./transfer-state.ts";

export interface TransferServiceDeps {
  /** Published by this service. */
  readonly store: WritableStore<TransferSnapshots>;
  readonly channels: TransferChannels;
  readonly library: FileLibrary;
  readonly options: () => TransferOptions;
  readonly clock: Clock;
  /** Where bytes are moved. */
  readonly engine: EngineChoice;
  /** The rate limit for sending to a client, in bytes per second; null for no limit. */
  readonly paceTo: (peerId: ClientId) => number | null;
  readonly log?: Log;
}

/** What tells a transfer from others. */
export type TransferRef = Pick<Transfer, "key" | "peerId" | "fid" | "mode">;

/** The events of a {@link TransferService}. */
export type TransferEvents = {
  state: [transfer: TransferRef, state: TransferState];
  /**
   * A transfer broke off although its client may be connected: its channels closed without a reason, or this browser stalled.
   * Its offer is `accepted`, and should be resumed at once. If it breaks again within a minute, it fails instead.
   */
  broken: [transfer: TransferRef];
  /** A client started to send a file that we did not expect; its channel was closed. */
  unexpected: [peerId: ClientId, fid: FileId];
  /** A client violated the protocol on a channel of a file. */
  violation: [peerId: ClientId, issue: string];
};

/** Often enough to look alive. Rendering competes with sending for the processor, the bottleneck between fast peers. */
const publishPeriodMs = 500;

/** Errors after which the received bytes are useless to another attempt. */
const uselessBytes: ReadonlySet<ErrorCode> = new Set([
  "root-verification-failed",
  "tree-invalid",
  "tree-too-large",
]);

/** A transfer that breaks off more often than this is not resumed by itself, or two browsers could start each other for ever. */
const resumePeriodMs = 60_000;
/** Errors that another attempt may not meet. */
const breaks: ReadonlySet<ErrorCode> = new Set(["connection-closed", "transfer-stalled"]);

/** Moves files between the library and the clients of the room. The only writer of the published transfer state. */
export class TransferService extends Emitting<TransferEvents> {
  readonly store: ReadableStore<TransferSnapshots>;
  readonly #store: WritableStore<TransferSnapshots>;
  /** In order of arrival: queued, running, or still releasing their file. */
  readonly #transfers = new Map<TransferKey, Transfer>();
  /** Queued in this turn. */
  readonly #unpublished = new Map<TransferKey, Transfer>();
  /** When a transfer last broke off and was resumed, until it is complete or a person decides about it. */
  readonly #brokenAtMs = new Map<TransferKey, number>();
  /** Files being deleted: receiving one again waits for that. */
  readonly #removing = new Map<FileId, Promise<void>>();
  readonly #library: FileLibrary;
  readonly #deps: TransferDeps;
  readonly #stopListening: readonly (() => void)[];
  #cancelTicks: CancelTimer | null = null;
  #isClosed = false;

  constructor({
    store,
    channels,
    library,
    options,
    clock,
    engine,
    paceTo,
    log = silentLog,
  }: TransferServiceDeps) {
    super();
    this.store = store;
    this.#store = store;
    this.#library = library;
    this.#deps = {
      ...{ channels, library, options, clock, engine, log, paceTo },
      removalOf: (fid) => this.#removing.get(fid),
    };
    this.#stopListening = [
      channels.on("transfer-channel", (from, channel) => this.accept(from, channel)),
      channels.on("lanes", (to) => {
        for (const transfer of this.#transfers.values()) if (transfer.peerId === to) transfer.spread();
      }),
    ];
  }

  /**
   * Sends a file to a client that expects it, or resumes sending, once the queue allows. Joins a queued or running
   * transfer of the same file.
   * @throws WarrenError `source-missing`, `source-changed`, or `transferer-closed` after {@link close}. Later failures,
   * including `no-session`, are reported by "state".
   */
  send(peerId: ClientId, description: FileDescription): void {
    if (this.#isClosed) throw new WarrenError("transferer-closed");
    const known = this.#transfers.get(transferKeyOf(peerId, description.fid));
    if (known?.mode === "send" && known.canBeJoined) return;
    requireSource(this.#library, description);
    this.#queue("send", peerId, description);
    void this.#library
      .addPeer(description.fid, peerId)
      .catch(() => this.#deps.log.warn("could not note who has a file"));
  }

  /**
   * Lets a client send this file, from where it stopped, once the queue allows. Its channels are accepted once this
   * resolves; other channels are closed.
   * @returns false if it was paused or cancelled meanwhile.
   * @param root the digest that the bytes have to match, if it is known before they come
   * Rejects with `not-enough-space`, `cache-exists`, `storage-full` or `storage-failed`.
   */
  expect(peerId: ClientId, description: FileDescription, root?: string): Promise<boolean> {
    const known = this.#transfers.get(transferKeyOf(peerId, description.fid));
    if (known?.mode === "receive" && known.canBeJoined) return known.ready;
    if (this.#isClosed) return Promise.resolve(false);
    return this.#queue("receive", peerId, description, root).ready;
  }

  /** The state of a transfer, if there is one, in this direction if one is given; it may have ended. */
  stateOf(key: TransferKey, mode?: TransferMode): TransferState | undefined {
    const transfer = this.#transfers.get(key);
    return mode === undefined || transfer?.mode === mode ? transfer?.now : undefined;
  }

  /** Whether a transfer has begun, and has not moved for a minute. */
  isStuck(key: TransferKey): boolean {
    return this.#transfers.get(key)?.isStuck === true;
  }

  /** Ends a transfer, if there is one, as its offer did. What a receiver has stored stays: a transfer may resume from it. */
  stop(key: TransferKey, end: Offer): void {
    this.#close([this.#transfers.get(key)], end);
  }

  /** A person resumes or turns down a transfer: it may break off once more before it fails. */
  forgetBreak(key: TransferKey): void {
    this.#brokenAtMs.delete(key);
  }

  /** As {@link stop}; the received part of an incomplete file is deleted. */
  drop(key: TransferKey, end: Offer): void {
    const transfer = this.#transfers.get(key);
    const isSent = transfer?.isClosed === false && transfer.mode === "send";
    this.#close([transfer], end);
    const { fid } = partsOf(key);
    if (!isSent && !this.#library.isComplete(fid)) this.#forget(fid);
  }

  /** Cancels every transfer of a file, then deletes it. Rejects with `storage-failed` or `transfer-stalled`. */
  async discard(fid: FileId): Promise<void> {
    const ends = { send: "withdrawn", receive: "givenUp" } as const;
    for (const way of ["send", "receive"] as const)
      this.#close(
        this.#transfersOf(fid).filter(({ mode }) => mode === way),
        { state: ends[way] },
      );
    await this.#remove(fid);
  }

  /** The connection to a client is lost: its transfers wait until it is back. */
  peerLost(peerId: ClientId): void {
    const theirs = [...this.#transfers.values()].filter((transfer) => transfer.peerId === peerId);
    this.#close(theirs, { state: "accepted" });
  }

  /** Stops everything and reports nothing more. Resolves once received data is stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stopListening) stop();
    this.#cancelTicks?.();
    this.clear();
    await Promise.all([...this.#transfers.values()].map((transfer) => transfer.close(null)));
    await Promise.all(this.#removing.values());
  }

  #queue(mode: TransferMode, peerId: ClientId, description: FileDescription, root?: string): Transfer {
    const key = transferKeyOf(peerId, description.fid);
    const before = this.#transfers.get(key)?.close(null);
    const transfer = new Transfer({ mode, peerId, description, root, before }, this.#deps);
    transfer.on("phase", (phase) => this.#follow(transfer, phase));
    transfer.on("stopped", (end) => this.#end(transfer, end));
    transfer.on("violation", (issue) => this.emit("violation", peerId, issue));
    // Append at the end, also if an earlier transfer had this key.
    this.#transfers.delete(key);
    this.#transfers.set(key, transfer);
    this.#advance();
    if (transfer.phase.name === "queued") this.#reportQueued(transfer);
    return transfer;
  }

  /** The caller of a close reports `closing`, for several transfers together. */
  #follow(transfer: Transfer, phase: TransferPhase): void {
    switch (phase.name) {
      case "queued":
        if (phase.isHeldBack) this.#report(transfer);
        this.#advance();
        break;
      case "opening":
        if (phase.run) this.#start(transfer);
        break;
      case "running":
        // Published with its first progress: a small file is complete before that.
        this.emit("state", transfer, transfer.now);
        break;
      case "ended":
        this.#forgetEnded(transfer);
        break;
    }
  }

  #advance(): void {
    if (this.#isClosed) return;
    for (let next = this.#next(); next; next = this.#next()) next.open();
  }

  #next(): Transfer | null {
    return nextToOpen(this.#transfers.values());
  }

  #start(transfer: Transfer): void {
    this.#cancelTicks ??= this.#deps.clock.every(publishPeriodMs, () => this.#tick());
    this.#report(transfer);
  }

  /** Passes an open channel of a client to its transfer, and closes any other channel. */
  accept(from: ClientId, channel: RTCDataChannel): void {
    const fid = fileIdOfLabel(channel.label);
    const isOver = channel.readyState === "closing" || channel.readyState === "closed";
    const transfer = fid === null || isOver ? undefined : this.#transfers.get(transferKeyOf(from, fid));
    if (transfer && !transfer.isClosed) transfer.accept(channel);
    else {
      channel.close();
      if (fid !== null) this.emit("unexpected", from, fid);
    }
  }

  /** The rate limit for sending to a client changed. */
  paceChanged(peerId: ClientId): void {
    for (const transfer of this.#transfers.values()) if (transfer.peerId === peerId) transfer.pace();
  }

  #end(transfer: Transfer, end: Offer | null): void {
    if (this.#isToResume(transfer, end)) {
      this.#close([transfer], { state: "accepted" });
      this.emit("broken", transfer);
      return;
    }
    this.#close([transfer], end);
    const isUseless = end?.state === "failed" && uselessBytes.has(end.error.code);
    // What was whole before is not what came: whoever knows its id could delete it by offering something else.
    if (transfer.mode === "receive" && isUseless && !this.#library.isComplete(transfer.fid))
      this.#forget(transfer.fid);
  }

  /** Whether a transfer broke off, and for the first time in a minute. */
  #isToResume({ key }: Transfer, end: Offer | null): boolean {
    if (end?.state === "complete") this.#brokenAtMs.delete(key);
    if (end?.state !== "failed" || !breaks.has(end.error.code)) return false;
    const now = this.#deps.clock.elapsedMs();
    const brokenAtMs = this.#brokenAtMs.get(key) ?? Number.NEGATIVE_INFINITY;
    if (now - brokenAtMs < resumePeriodMs) return false;
    this.#brokenAtMs.set(key, now);
    this.#deps.log.warn("a transfer broke off and is resumed", { ...end.error });
    return true;
  }

  /** Closes all of them before reporting any, so that none leaves the queue in place of another. */
  #close(transfers: readonly (Transfer | undefined)[], end: Offer | null): void {
    const closed: Transfer[] = [];
    for (const transfer of transfers) {
      if (!transfer || transfer.isClosed) continue;
      void transfer.close(end);
      closed.push(transfer);
    }
    if (end) this.#report(...closed);
    else this.#publish(closed);
    this.#advance();
  }

  #forgetEnded(transfer: Transfer): void {
    const { key } = transfer;
    if (this.#transfers.get(key) !== transfer) return;
    this.#transfers.delete(key);
    if (transfer.isStarted) this.#publish([transfer]);
    if (this.#transfers.size > 0) return;
    this.#cancelTicks?.();
    this.#cancelTicks = null;
  }

  /** Deletes a file once it is released, unless another client is sending it to us. */
  #forget(fid: FileId): void {
    const isComing = ({ mode, phase }: Transfer) =>
      mode === "receive" && (phase.name === "opening" || phase.name === "running");
    if (this.#transfersOf(fid).some(isComing)) return;
    void this.#remove(fid).catch((thrown: unknown) => {
      this.#deps.log.warn("could not delete a file", { code: toWarrenError(thrown).code });
    });
  }

  #remove(fid: FileId): Promise<void> {
    const closing = this.#transfersOf(fid).filter(({ isClosed }) => isClosed);
    const removed = Promise.all([
      this.#removing.get(fid),
      ...closing.map((transfer) => transfer.close(null)),
    ]).then(() => settledInTime(this.#deps.clock, "store", this.#library.remove(fid)));
    const settled = removed
      .catch(() => {})
      .finally(() => {
        if (this.#removing.get(fid) === settled) this.#removing.delete(fid);
      });
    this.#removing.set(fid, settled);
    return removed;
  }

  #transfersOf(fid: FileId): readonly Transfer[] {
    return [...this.#transfers.values()].filter((transfer) => transfer.fid === fid);
  }

  #report(...transfers: readonly Transfer[]): void {
    this.#publish(transfers);
    for (const transfer of transfers) this.emit("state", transfer, transfer.now);
  }

  /** Thousands may be queued in one turn, which are published together at its end. */
  #reportQueued(transfer: Transfer): void {
    if (this.#unpublished.size === 0) queueMicrotask(() => this.#publish([]));
    this.#unpublished.set(transfer.key, transfer);
    this.emit("state", transfer, transfer.now);
  }

  /** All of them at once. One that ended before it was started leaves what was shown of earlier ones. */
  #publish(changes: readonly Transfer[]): void {
    if (this.#isClosed) return;
    // A transfer replaces an earlier one with its key that was queued in the same turn.
    const transfers = new Map(this.#unpublished);
    for (const transfer of changes) transfers.set(transfer.key, transfer);
    this.#unpublished.clear();
    const before = this.#store.getState();
    const changed = new Map<TransferKey, TransferSnapshot>();
    const gone = new Set<TransferKey>();
    for (const transfer of transfers.values()) {
      const { key, mode, isStarted, isClosed } = transfer;
      const shown = before.get(key);
      const earlier = shown?.mode === mode && !isStarted ? shown : undefined;
      // Until it starts, it shows how far an earlier one came.
      const moved = earlier && { transferredBytes: earlier.transferredBytes, startedAt: earlier.startedAt };
      const now = { ...transfer.snapshot(), ...moved };
      if (!isClosed || now.startedAt !== null) {
        if (differs(now, shown)) changed.set(key, now);
      } else if (shown) gone.add(key);
    }
    if (changed.size + gone.size === 0) return;
    const all = [...before, ...changed];
    this.#store.setState(new Map(gone.size === 0 ? all : all.filter(([key]) => !gone.has(key))), true);
  }

  #tick(): void {
    const moving = [...this.#transfers.values()].filter(({ isStarted, isClosed }) => isStarted && !isClosed);
    for (const transfer of moving) transfer.measure();
    this.#publish(moving);
    // A silent transfer frees its quota for others.
    this.#advance();
  }
}

function differs(now: TransferSnapshot, before: TransferSnapshot | undefined): boolean {
  return (
    !before || (Object.keys(now) as (keyof TransferSnapshot)[]).some((field) => now[field] !== before[field])
  );
}
