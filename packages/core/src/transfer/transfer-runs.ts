import type { ClientId, FileId } from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Log } from "../shared/log.ts";
import { ClosingTransfers } from "./closing-transfers.ts";
import { channelsPerTransfer, fileIdOfLabel } from "./transfer-channels.ts";
import type { TransferRun } from "./transfer-run.ts";
import { partsOf, type TransferKey, transferKeyOf } from "./transfer-state.ts";

/** How long the first channel of a transfer may take. A sender's page may have to be woken first. */
export const openLimitMs = 60_000;

interface TransferRunsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** A run got no channel in time. */
  readonly onUnopened: (key: TransferKey) => void;
  /** A client opened a channel for a file that is not received. */
  readonly onUnexpected: (key: TransferKey) => void;
}

/** The runs of this page, until they are stopped and have let their files go. */
export class TransferRuns {
  /** What has been stopped and not yet let its file go. */
  readonly closing: ClosingTransfers;
  readonly #deps: TransferRunsDeps;
  readonly #runs = new Map<TransferKey, TransferRun>();
  /** Those without a channel so far. */
  readonly #unopened = new Map<TransferKey, CancelTimer>();

  constructor(deps: TransferRunsDeps) {
    this.#deps = deps;
    this.closing = new ClosingTransfers(deps.log);
  }

  get keys(): readonly TransferKey[] {
    return [...this.#runs.keys()];
  }

  get(key: TransferKey): TransferRun | undefined {
    return this.#runs.get(key);
  }

  /** Whether a run is alive: one whose channels have all closed only waits for its end. */
  isRunning(key: TransferKey, mode: TransferRun["mode"]): boolean {
    const run = this.#runs.get(key);
    return run?.mode === mode && !run.isOver;
  }

  /** Whether anybody is sending us a file. */
  isReceiving(fid: FileId): boolean {
    return [...this.#runs].some(([key, { mode }]) => mode === "receive" && partsOf(key).fid === fid);
  }

  add(key: TransferKey, run: TransferRun): void {
    const { clock, onUnopened } = this.#deps;
    this.#runs.set(key, run);
    this.#unopened.set(
      key,
      clock.after(openLimitMs, () => onUnopened(key)),
    );
  }

  /** Hands a channel that a client has opened to the run it is for, and closes any other. */
  accept(from: ClientId, channel: RTCDataChannel): void {
    const fid = fileIdOfLabel(channel.label);
    const key = fid === null ? null : transferKeyOf(from, fid);
    const run = key === null ? undefined : this.#runs.get(key);
    if (run?.mode === "receive" && run.channelCount < channelsPerTransfer) run.addChannel(channel, null);
    else channel.close();
    if (key !== null && run === undefined) this.#deps.onUnexpected(key);
  }

  /** The first channel of a run is open. */
  opened(key: TransferKey): void {
    this.#unopened.get(key)?.();
    this.#unopened.delete(key);
  }

  /** Never rejects. Once this returns nothing more is heard of the run; once it resolves its file is free. */
  stop(key: TransferKey): Promise<void> {
    const run = this.#runs.get(key);
    if (!run) return Promise.resolve();
    this.opened(key);
    this.#runs.delete(key);
    return this.closing.add(key, run.close());
  }
}
