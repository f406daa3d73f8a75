import { transferChannelProtocol } from "@warren/protocol";

/** A message of a data channel. */
export type ChannelMessage = string | ArrayBuffer;

/** The behaviour of a pair of channels; everything is off by default. */
export interface FakeChannelOptions {
  readonly label?: string;
  readonly ordered?: boolean;
  readonly protocol?: string;
  /** Intercepts every message: the returned one is delivered, null drops it. */
  readonly tamper?: (message: ChannelMessage, label: string) => ChannelMessage | null;
  /** Picks which of `count` messages in transit arrives next, 0 for the oldest; for unordered channels. */
  readonly pick?: (count: number) => number;
  /** How many bytes leave the send queue per turn of the event loop. */
  readonly turnBytes?: number;
  /** The most bytes that are queued: `send` refuses more, as browsers do. */
  readonly bufferBytes?: number;
  /** Schedules the next turn; uses the event loop by default. */
  readonly later?: (turn: () => void) => void;
}

/** Two connected data channels in memory, and what can befall them. */
export interface FakeChannelPair {
  readonly local: FakeDataChannel;
  readonly remote: FakeDataChannel;
  /** Closes both at once; what is on its way is lost, as when the connection breaks. */
  cut(): void;
}

/** Makes two connected channels that open in the next turn of the event loop. */
export function createFakeChannelPair(options: FakeChannelOptions = {}): FakeChannelPair {
  const local = new FakeDataChannel(options);
  const remote = new FakeDataChannel(options);
  local.connect(remote);
  remote.connect(local);
  setImmediate(() => {
    local.open();
    remote.open();
  });
  return {
    local,
    remote,
    cut: () => {
      local.drop();
      remote.drop();
    },
  };
}

/** An RTCDataChannel look-alike with a send queue, backpressure and a peer in memory. */
export class FakeDataChannel extends EventTarget implements RTCDataChannel {
  binaryType: BinaryType = "arraybuffer";
  bufferedAmountLowThreshold = 0;
  readonly id = null;
  readonly label: string;
  readonly maxPacketLifeTime = null;
  readonly maxRetransmits = null;
  readonly negotiated = false;
  readonly ordered: boolean;
  readonly protocol: string;
  onbufferedamountlow: ((this: RTCDataChannel, event: Event) => unknown) | null = null;
  onclose: ((this: RTCDataChannel, event: Event) => unknown) | null = null;
  onclosing: ((this: RTCDataChannel, event: Event) => unknown) | null = null;
  onerror: ((this: RTCDataChannel, event: RTCErrorEvent) => unknown) | null = null;
  onmessage: ((this: RTCDataChannel, event: MessageEvent) => unknown) | null = null;
  onopen: ((this: RTCDataChannel, event: Event) => unknown) | null = null;
  /** The most bytes that were ever queued at once. */
  peakBufferedAmount = 0;
  /** The bytes that have left the send queue. */
  sentBytes = 0;
  receivedBytes = 0;
  #readyState: RTCDataChannelState = "connecting";
  #bufferedAmount = 0;
  #peer: FakeDataChannel | null = null;
  #underWay: ChannelMessage[] = [];
  #turnSet = false;
  #isAnnouncing = false;
  /** Whether `bufferedAmount` shows what has left. */
  #isReporting = true;
  #unreportedBytes = 0;
  readonly #options: FakeChannelOptions;

  constructor(options: FakeChannelOptions) {
    super();
    this.#options = options;
    this.label = options.label ?? "channel";
    this.ordered = options.ordered ?? false;
    this.protocol = options.protocol ?? transferChannelProtocol;
  }

  get readyState(): RTCDataChannelState {
    return this.#readyState;
  }

  get bufferedAmount(): number {
    return this.#bufferedAmount;
  }

  connect(peer: FakeDataChannel): void {
    this.#peer = peer;
  }

  /**
   * Opens this end with the event that tells its side of the channel. As in Chromium, `bufferedAmount` does not show that
   * what is sent in the task of that event has left, until more is sent.
   */
  announce(dispatch: () => void): void {
    this.#isAnnouncing = true;
    this.#isReporting = false;
    this.open();
    dispatch();
    const { later = setImmediate } = this.#options;
    later(() => {
      this.#isAnnouncing = false;
    });
  }

  open(): void {
    if (this.#readyState !== "connecting") return;
    this.#readyState = "open";
    this.#dispatch("open");
  }

  send(data: string | Blob | ArrayBuffer | ArrayBufferView): void {
    if (this.#readyState !== "open") throw new DOMException("not open", "InvalidStateError");
    if (data instanceof Blob) throw new TypeError("blobs are not sent here");
    const message = copyOf(data);
    if (this.#bufferedAmount + sizeOf(message) > (this.#options.bufferBytes ?? Number.POSITIVE_INFINITY))
      throw new DOMException("the buffer is full", "OperationError");
    if (!this.#isAnnouncing) this.#isReporting = true;
    this.#bufferedAmount += sizeOf(message);
    this.peakBufferedAmount = Math.max(this.peakBufferedAmount, this.#bufferedAmount);
    this.#underWay.push(message);
    this.#setTurn();
  }

  /** Sends what is queued, then closes both ends, as WebRTC's closing procedure does. */
  close(): void {
    if (this.#readyState === "closing" || this.#readyState === "closed") return;
    this.#readyState = "closing";
    this.#setTurn();
  }

  /** Closes this end at once and loses queued messages; as in WebRTC, `bufferedAmount` keeps its value. */
  drop(): void {
    if (this.#readyState === "closed") return;
    this.#underWay = [];
    this.#readyState = "closed";
    this.#dispatch("close");
  }

  #setTurn(): void {
    if (this.#turnSet) return;
    this.#turnSet = true;
    const { later = setImmediate } = this.#options;
    later(() => {
      this.#turnSet = false;
      this.#takeTurn();
    });
  }

  #takeTurn(): void {
    let left = this.#options.turnBytes ?? 64 * 1024;
    while (left > 0 && this.#underWay.length > 0) {
      const index = this.ordered ? 0 : (this.#options.pick?.(this.#underWay.length) ?? 0);
      const [message] = this.#underWay.splice(index, 1);
      if (message === undefined) break;
      left -= sizeOf(message);
      this.sentBytes += sizeOf(message);
      this.#unreportedBytes += sizeOf(message);
      if (this.#isReporting) this.#lowerQueue();
      const arriving = this.#options.tamper ? this.#options.tamper(message, this.label) : message;
      if (arriving !== null) this.#peer?.receive(arriving);
    }
    if (this.#underWay.length > 0) this.#setTurn();
    else if (this.#readyState === "closing") {
      this.drop();
      this.#peer?.close();
    }
  }

  receive(data: ChannelMessage): void {
    if (this.#readyState !== "open") return;
    this.receivedBytes += sizeOf(data);
    const event = new MessageEvent("message", { data });
    this.onmessage?.call(this, event);
    this.dispatchEvent(event);
  }

  #lowerQueue(): void {
    const before = this.#bufferedAmount;
    this.#bufferedAmount -= this.#unreportedBytes;
    this.#unreportedBytes = 0;
    const threshold = this.bufferedAmountLowThreshold;
    if (before > threshold && this.#bufferedAmount <= threshold) this.#dispatch("bufferedamountlow");
  }

  #dispatch(type: "open" | "close" | "bufferedamountlow"): void {
    const event = new Event(type);
    this[`on${type}`]?.call(this, event);
    this.dispatchEvent(event);
  }
}

function copyOf(data: string | ArrayBuffer | ArrayBufferView): ChannelMessage {
  if (typeof data === "string") return data;
  const view = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
  return new Uint8Array(view).buffer;
}

function sizeOf(message: ChannelMessage): number {
  return typeof message === "string" ? message.length : message.byteLength;
}
