import { type LaneId, WarrenError } from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Bytes } from "../ports/file-storage.ts";
import { lowMarkEffectMax } from "../settings/options.ts";

/** The most bytes queued on one connection, all its transfers together: deeper queues stall Chromium's sender. */
export const queueLimitBytes = 128 * 1024;
/** What is queued above the threshold at most. At least one message, or nobody would be told that it is low again. */
const aboveThresholdBytes = 64 * 1024;

/** How long what a pace allows may be saved up: no more bytes come at once. */
const paceWindowMs = 100;
/** A message larger than what may be saved up has to leave at some time. */
const paceBurstBytes = 64 * 1024;

interface PendingWrite {
  readonly channels: ReadonlySet<RTCDataChannel>;
  /** Whether it had a channel to wait for. */
  readonly hadChannel: boolean;
  /** Whether one that it waited for failed. */
  hasFailed: boolean;
  readonly message: Bytes;
  readonly resolve: (channel: RTCDataChannel) => void;
  readonly reject: (error: WarrenError) => void;
}

/** What a pace allows. */
interface Pace {
  readonly clock: Clock;
  bytesPerSecond: number;
  leftBytes: number;
  filledAtMs: number;
  cancel: CancelTimer | null;
}

/** The channels on one connection. */
type Connection = Set<RTCDataChannel>;

interface OwnChannel {
  readonly connection: Connection;
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
  /** The session's own under null. */
  readonly #connections = new Map<LaneId | null, Connection>();
  readonly #limitBytes: number;
  readonly #onEmpty: () => void;
  #waiting: PendingWrite[] = [];
  #pace: Pace | null = null;

  /**
   * @param lowThresholdBytes a connection's threshold; its channels share it.
   * @param onEmpty called when the last channel is gone.
   */
  constructor(lowThresholdBytes: number, onEmpty: () => void = () => {}) {
    this.#thresholdBytes = Math.min(lowThresholdBytes, lowMarkEffectMax);
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
    const connection = this.#connections.get(lane) ?? new Set();
    this.#connections.set(lane, connection.add(channel));
    this.#channels.set(channel, { connection, listening });
    for (const type of ["bufferedamountlow", "open"])
      channel.addEventListener(type, () => this.#serve(), { signal });
    channel.addEventListener("error", () => this.#noteFailure(channel), { signal });
    channel.addEventListener("close", () => this.remove(channel), { signal });
    this.#shareThreshold();
  }

  remove(channel: RTCDataChannel): void {
    const own = this.#channels.get(channel);
    if (!own) return;
    own.listening.abort();
    own.connection.delete(channel);
    this.#channels.delete(channel);
    for (const [lane, { size }] of this.#connections) if (size === 0) this.#connections.delete(lane);
    this.#shareThreshold();
    if (!this.isEmpty) return;
    this.#pace?.cancel?.();
    this.#onEmpty();
  }

  /**
   * Hands a message to one of the channels. Resolves with it once the message is queued there.
   * @param channels a transfer's channels; the set may change while the message waits.
   * Rejects with `no-channel` where there are none and `no-available-channel` where none is open or about to open; with
   * `any-channel-error` or `any-channel-closed` when the last one it waits for fails or closes.
   */
  write(channels: ReadonlySet<RTCDataChannel>, message: Bytes): Promise<RTCDataChannel> {
    return new Promise((resolve, reject) => {
      const hadChannel = isAnyUsable(channels);
      this.#waiting.push({ channels, hadChannel, hasFailed: false, message, resolve, reject });
      if (this.#waiting.length === 1) this.#serve();
    });
  }

  /** Sends no faster than so many bytes a second; null for as fast as the connections take them. */
  setPace(bytesPerSecond: number | null, clock: Clock): void {
    if (bytesPerSecond === null) {
      this.#pace?.cancel?.();
      this.#pace = null;
      this.#serve();
    } else if (this.#pace === null) {
      const filledAtMs = clock.elapsedMs();
      this.#pace = { clock, bytesPerSecond, leftBytes: paceBurstBytes, filledAtMs, cancel: null };
    } else this.#pace.bytesPerSecond = bytesPerSecond;
  }

  #noteFailure(channel: RTCDataChannel): void {
    for (const write of this.#waiting) if (write.channels.has(channel)) write.hasFailed = true;
  }

  #shareThreshold(): void {
    for (const connection of this.#connections.values()) {
      const share = Math.floor(this.#thresholdBytes / connection.size);
      for (const channel of connection) channel.bufferedAmountLowThreshold = share;
    }
    this.#serve();
  }

  #serve(): void {
    this.#waiting = this.#waiting.filter((write) => !this.#settle(write));
  }

  /** @returns whether the write is done with, well or badly. */
  #settle(write: PendingWrite): boolean {
    const { channels, message, resolve, reject } = write;
    const channel = this.#freest(channels, message.byteLength);
    if (channel === null) {
      if (isAnyUsable(channels)) return false;
      reject(new WarrenError(lossOf(write)));
      return true;
    }
    if (!this.#isWithinPace(message.byteLength)) return false;
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

  /** Takes bytes from what the pace allows; where it allows none, waiting writes are looked at again when it does. */
  #isWithinPace(sizeBytes: number): boolean {
    const pace = this.#pace;
    if (pace === null) return true;
    const now = pace.clock.elapsedMs();
    const burstBytes = Math.max(paceBurstBytes, (pace.bytesPerSecond * paceWindowMs) / 1_000);
    const gainedBytes = ((now - pace.filledAtMs) * pace.bytesPerSecond) / 1_000;
    pace.leftBytes = Math.min(burstBytes, pace.leftBytes + gainedBytes);
    pace.filledAtMs = now;
    if (pace.leftBytes >= sizeBytes || pace.leftBytes >= paceBurstBytes) {
      pace.leftBytes -= sizeBytes;
      return true;
    }
    const missingBytes = Math.min(sizeBytes, paceBurstBytes) - pace.leftBytes;
    pace.cancel ??= pace.clock.after(Math.ceil((missingBytes * 1_000) / pace.bytesPerSecond), () => {
      pace.cancel = null;
      this.#serve();
    });
    return false;
  }

  /** The emptiest of these channels on the emptiest connection with room for so many bytes; null where there is none. */
  #freest(channels: ReadonlySet<RTCDataChannel>, sizeBytes: number): RTCDataChannel | null {
    let freest: RTCDataChannel | null = null;
    let leastBytes = Number.POSITIVE_INFINITY;
    for (const connection of this.#connections.values()) {
      const bytes = queuedBytes(connection);
      if (bytes >= leastBytes || (bytes > 0 && bytes + sizeBytes > this.#limitBytes)) continue;
      const channel = emptiest(connection, channels);
      if (channel === null) continue;
      freest = channel;
      leastBytes = bytes;
    }
    return freest;
  }
}

/** Why a write has no channel left. */
function lossOf({ channels, hadChannel, hasFailed }: PendingWrite) {
  if (hadChannel) return hasFailed ? "any-channel-error" : "any-channel-closed";
  return channels.size === 0 ? "no-channel" : "no-available-channel";
}

function isAnyUsable(channels: ReadonlySet<RTCDataChannel>): boolean {
  for (const { readyState } of channels)
    if (readyState === "open" || readyState === "connecting") return true;
  return false;
}

function queuedBytes(connection: Connection): number {
  let bytes = 0;
  for (const { bufferedAmount } of connection) bytes += bufferedAmount;
  return bytes;
}

/** The emptiest open channel of a connection that is among these. */
function emptiest(connection: Connection, channels: ReadonlySet<RTCDataChannel>): RTCDataChannel | null {
  let least: RTCDataChannel | null = null;
  for (const channel of connection) {
    if (!channels.has(channel) || channel.readyState !== "open") continue;
    if (least === null || channel.bufferedAmount < least.bufferedAmount) least = channel;
  }
  return least;
}
