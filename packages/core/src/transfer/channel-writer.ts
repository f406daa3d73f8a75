import { type LaneId, WarrenError } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

/** The most bytes queued on one connection, all its transfers together: deeper queues stall Chromium's sender. */
export const queueLimitBytes = 128 * 1024;
/** What is queued above the threshold at most. At least one message, or nobody would be told that it is low again. */
const aboveThresholdBytes = 64 * 1024;

interface PendingWrite {
  readonly channels: ReadonlySet<RTCDataChannel>;
  readonly message: Bytes;
  readonly resolve: (channel: RTCDataChannel) => void;
  readonly reject: (error: WarrenError) => void;
}

interface OwnChannel {
  readonly lane: LaneId | null;
  readonly listening: AbortController;
}

/**
 * Flow control for all transfers to one client. Each connection to it, the session's own and the lanes, has a queue of
 * its own: a message goes to the emptiest one that has room and a channel of its transfer, or else waits until one is
 * low. Transfers take turns.
 */
export class ChannelWriter {
  readonly #thresholdBytes: number;
  readonly #channels = new Map<RTCDataChannel, OwnChannel>();
  readonly #limitBytes: number;
  readonly #onEmpty: () => void;
  #waiting: PendingWrite[] = [];

  /**
   * @param lowThresholdBytes a connection's threshold; its channels share it.
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

  /** Takes care of a channel until it closes. @param lane the connection it is on; null for the session's own. */
  add(channel: RTCDataChannel, lane: LaneId | null = null): void {
    const listening = new AbortController();
    const { signal } = listening;
    this.#channels.set(channel, { lane, listening });
    for (const type of ["bufferedamountlow", "open"])
      channel.addEventListener(type, () => this.#serve(), { signal });
    channel.addEventListener("close", () => this.remove(channel), { signal });
    this.#shareThreshold();
  }

  remove(channel: RTCDataChannel): void {
    this.#channels.get(channel)?.listening.abort();
    if (!this.#channels.delete(channel)) return;
    this.#shareThreshold();
    if (this.isEmpty) this.#onEmpty();
  }

  /**
   * Hands a message to one of the channels. Resolves with it once the message is queued there.
   * @param channels a transfer's channels; the set may change while the message waits.
   * Rejects with `no-available-channel` when none of them is open or about to open, `no-channel` when none is left.
   */
  write(channels: ReadonlySet<RTCDataChannel>, message: Bytes): Promise<RTCDataChannel> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ channels, message, resolve, reject });
      if (this.#waiting.length === 1) this.#serve();
    });
  }

  #shareThreshold(): void {
    for (const [channel, { lane }] of this.#channels) {
      const share = Math.floor(this.#thresholdBytes / this.#channelsOn(lane).length);
      channel.bufferedAmountLowThreshold = share;
    }
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
      reject(new WarrenError(channels.size === 0 ? "no-channel" : "no-available-channel"));
      return true;
    }
    const channel = this.#freest(usable, message.byteLength);
    if (!channel) return false;
    try {
      channel.send(message);
    } catch {
      // It may have closed under our hands, with its event on the way: the next turn finds another.
      if (channel.readyState !== "open") return false;
      reject(new WarrenError("channel-error", { label: channel.label }));
      return true;
    }
    resolve(channel);
    return true;
  }

  /** The emptiest channel on the emptiest connection, of those with room for so many bytes; null where there is none. */
  #freest(channels: readonly RTCDataChannel[], sizeBytes: number): RTCDataChannel | null {
    let freest: { readonly channel: RTCDataChannel; readonly queuedBytes: number } | null = null;
    for (const channel of channels) {
      if (channel.readyState !== "open") continue;
      const queuedBytes = this.#queuedBytes(this.#channels.get(channel)?.lane ?? null);
      if (queuedBytes > 0 && queuedBytes + sizeBytes > this.#limitBytes) continue;
      const isFreer =
        queuedBytes === freest?.queuedBytes
          ? channel.bufferedAmount < freest.channel.bufferedAmount
          : queuedBytes < (freest?.queuedBytes ?? Number.POSITIVE_INFINITY);
      if (isFreer) freest = { channel, queuedBytes };
    }
    return freest?.channel ?? null;
  }

  #queuedBytes(lane: LaneId | null): number {
    return this.#channelsOn(lane).reduce((bytes, { bufferedAmount }) => bytes + bufferedAmount, 0);
  }

  #channelsOn(lane: LaneId | null): RTCDataChannel[] {
    return [...this.#channels].filter(([, own]) => own.lane === lane).map(([channel]) => channel);
  }
}
