import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitter } from "../shared/emitter.ts";
import { createStore } from "../shared/store.ts";
import { ProgressMeter } from "./progress-meter.ts";
import type { TransferKey, TransferSnapshot, TransferState, TransferStatus } from "./transfer-state.ts";

/** Often enough to look alive. Drawing takes from the same processor as sending, which is the limit between fast peers. */
const publishPeriodMs = 500;

interface Tracked {
  readonly meter: ProgressMeter;
  readonly transferredBytes: () => number;
  mergingShare: number | null;
}

/** What a {@link TransferBoard} tells. */
export type TransferBoardEvents = {
  status: [key: TransferKey, status: TransferStatus];
  /** It is a transfer's turn: it waits for its first channel. */
  begun: [key: TransferKey];
  /** A client began to send a file that nothing here was ready for; its channel was closed. */
  unexpected: [key: TransferKey];
};

/** What is shown of the transfers: writes their store, twice a second at most while bytes move. */
export class TransferBoard {
  readonly store = createStore<TransferState>({});
  readonly events = new Emitter<TransferBoardEvents>();
  readonly #clock: Clock;
  readonly #tracked = new Map<TransferKey, Tracked>();
  #cancelTicks: CancelTimer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Puts up a transfer that begins, and follows its bytes until {@link finish}. */
  begin(
    transfer: Pick<TransferSnapshot, "key" | "peerId" | "fid" | "mode" | "fileName" | "totalBytes">,
    transferredBytes: () => number,
  ): void {
    const { key, totalBytes } = transfer;
    this.#tracked.set(key, { meter: new ProgressMeter(totalBytes), transferredBytes, mergingShare: null });
    this.#put({
      ...transfer,
      transferredBytes: transferredBytes(),
      bytesPerSecond: null,
      secondsLeft: null,
      state: { status: "init" },
      mergingShare: null,
      startedAt: this.#clock.now(),
    });
    this.#cancelTicks ??= this.#clock.every(publishPeriodMs, () => this.#publish());
    this.events.emit("begun", key);
  }

  /** Notes a share of putting chunks together; it is published with the next progress. */
  merging(key: TransferKey, share: number): void {
    const tracked = this.#tracked.get(key);
    if (tracked) tracked.mergingShare = share;
  }

  setState(key: TransferKey, state: TransferStatus): void {
    if (Object.hasOwn(this.store.getState(), key)) this.announce(key, state);
  }

  /** As {@link setState}; tells it of a transfer too that has not begun since the page loaded. */
  announce(key: TransferKey, state: TransferStatus): void {
    const transfer = this.store.getState()[key];
    if (transfer) this.#put({ ...transfer, state });
    this.events.emit("status", key, state);
  }

  /** Stops following a transfer and puts up how it ended. */
  finish(key: TransferKey, state: TransferStatus): void {
    const tracked = this.#tracked.get(key);
    const transfer = this.store.getState()[key];
    this.#untrack(key);
    if (transfer) {
      const transferredBytes =
        state.status === "complete"
          ? transfer.totalBytes
          : (tracked?.transferredBytes() ?? transfer.transferredBytes);
      this.#put({
        ...transfer,
        transferredBytes,
        bytesPerSecond: null,
        secondsLeft: null,
        mergingShare: null,
      });
    }
    this.setState(key, state);
  }

  /** Corrects the bytes of a transfer that has stopped; one that began anew counts for itself. */
  correct(key: TransferKey, transferredBytes: number): void {
    const transfer = this.store.getState()[key];
    if (!transfer || this.#tracked.has(key) || transfer.state.status === "complete") return;
    if (transfer.transferredBytes !== transferredBytes) this.#put({ ...transfer, transferredBytes });
  }

  close(): void {
    this.#cancelTicks?.();
    this.#tracked.clear();
    this.events.clear();
  }

  #untrack(key: TransferKey): void {
    this.#tracked.delete(key);
    if (this.#tracked.size > 0) return;
    this.#cancelTicks?.();
    this.#cancelTicks = null;
  }

  #publish(): void {
    const before = this.store.getState();
    const changes: Record<TransferKey, TransferSnapshot> = {};
    for (const [key, { meter, transferredBytes, mergingShare }] of this.#tracked) {
      const transfer = before[key];
      if (!transfer) continue;
      const bytes = transferredBytes();
      const next = { transferredBytes: bytes, mergingShare, ...meter.sample(this.#clock.elapsedMs(), bytes) };
      if (differs(transfer, next)) changes[key] = { ...transfer, ...next };
    }
    if (Object.keys(changes).length > 0) this.store.setState(changes);
  }

  #put(transfer: TransferSnapshot): void {
    this.store.setState({ [transfer.key]: transfer });
  }
}

function differs(transfer: TransferSnapshot, next: Partial<TransferSnapshot>): boolean {
  return (["transferredBytes", "mergingShare", "bytesPerSecond", "secondsLeft"] as const).some(
    (field) => transfer[field] !== next[field],
  );
}
