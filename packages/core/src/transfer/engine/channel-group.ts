import {
  decodeTransferControl,
  encodeTransferControl,
  type TransferControl,
  WarrenError,
} from "@warren/protocol";
import type { CancelTimer, Clock } from "../../ports/clock.ts";
import { Emitting } from "../../shared/emitter.ts";
import { type Log, silentLog } from "../../shared/log.ts";

/** As many as get a client refused (`room/refusals.ts`). */
const violationsMax = 20;

/** The events of a {@link ChannelGroup}. */
export type ChannelGroupEvents = {
  /** The first channel is open. */
  open: [];
  /** A binary message, its format not checked yet. */
  block: [message: Uint8Array];
  control: [control: TransferControl];
  /** The other side violated the protocol; its frame was dropped. */
  violation: [issue: string];
  /** A channel closed while others remain; data in flight on it may be lost. */
  lost: [channel: RTCDataChannel];
  /** The last channel was closed, by the other side or the network. */
  closed: [];
};

/** The channels of one transfer. */
export class ChannelGroup extends Emitting<ChannelGroupEvents> {
  readonly #channels = new Set<RTCDataChannel>();
  readonly #listening = new Map<RTCDataChannel, AbortController>();
  readonly #log: Log;
  #used = false;
  #opened = false;
  #violations = 0;
  /** Frames queued until a channel is open: a browser may deliver a message before the `open` event. */
  #early: TransferControl[] = [];
  #cancelLateClose: CancelTimer | null = null;

  constructor(log: Log = silentLog) {
    super();
    this.#log = log;
  }

  /** All channels that have not closed. */
  get channels(): ReadonlySet<RTCDataChannel> {
    return this.#channels;
  }

  /** Whether all channels have ended, after at least one existed. */
  get isOver(): boolean {
    return (
      this.#used &&
      [...this.#channels].every(({ readyState }) => readyState === "closing" || readyState === "closed")
    );
  }

  /** Adds a channel and listens to it synchronously, so no message is lost. */
  add(channel: RTCDataChannel): void {
    const listening = new AbortController();
    const { signal } = listening;
    this.#listening.set(channel, listening);
    channel.binaryType = "arraybuffer";
    this.#used = true;
    this.#channels.add(channel);
    channel.addEventListener("message", ({ data }) => this.#receive(data), { signal });
    channel.addEventListener("close", () => this.#forget(channel), { signal });
    channel.addEventListener("error", () => this.#note("channel-error", channel), { signal });
    if (channel.readyState === "open") this.#open();
    else channel.addEventListener("open", () => this.#open(), { signal });
  }

  /**
   * Sends a control frame on an open channel, or on the first that opens; if none is open any more, the next periodic
   * check makes up for it.
   * @param everywhere whether to send it on all open channels: one of them may be on a lane that silently stopped carrying
   * data.
   */
  sendControl(control: TransferControl, { everywhere = false } = {}): void {
    if (!this.#opened) {
      this.#early.push(control);
      return;
    }
    const open = [...this.#channels].filter(({ readyState }) => readyState === "open");
    const frame = encodeTransferControl(control);
    for (const channel of everywhere ? open : open.slice(0, 1)) {
      try {
        channel.send(frame);
      } catch {
        this.#note("channel-closed", channel);
      }
    }
  }

  /** Reports a violation, unless enough were reported to refuse the other side: a flood must not pass on to the page. */
  violate(issue: string): void {
    if (this.#violations === violationsMax) return;
    this.#violations++;
    this.#log.warn("dropped a frame of a transfer channel", { issue });
    this.emit("violation", issue);
  }

  /** Closes one channel, which first delivers its queue. */
  drop(channel: RTCDataChannel): void {
    this.#channels.delete(channel);
    channel.close();
  }

  /** Drops a channel whose connection is gone; its own events need not report that. */
  lose(channel: RTCDataChannel): void {
    if (!this.#channels.has(channel)) return;
    this.#listening.get(channel)?.abort();
    channel.close();
    this.#forget(channel);
  }

  /** Closes all channels and emits no more events. */
  close(): void {
    this.#cancelLateClose?.();
    this.clear();
    for (const [channel, listening] of this.#listening) {
      listening.abort();
      channel.close();
    }
    this.#listening.clear();
    this.#channels.clear();
  }

  /**
   * Leaves closing to the other side, which may still have to read our last frame; closes after `delayMs` at the
   * latest.
   */
  closeLater(clock: Clock, delayMs: number): void {
    this.clear();
    this.#cancelLateClose = clock.after(delayMs, () => this.close());
    if (this.#channels.size === 0) this.close();
  }

  /** An error of one channel does not fail the transfer, which reports when it cannot continue. */
  #note(code: "channel-close" | "channel-closed" | "channel-error", { label }: RTCDataChannel): void {
    this.#log.debug(new WarrenError(code, { label }).message);
  }

  #open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.emit("open");
    for (const control of this.#early.splice(0)) this.sendControl(control);
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      this.emit("block", new Uint8Array(data));
      return;
    }
    const decoded = decodeTransferControl(data);
    if (decoded.ok) this.emit("control", decoded.value);
    else this.violate(decoded.error.code);
  }

  #forget(channel: RTCDataChannel): void {
    this.#listening.delete(channel);
    const wasDropped = !this.#channels.delete(channel);
    if (!wasDropped) this.#note("channel-close", channel);
    if (this.#channels.size > 0) {
      // A dropped channel has delivered its queue, unless its connection ended first.
      if (!wasDropped || channel.bufferedAmount > 0) this.emit("lost", channel);
      return;
    }
    this.emit("closed");
    if (this.#cancelLateClose) this.close();
  }
}
