import {
  decodeTransferControl,
  encodeTransferControl,
  type TransferControl,
  WarrenError,
} from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";
import { type Log, silentLog } from "../shared/log.ts";

/** What a {@link ChannelGroup} tells. */
export type ChannelGroupEvents = {
  /** The first channel is open. */
  open: [];
  /** A binary message, its format not yet checked. */
  block: [message: Uint8Array];
  control: [control: TransferControl];
  /** A channel closed that others are left beside, and what was on its way may be lost. */
  lost: [channel: RTCDataChannel];
  /** The last channel closed, by the other side or the network. */
  closed: [];
};

/** The channels of one transfer. */
export class ChannelGroup implements EventSource<ChannelGroupEvents> {
  readonly #events = new Emitter<ChannelGroupEvents>();
  readonly #channels = new Set<RTCDataChannel>();
  readonly #listening = new Map<RTCDataChannel, AbortController>();
  readonly #log: Log;
  #used = false;
  #opened = false;
  /** What was to be said before a channel was open: a browser may hand over a message before it tells of the opening. */
  #early: TransferControl[] = [];
  #cancelLateClose: CancelTimer | null = null;

  constructor(log: Log = silentLog) {
    this.#log = log;
  }

  /** All channels that have not closed. */
  get channels(): ReadonlySet<RTCDataChannel> {
    return this.#channels;
  }

  get on(): EventSource<ChannelGroupEvents>["on"] {
    return this.#events.on.bind(this.#events);
  }

  /** Whether there were channels and none of them is of use any more. */
  get isOver(): boolean {
    return (
      this.#used &&
      [...this.#channels].every(({ readyState }) => readyState === "closing" || readyState === "closed")
    );
  }

  /** Listens to a channel from this very call on, so no message is lost. */
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
   * Sends a control frame on an open channel, or the first that opens; where none is open any more the next periodic check
   * makes up for it. What ends the transfer is said on all of them: one may be on a lane that carries nothing any more and
   * does not tell.
   */
  sendControl(control: TransferControl): void {
    if (!this.#opened) {
      this.#early.push(control);
      return;
    }
    const open = [...this.#channels].filter(({ readyState }) => readyState === "open");
    const frame = encodeTransferControl(control);
    for (const channel of control.type === "complete" ? open : open.slice(0, 1)) {
      try {
        channel.send(frame);
      } catch {
        this.#note("channel-closed", channel);
      }
    }
  }

  /** Closes one channel, which first delivers what it holds. */
  drop(channel: RTCDataChannel): void {
    this.#channels.delete(channel);
    channel.close();
  }

  /** Gives up a channel whose connection is gone, which its own events need not tell. */
  lose(channel: RTCDataChannel): void {
    if (!this.#channels.has(channel)) return;
    this.#listening.get(channel)?.abort();
    channel.close();
    this.#forget(channel);
  }

  /** Closes all channels and says no more. */
  close(): void {
    this.#cancelLateClose?.();
    this.#events.clear();
    for (const [channel, listening] of this.#listening) {
      listening.abort();
      channel.close();
    }
    this.#listening.clear();
    this.#channels.clear();
  }

  /** Leaves closing to the other side, which has yet to read our last frame; closes anyway after `delayMs`. */
  closeLater(clock: Clock, delayMs: number): void {
    this.#events.clear();
    this.#cancelLateClose = clock.after(delayMs, () => this.close());
    if (this.#channels.size === 0) this.close();
  }

  /** What befalls one channel is no failure of the transfer, which says itself when it cannot go on. */
  #note(code: "channel-close" | "channel-closed" | "channel-error", { label }: RTCDataChannel): void {
    this.#log.debug(new WarrenError(code, { label }).message);
  }

  #open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#events.emit("open");
    for (const control of this.#early.splice(0)) this.sendControl(control);
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      this.#events.emit("block", new Uint8Array(data));
      return;
    }
    const decoded = decodeTransferControl(data);
    if (decoded.ok) this.#events.emit("control", decoded.value);
    else this.#log.warn("dropped a frame of a transfer channel", { code: decoded.error.code });
  }

  #forget(channel: RTCDataChannel): void {
    this.#listening.delete(channel);
    const wasDropped = !this.#channels.delete(channel);
    if (!wasDropped) this.#note("channel-close", channel);
    if (this.#channels.size > 0) {
      // One that was dropped has delivered all it held, unless its connection went before that.
      if (!wasDropped || channel.bufferedAmount > 0) this.#events.emit("lost", channel);
      return;
    }
    this.#events.emit("closed");
    if (this.#cancelLateClose) this.close();
  }
}
