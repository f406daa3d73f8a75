import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { closeCodes, encodeSignallingFrame, type Rate, TokenBucket } from "@warren/protocol";
import type { Logger } from "pino";
import { type RawData, WebSocket } from "ws";
import type { Clock } from "./clock.ts";
import type { Counters } from "./counters.ts";
import { createNonce } from "./identity.ts";
import { type InboundFrame, readInboundFrame } from "./inbound-frame.ts";
import type { AddressLimits } from "./limits/address-limits.ts";
import type { ClientAddress } from "./limits/client-address.ts";
import { type Reader, reset, type UnreadBytes } from "./limits/unread-bytes.ts";
import {
  type HandlerTools,
  handleFrame,
  type OutboundFrame,
  type Session,
  type SessionState,
} from "./message-handlers.ts";
import { Outbox } from "./outbox.ts";
import { isOurOrigin, type Naming } from "./own-origin.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import type { WriteBatch } from "./write-batch.ts";

const helloTimeoutMs = 5_000;
/** A client is pinged after `pingAfterMs` of silence, and considered dead after `deadAfterMs`. */
const pingAfterMs = 25_000;
const deadAfterMs = 60_000;
/** Joins of one socket. As many again are answered with the time to wait, before the socket is closed. */
const joinsAtOnce = 10;
const joinRate: Rate = { burst: 2 * joinsAtOnce, perSecond: 1 / 3 };
/** How long the client may take to answer a close. */
const closeTimeoutMs = 5_000;

const frameCounters = {
  hello: "frames-hello",
  join: "frames-join",
  nearby: "frames-nearby",
  leave: "frames-leave",
  admit: "frames-admit",
  reject: "frames-reject",
  defer: "frames-defer",
  signal: "frames-signal",
  ping: "frames-ping",
} as const satisfies Record<InboundFrame["type"], string>;

/** The dependencies of all connections; one shared object, so that an idle socket costs little memory. */
export interface ConnectionEnvironment extends HandlerTools {
  readonly clock: Clock;
  readonly counters: Counters;
  readonly log: Logger;
  readonly pseudonyms: Pseudonyms;
  readonly addressLimits: AddressLimits;
  readonly writes: WriteBatch;
  readonly unread: UnreadBytes;
  /** By which origins clients may reach this server. */
  readonly naming: Naming;
  /** Called once, after the socket closed. */
  readonly onClosed: (connection: ClientConnection) => void;
}

/** A client's socket. It refers to its connection, so that all sockets can share their listeners. */
export class ClientSocket extends WebSocket {
  connection: ClientConnection | undefined;
  #pauses = 0;

  /** Stops reading until `resume` was called as often. */
  override pause(): void {
    this.#pauses += 1;
    super.pause();
  }

  override resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) super.resume();
  }
}

const listeners = {
  message(this: WebSocket, data: RawData, isBinary: boolean) {
    connectionOf(this)?.receive(data, isBinary);
  },
  noteActivity(this: WebSocket) {
    connectionOf(this)?.noteActivity();
  },
  close(this: WebSocket, code: number) {
    connectionOf(this)?.closed(code);
  },
  error(this: WebSocket) {
    connectionOf(this)?.failed();
  },
};

function connectionOf(socket: WebSocket): ClientConnection | undefined {
  return socket instanceof ClientSocket ? socket.connection : undefined;
}

/** One client's socket, from upgrade to close: passes its frames to the handlers in order, and answers to the outbox. */
export class ClientConnection implements Session {
  readonly address: ClientAddress;
  readonly network: string | undefined;
  readonly #page: string;
  #state: SessionState;
  readonly #socket: ClientSocket;
  readonly #stream: Duplex;
  readonly #environment: ConnectionEnvironment;
  readonly #outbox: Outbox;
  readonly #bucket: TokenBucket;
  /** Absent until the client has joined a room. */
  #joins: TokenBucket | undefined;
  /** Set until the client has joined a room. */
  #openedAt: number | undefined;
  #activeAt: number;
  #pingedAt: number;
  /** Frames queued until an asynchronous handler has finished. The socket is not read meanwhile: only one read is queued. */
  readonly #waiting: InboundFrame[] = [];
  #isBusy = false;
  #isHeld = false;
  /** Set once either side closes: nothing more is read or written, and the seat is given up. */
  #end: "left" | "dropped" | undefined;
  /** When either side began to close. */
  #endedAt: number | undefined;

  /**
   * @param stream the stream that the socket writes to
   * @param page the origin of the page that opened the socket
   * @param network that of Nearby, if it is known
   */
  constructor(
    socket: ClientSocket,
    stream: Duplex,
    address: ClientAddress,
    page: string,
    network: string | undefined,
    environment: ConnectionEnvironment,
  ) {
    const { clock, frameRate } = environment;
    const now = clock.elapsedMs();
    const nonce = createNonce();
    this.#state = { status: "greeting", nonce, until: now + helloTimeoutMs };
    this.address = address;
    this.network = network;
    this.#page = page;
    this.#socket = socket;
    this.#stream = stream;
    this.#environment = environment;
    this.#outbox = new Outbox(socket, clock);
    this.#bucket = new TokenBucket(frameRate, clock);
    this.#openedAt = now;
    this.#activeAt = now;
    this.#pingedAt = now;
    socket.connection = this;
    socket.on("message", listeners.message);
    socket.on("ping", listeners.noteActivity);
    socket.on("pong", listeners.noteActivity);
    socket.on("close", listeners.close);
    socket.on("error", listeners.error);
    this.send({ type: "challenge", nonce });
  }

  get state(): SessionState {
    return this.#state;
  }

  send(frame: OutboundFrame): void {
    if (this.#end) return;
    if (frame.type === "error") this.#environment.counters.add(`error-${frame.code}`);
    else if (frame.type === "joined") this.#countJoin();
    const text =
      frame.type === "signal"
        ? `{"type":"signal","from":"${frame.from}","signal":${frame.signal.json}}`
        : encodeSignallingFrame(frame);
    this.#environment.writes.collect(this.#stream);
    this.#environment.unread.sent(text.length);
    if (!this.#outbox.send(text)) this.close("overloaded", "too-slow");
  }

  /** Closes the socket with a code of the protocol. Its seat is kept, as after a dropped connection. */
  close(code: keyof typeof closeCodes, reason: string): void {
    if (this.#end) return;
    this.#endAs("dropped");
    this.#environment.counters.add(`closed-${reason}`);
    this.#socket.close(closeCodes[code], reason);
  }

  /** Ends the socket without a close frame, and drops what the client has not read. */
  terminate(): void {
    if (this.#stream instanceof Socket) reset(this.#stream);
    this.#socket.terminate();
  }

  /** What is sent to the client, for the limits of unread bytes. */
  get reader(): Reader | undefined {
    const socket = this.#stream;
    if (!(socket instanceof Socket)) return undefined;
    return { socket, address: this.address.key, end: () => this.#tooSlow() };
  }

  #tooSlow(): void {
    this.#environment.counters.add("closed-too-slow");
    this.terminate();
  }

  /** Called about once a second: pings silent clients, and ends sockets that exceeded a time limit. */
  tick(now: number): void {
    const state = this.#state;
    // The client closes, but may not read the answer.
    if (this.#socket.readyState !== WebSocket.OPEN) this.#endedAt ??= now;
    if (this.#endedAt !== undefined) {
      if (now >= this.#endedAt + closeTimeoutMs) this.terminate();
    } else if (state.status === "greeting" && now >= state.until) this.close("helloTimeout", "hello-timeout");
    else if (now >= this.#activeAt + deadAfterMs) this.terminate();
    else if (this.#outbox.isTooSlow) this.close("overloaded", "too-slow");
    else if (now >= Math.max(this.#activeAt, this.#pingedAt) + pingAfterMs) {
      this.#pingedAt = now;
      this.#socket.ping();
    }
  }

  isCalled(server: string, hasKey: boolean): boolean {
    return isOurOrigin(server, { page: this.#page, hasKey }, this.#environment.naming);
  }

  mayOpenRoom(): boolean {
    return this.#environment.addressLimits.mayOpenRoom(this.address);
  }

  countJoin(): number {
    this.#joins ??= new TokenBucket(joinRate, this.#environment.clock);
    const isWithin = this.#joins.left > joinsAtOnce;
    if (!this.#joins.take()) this.close("rateLimited", "too-many-joins");
    return isWithin ? 0 : this.#joins.waitMs(joinsAtOnce + 1);
  }

  moveTo(state: SessionState): void {
    this.#state = state;
    if (this.#end) this.#giveUpPlace(this.#end);
  }

  /** Counts a frame, including control frames, against the rate. @returns whether the client is within it. */
  noteActivity(): boolean {
    const now = this.#environment.clock.elapsedMs();
    this.#activeAt = now;
    if (this.#bucket.take(1, now)) return true;
    this.close("rateLimited", "rate-limited");
    return false;
  }

  receive(data: RawData, isBinary: boolean): void {
    if (this.#end || !this.noteActivity()) return;
    const decoded = readInboundFrame(!isBinary && Buffer.isBuffer(data) ? data : undefined);
    if (!decoded.ok) {
      this.close("badFrame", decoded.error.code);
      return;
    }
    this.#environment.counters.add(frameCounters[decoded.value.type]);
    if (this.#isBusy) {
      this.#waiting.push(decoded.value);
      this.#hold(true);
    } else this.#handle(decoded.value);
  }

  closed(code: number): void {
    const isClean = code === closeCodes.normal || code === closeCodes.goingAway;
    this.#endAs(isClean ? "left" : "dropped");
    this.#environment.log.debug({ code, ...this.#who() }, "socket closed");
    this.#environment.onClosed(this);
  }

  /** A `close` event with the code follows. */
  failed(): void {
    this.#environment.counters.add("socket-errors");
  }

  #handle(frame: InboundFrame): void {
    try {
      const pending = handleFrame(this, frame, this.#environment);
      if (pending !== undefined) void this.#finish(pending);
    } catch (error) {
      this.#onHandlerError(error);
    }
  }

  async #finish(pending: Promise<void>): Promise<void> {
    this.#isBusy = true;
    try {
      await pending;
    } catch (error) {
      this.#onHandlerError(error);
    }
    this.#isBusy = false;
    while (!this.#isBusy && !this.#end) {
      const next = this.#waiting.shift();
      if (!next) return this.#hold(false);
      this.#handle(next);
    }
  }

  #hold(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    if (isHeld) this.#socket.pause();
    else this.#socket.resume();
  }

  /** An error ends only the socket that caused it. */
  #onHandlerError(error: unknown): void {
    this.#environment.log.error({ err: error, ...this.#who() }, "a frame could not be handled");
    this.close("overloaded", "internal-error");
  }

  /** Only the first end counts: a close frame that answers ours does not mean that the client left. */
  #endAs(end: "left" | "dropped"): void {
    if (this.#end) return;
    this.#end = end;
    this.#endedAt ??= this.#environment.clock.elapsedMs();
    this.#outbox.close();
    this.#waiting.length = 0;
    this.#hold(false);
    this.#giveUpPlace(end);
  }

  #who() {
    return { address: this.#environment.pseudonyms.of(this.address.key) };
  }

  /** Counts only the first join: later ones depend on the person. */
  #countJoin(): void {
    if (this.#openedAt === undefined) return;
    this.#environment.counters.addJoin(this.#environment.clock.elapsedMs() - this.#openedAt);
    this.#openedAt = undefined;
  }

  #giveUpPlace(end: "left" | "dropped"): void {
    const state = this.#state;
    if (state.status === "pending") state.knock.cancel();
    if (state.status !== "in-room") return;
    if (end === "left") state.seat.leave();
    else state.seat.drop();
  }
}
