import {
  type ClientFrame,
  closeCodes,
  decodeClientFrame,
  encodeSignallingFrame,
  type ServerFrame,
  WarrenError,
} from "@warren/protocol";
import type { Logger } from "pino";
import type { RawData, WebSocket } from "ws";
import type { CancelTimer, Clock } from "./clock.ts";
import type { Counters } from "./counters.ts";
import { Heartbeat } from "./heartbeat.ts";
import { createNonce } from "./identity.ts";
import type { AddressLimits } from "./limits/address-limits.ts";
import type { ClientAddress } from "./limits/client-address.ts";
import { type Rate, TokenBucket } from "./limits/token-bucket.ts";
import { type HandlerTools, handleFrame, type Session, type SessionState } from "./message-handlers.ts";
import { Outbox } from "./outbox.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

const helloTimeoutMs = 5_000;
/** How long the client may take to answer a close. */
const closeTimeoutMs = 5_000;

/** What connections need from their surroundings; all share one, so that an idle socket costs little. */
export interface ConnectionSurroundings extends HandlerTools {
  readonly clock: Clock;
  readonly frameRate: Rate;
  readonly counters: Counters;
  readonly log: Logger;
  readonly pseudonyms: Pseudonyms;
  readonly addressLimits: AddressLimits;
  /** Names under which clients may reach this server; when empty, the host of the page that opened each socket. */
  readonly serverNames: readonly string[];
  /** Called once, when the socket is gone. */
  readonly onClosed: (connection: ClientConnection) => void;
}

/** One client's socket, from upgrade to close: frames in order through the handlers, answers through the outbox. */
export class ClientConnection implements Session {
  readonly address: ClientAddress;
  readonly #host: string;
  #state: SessionState;
  readonly #socket: WebSocket;
  readonly #surroundings: ConnectionSurroundings;
  readonly #outbox: Outbox;
  readonly #heartbeat: Heartbeat;
  readonly #bucket: TokenBucket;
  readonly #cancelHello: CancelTimer;
  /** Frames that wait until a handler which takes its time is done. */
  readonly #waiting: ClientFrame[] = [];
  #isBusy = false;
  /** Set once either side closes: nothing is read or written any more, and the seat is given up. */
  #end: "left" | "dropped" | undefined;

  /** @param host that of the page the socket was opened by */
  constructor(socket: WebSocket, address: ClientAddress, host: string, surroundings: ConnectionSurroundings) {
    const { clock, frameRate } = surroundings;
    const nonce = createNonce();
    this.#state = { status: "greeting", nonce };
    this.address = address;
    this.#host = host;
    this.#socket = socket;
    this.#surroundings = surroundings;
    this.#outbox = new Outbox(socket, clock, () => this.close("overloaded", "too-slow"));
    this.#heartbeat = new Heartbeat(clock, { ping: () => socket.ping(), dead: () => socket.terminate() });
    this.#bucket = new TokenBucket(frameRate, clock);
    this.#cancelHello = clock.after(helloTimeoutMs, () => {
      if (this.#state.status === "greeting") this.close("helloTimeout", "hello-timeout");
    });
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    socket.on("ping", () => this.#heard());
    socket.on("pong", () => this.#heard());
    socket.on("close", (code) => this.#onClose(code));
    // The close event follows and carries what matters.
    socket.on("error", () => surroundings.counters.add("socket-errors"));
    this.send({ type: "challenge", nonce });
  }

  get state(): SessionState {
    return this.#state;
  }

  send(frame: ServerFrame): void {
    if (!this.#end) this.#outbox.send(encodeSignallingFrame(frame));
  }

  /** Closes the socket with a code of the protocol; its seat is kept as after a drop. */
  close(code: keyof typeof closeCodes, reason: string): void {
    if (this.#end) return;
    this.#endAs("dropped");
    this.#surroundings.counters.add(`closed-${reason}`);
    this.#socket.close(closeCodes[code], reason);
    const cancel = this.#surroundings.clock.after(closeTimeoutMs, () => this.#socket.terminate());
    this.#socket.once("close", cancel);
  }

  /** Ends the socket without a goodbye. */
  terminate(): void {
    this.#socket.terminate();
  }

  isCalled(server: string): boolean {
    const { serverNames } = this.#surroundings;
    return serverNames.length > 0 ? serverNames.includes(server) : server === this.#host;
  }

  mayOpenRoom(): boolean {
    return this.#surroundings.addressLimits.mayOpenRoom(this.address);
  }

  moveTo(state: SessionState): void {
    this.#state = state;
    if (this.#end) this.#giveUpPlace(this.#end);
  }

  /** Every frame counts against the rate, those of WebSocket itself included. */
  #heard(): boolean {
    this.#heartbeat.heard();
    if (this.#bucket.take()) return true;
    this.close("rateLimited", "rate-limited");
    return false;
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#end || !this.#heard()) return;
    const decoded = decodeClientFrame(!isBinary && Buffer.isBuffer(data) ? data.toString() : undefined);
    if (!decoded.ok) {
      this.close("badFrame", decoded.error.code);
      return;
    }
    this.#surroundings.counters.add(`frames-${decoded.value.type}`);
    if (this.#isBusy) this.#waiting.push(decoded.value);
    else this.#handle(decoded.value);
  }

  #handle(frame: ClientFrame): void {
    try {
      const pending = handleFrame(this, frame, this.#surroundings);
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
      if (!next) return;
      this.#handle(next);
    }
  }

  /** One client's trouble never becomes another's: whatever goes wrong ends this socket alone. */
  #onHandlerError(error: unknown): void {
    // A signal at the very limit can grow past it when it is written anew.
    if (error instanceof WarrenError && error.code === "frame-too-large") {
      this.close("tooLarge", error.code);
    } else {
      this.#surroundings.log.error({ err: error, ...this.#who() }, "a frame could not be handled");
      this.close("overloaded", "internal-error");
    }
  }

  #onClose(code: number): void {
    const isClean = code === closeCodes.normal || code === closeCodes.goingAway;
    this.#endAs(isClean ? "left" : "dropped");
    this.#surroundings.log.debug({ code, ...this.#who() }, "socket closed");
    this.#surroundings.onClosed(this);
  }

  /** The first end counts: a goodbye that answers ours says nothing about what the client wanted. */
  #endAs(end: "left" | "dropped"): void {
    if (this.#end) return;
    this.#end = end;
    this.#cancelHello();
    this.#heartbeat.stop();
    this.#outbox.close();
    this.#waiting.length = 0;
    this.#giveUpPlace(end);
  }

  #who() {
    return { address: this.#surroundings.pseudonyms.of(this.address.key) };
  }

  #giveUpPlace(end: "left" | "dropped"): void {
    const state = this.#state;
    if (state.status === "pending") state.knock.cancel();
    if (state.status !== "in-room") return;
    if (end === "left") state.seat.leave();
    else state.seat.drop();
  }
}
