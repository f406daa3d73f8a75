import { type LaneId, WarrenError } from "@warren/protocol";
import type { CancelTimer, Clock } from "../../ports/clock.ts";
import type { Bytes } from "../../ports/file-storage.ts";
import { lowMarkEffectMax } from "../../settings/options.ts";
import { Emitting } from "../../shared/emitter.ts";

/** The most bytes queued on one connection, all its transfers together: deeper queues stall Chromium's sender. */
export const queueLimitBytes = 128 * 1024;
/** The most bytes queued above the threshold. At least one message, or `bufferedamountlow` would never fire. */
const aboveThresholdBytes = 64 * 1024;

/** How much unused pace is saved up, which bounds bursts. */
const paceWindowMs = 100;
/** The smallest burst: a message larger than the saved-up bytes still has to be sent. */
const paceBurstBytes = 64 * 1024;

interface PendingWrite {
  readonly channels: ReadonlySet<RTCDataChannel>;
  /** Whether it ever had a channel to wait for. */
  readonly hadChannel: boolean;
  /** Whether one of its channels failed. */
  hasFailed: boolean;
  readonly message: Bytes;
  readonly resolve: (channel: RTCDataChannel) => void;
  readonly reject: (error: WarrenError) => void;
}

/** The state of a pace limit. */
interface Pace {
  readonly clock: Clock;
  bytesPerSecond: number;
  leftBytes: number;
  filledAtMs: number;
  cancel: CancelTimer | null;
}

/** The channels of one connection. */
type ConnectionChannels = Set<RTCDataChannel>;

interface OwnChannel {
  readonly connection: ConnectionChannels;
  readonly listening: AbortController;
}

/** The events of a {@link ChannelWriter}. */
export type ChannelWriterEvents = {
  /** Its last channel is gone. */
  empty: [];
};

/**
 * Flow control for all transfers to one client. Each connection to it, the session's own and the lanes, has its own
 * queue: a message goes to the emptiest connection that has space and a channel of its transfer; otherwise it waits
 * until one is low. Transfers alternate.
 */
export class ChannelWriter extends Emitting<ChannelWriterEvents> {
  readonly #thresholdBytes: number;
  readonly #channels = new Map<RTCDataChannel, OwnChannel>();
  /** The session's own connection has the key null. */
  readonly #connections = new Map<LaneId | null, ConnectionChannels>();
  readonly #limitBytes: number;
  #waiting: PendingWrite[] = [];
  #pace: Pace | null = null;

  /** @param lowThresholdBytes the threshold of a connection, shared by its channels. */
  constructor(lowThresholdBytes: number) {
    super();
    this.#thresholdBytes = Math.min(lowThresholdBytes, lowMarkEffectMax);
    this.#limitBytes = Math.min(this.#thresholdBytes + aboveThresholdBytes, queueLimitBytes);
  }

  /** Whether there is no channel left. */
  get isEmpty(): boolean {
    return this.#channels.size === 0;
  }

  /** Manages a channel until it closes. @param lane the lane it is on; null for the session's own connection. */
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
    this.emit("empty");
  }

  /**
   * Queues a message on one of the channels, and resolves with that channel.
   * @param channels a transfer's channels; the set may change while the message waits.
   * Rejects with `no-channel` when the set is empty and `no-available-channel` when none is open or opening; with
   * `any-channel-error` or `any-channel-closed` when the last one fails or closes meanwhile.
   */
  write(channels: ReadonlySet<RTCDataChannel>, message: Bytes): Promise<RTCDataChannel> {
    return new Promise((resolve, reject) => {
      const hadChannel = isAnyUsable(channels);
      this.#waiting.push({ channels, hadChannel, hasFailed: false, message, resolve, reject });
      if (this.#waiting.length === 1) this.#serve();
    });
  }

  /** Limits the rate in bytes per second; null for no limit. */
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

  /** @returns whether the write has been settled, resolved or rejected. */
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
      // The channel may have closed with its event still pending; the next attempt picks another.
      if (channel.readyState !== "open") return false;
      reject(new WarrenError("channel-error", { label: channel.label }));
      return true;
    }
    resolve(channel);
    return true;
  }

  /** Takes bytes from the pace; if it is used up, schedules the waiting writes for when it allows more. */
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

  /** The emptiest of these channels on the emptiest connection with space for the bytes; null if there is none. */
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

function queuedBytes(connection: ConnectionChannels): number {
  let bytes = 0;
  for (const { bufferedAmount } of connection) bytes += bufferedAmount;
  return bytes;
}

/** The emptiest of these channels that is open on a connection. */
function emptiest(
  connection: ConnectionChannels,
  channels: ReadonlySet<RTCDataChannel>,
): RTCDataChannel | null {
  let least: RTCDataChannel | null = null;
  for (const channel of connection) {
    if (!channels.has(channel) || channel.readyState !== "open") continue;
    if (least === null || channel.bufferedAmount < least.bufferedAmount) least = channel;
  }
  return least;
}
