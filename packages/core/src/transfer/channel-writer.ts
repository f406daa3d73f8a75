import { WarrenError } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

/** The most bytes queued on one connection, all its transfers together: deeper queues stall Chromium's sender. */
export const queueLimitBytes = 128 * 1024;
/** What is queued above the threshold at most. At least one message, or nobody would be told that it is low again. */
const aboveThresholdBytes = 64 * 1024;

interface PendingWrite {
  readonly channels: ReadonlySet<RTCDataChannel>;
  readonly message: Bytes;
  readonly resolve: () => void;
  readonly reject: (error: WarrenError) => void;
}

/**
 * Flow control for all transfers that share one connection: a message goes to the emptiest open channel of its
 * transfer while the connection's queue has room, and once it is full, when it is low again. Transfers take turns.
 */
export class ChannelWriter {
  readonly #thresholdBytes: number;
  readonly #channels = new Map<RTCDataChannel, AbortController>();
  readonly #limitBytes: number;
  readonly #onEmpty: () => void;
  #waiting: PendingWrite[] = [];

  /**
   * @param lowThresholdBytes the connection's threshold; its channels share it.
   * @param onEmpty called when the last channel is gone.
   */
  constructor(lowThresholdBytes: number, onEmpty: () => void = () => {}) {
    this.#thresholdBytes = Math.min(lowThresholdBytes, queueLimitBytes / 2);
    this.#limitBytes = Math.min(this.#thresholdBytes + aboveThresholdBytes, queueLimitBytes);
    this.#onEmpty = onEmpty;
  }

  /** Whether no channel is left to write to. */
  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  /** Takes care of a channel until it closes. */
  add(channel: RTCDataChannel): void {
    const listening = new AbortController();
    const { signal } = listening;
    this.#channels.set(channel, listening);
    for (const type of ["bufferedamountlow", "open"])
      channel.addEventListener(type, () => this.#serve(), { signal });
    channel.addEventListener("close", () => this.remove(channel), { signal });
    this.#shareThreshold();
  }

  remove(channel: RTCDataChannel): void {
    this.#channels.get(channel)?.abort();
    if (!this.#channels.delete(channel)) return;
    this.#shareThreshold();
    if (this.isEmpty) this.#onEmpty();
  }

  /**
   * Hands a message to one of the channels. Resolves once it is queued there.
   * @param channels a transfer's channels; the set may change while the message waits.
   * Rejects with `no-available-channel` when none of them is open or about to open.
   */
  write(channels: ReadonlySet<RTCDataChannel>, message: Bytes): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ channels, message, resolve, reject });
      if (this.#waiting.length === 1) this.#serve();
    });
  }

  #shareThreshold(): void {
    const share = Math.floor(this.#thresholdBytes / Math.max(1, this.#channels.size));
    for (const channel of this.#channels.keys()) channel.bufferedAmountLowThreshold = share;
    this.#serve();
  }

  #serve(): void {
    this.#waiting = this.#waiting.filter((write) => !this.#settle(write));
  }

  /** @returns whether the write is done with, well or badly. */
  #settle({ channels, message, resolve, reject }: PendingWrite): boolean {
    const usable = [...channels].filter(
      ({ readyState }) => readyState === "open" || readyState === "connecting",
    );
    if (usable.length === 0) {
      reject(new WarrenError("no-available-channel"));
      return true;
    }
    const channel = emptiestOf(usable);
    const queued = this.#queuedBytes();
    if (!channel || (queued > 0 && queued + message.byteLength > this.#limitBytes)) return false;
    try {
      channel.send(message);
    } catch {
      // It may have closed under our hands, with its event on the way: the next turn finds another.
      if (channel.readyState !== "open") return false;
      reject(new WarrenError("channel-error", { label: channel.label }));
      return true;
    }
    resolve();
    return true;
  }

  #queuedBytes(): number {
    let bytes = 0;
    for (const channel of this.#channels.keys()) bytes += channel.bufferedAmount;
    return bytes;
  }
}

function emptiestOf(channels: readonly RTCDataChannel[]): RTCDataChannel | null {
  let emptiest: RTCDataChannel | null = null;
  for (const channel of channels) {
    if (channel.readyState !== "open") continue;
    if (!emptiest || channel.bufferedAmount < emptiest.bufferedAmount) emptiest = channel;
  }
  return emptiest;
}
