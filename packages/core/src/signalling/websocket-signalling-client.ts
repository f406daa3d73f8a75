import {
  type ClientId,
  type RoomMember,
  type SealedSignal,
  type ServerFrame,
  type TurnSignIn,
  toWarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { Environment } from "../ports/environment.ts";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import type {
  SeatRequest,
  SignallingClient,
  SignallingClientStatus,
  SignalSender,
} from "../ports/signalling.ts";
import { Countdown } from "../shared/countdown.ts";
import type { Unsubscribe } from "../shared/emitter.ts";
import { MemberRoster } from "./member-roster.ts";
import { ResumableSeat } from "./resumable-seat.ts";
import { Seat } from "./seat.ts";
import { SignalOutbox } from "./signal-outbox.ts";
import { SignalSenders } from "./signal-senders.ts";
import type { JoinedFrame, SignallingSocket } from "./signalling-socket.ts";
import { WebsocketAdmission } from "./websocket-admission.ts";

interface WebsocketClientDeps {
  readonly seat: SeatRequest;
  readonly clock: Clock;
  /** A number in [0, 1), for the jitter of reconnects. */
  readonly random: () => number;
  /** Opens a socket that takes the seat of the token, or a new one. */
  readonly openSignallingSocket: (resumeToken: string | null) => SignallingSocket;
  readonly environment: Environment;
  readonly storage: KeyValueStorage;
}

/** A seat in a room, held by one socket after another. What a lost socket leads to stands in seat-policy.ts. */
export class WebsocketSignallingClient implements SignallingClient {
  readonly #deps: WebsocketClientDeps;
  readonly #seat: Seat;
  readonly #stored: ResumableSeat;
  readonly #roster = new MemberRoster();
  readonly #senders = new SignalSenders((to, signal) => this.#sendSignal(to, signal));
  readonly #outbox: SignalOutbox;
  readonly #admission: WebsocketAdmission;
  #order = 0;
  /** The newest credentials for the server's relays, and when they expire on the monotonic clock. */
  #turn: { readonly server: RTCIceServer; readonly until: number } | null = null;
  /** The socket that holds the seat. */
  #current: SignallingSocket | null = null;
  /** A socket that asks for the seat. */
  #next: SignallingSocket | null = null;
  /** Until the server's limit of frames allows the next signal. */
  readonly #throttle: Countdown;
  #stopWake: () => void = () => {};

  constructor(deps: WebsocketClientDeps) {
    const { seat, clock, random, storage } = deps;
    this.#deps = deps;
    this.#throttle = new Countdown(clock);
    this.#outbox = new SignalOutbox(clock);
    this.#stored = new ResumableSeat(storage, seat.roomTag, seat.clientId);
    this.#seat = new Seat({
      clock,
      random,
      effects: { ask: () => this.#ask(), probe: () => this.#current?.probe() },
      ends: { connection: () => this.#endCurrent(), attempt: () => this.#endNext() },
    });
    this.#seat.on("status", ({ status }) => status === "closed" && this.#close());
    this.#admission = new WebsocketAdmission({
      seat,
      clock,
      senders: this.#senders,
      send: (frame) => this.#current?.send(frame),
    });
  }

  get self(): RoomMember {
    return { clientId: this.#deps.seat.clientId, order: this.#order };
  }

  get relays(): readonly RTCIceServer[] {
    return this.#turn !== null && this.#deps.clock.elapsedMs() < this.#turn.until ? [this.#turn.server] : [];
  }

  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): Unsubscribe {
    return this.#roster.listenForJoin(callback);
  }

  listenForLeave(callback: (clientId: ClientId) => void): Unsubscribe {
    return this.#roster.listenForLeave(callback);
  }

  listenForStatus(callback: (status: SignallingClientStatus) => void): Unsubscribe {
    return this.#seat.listenForStatus(callback);
  }

  createSender(targetId: ClientId): SignalSender {
    return this.#senders.create(targetId);
  }

  /**
   * Takes the seat for the first time. A server that does not accept us at once, because it is busy or restarting or asks us to
   * wait, is retried for 10 s: a browser does not report why a socket failed to open.
   */
  async connect(): Promise<void> {
    const { seat, environment } = this.#deps;
    try {
      await this.#seat.start(seat.calledOff);
    } catch (thrown) {
      if (seat.calledOff?.aborted) this.destroy();
      throw thrown;
    }
    this.#stopWake = environment.on("wake", () => this.#seat.take("wake"));
  }

  destroy(): void {
    (this.#current ?? this.#next)?.send({ type: "leave" });
    this.#stored.clear();
    this.vanish();
  }

  vanish(): void {
    this.#seat.leave();
    this.#roster.clear();
    this.#close();
  }

  #ask(): void {
    const stored = this.#stored.get();
    let socket: SignallingSocket;
    try {
      socket = this.#deps.openSignallingSocket(stored?.resumeToken ?? null);
    } catch (thrown) {
      // An invalid address.
      this.#seat.attemptFailed(toWarrenError(thrown, "signalling-unreachable"), false);
      return;
    }
    this.#next = socket;
    this.#admission.stopProving();
    socket.on("joined", (frame) => this.#takeOver(socket, frame, stored?.order ?? null));
    socket.on("pending", (greeter, needsApproval) => {
      this.#deps.seat.onWaiting?.(greeter === null || needsApproval);
      this.#admission.prove(greeter, (error) => socket.fail(error));
    });
    socket.on("frame", (frame) => this.#handleFrame(socket, frame));
    socket.on("lost", (error, retryAfterMs) => {
      const mayHelp = error.code === "signalling-unreachable" || retryAfterMs !== null;
      if (this.#next === socket) this.#seat.attemptFailed(error, mayHelp, retryAfterMs ?? 0);
      else if (this.#current === socket) this.#seat.connectionLost(error);
    });
  }

  #takeOver(socket: SignallingSocket, frame: JoinedFrame, earlierOrder: number | null): void {
    this.#current?.close();
    this.#current = socket;
    this.#next = null;
    this.#order = frame.order;
    this.#stored.keep(frame.order, frame.resumeToken);
    this.#signInAtRelays(frame.turn);
    this.#roster.replace(frame.members, earlierOrder === frame.order);
    this.#sendWaiting();
    this.#seat.take("takes-seat");
  }

  #handleFrame(socket: SignallingSocket, frame: ServerFrame): void {
    switch (frame.type) {
      case "member-joined":
        this.#roster.add(frame.member, frame.resumed);
        break;
      case "member-left":
        this.#admission.forget(frame.clientId);
        this.#senders.forget(frame.clientId);
        this.#outbox.forget(frame.clientId);
        this.#roster.remove(frame.clientId);
        break;
      case "signal":
        // While waiting for admission, signals belong to that alone; a session may have outlived the earlier seat.
        if (socket === this.#current) this.#senders.deliver(frame.from, frame.signal);
        else this.#senders.deliverToGuests(frame.from, frame.signal);
        break;
      case "knock":
        this.#admission.knock(frame.clientId);
        break;
      case "drain":
        this.#seat.take("drained", { waitMs: frame.afterMs });
        break;
      case "pong":
        // The seat may outlast the first token by hours; after a server restart only a recent token is valid.
        if (frame.resumeToken !== undefined) this.#stored.keep(this.#order, frame.resumeToken);
        this.#signInAtRelays(frame.turn);
        break;
      default:
      // A rejected signal is lost like any other.
    }
  }

  /** Lifetimes count from receipt, so that only the server's clock has to be right. */
  #signInAtRelays(turn: TurnSignIn | undefined): void {
    if (turn === undefined) return;
    const { urls, username, credential, lifetimeS } = turn;
    const until = this.#deps.clock.elapsedMs() + lifetimeS * 1000;
    this.#turn = { server: { urls, username, credential }, until };
  }

  #sendSignal(to: ClientId, signal: SealedSignal): void {
    this.#outbox.add({ type: "signal", to, signal });
    this.#sendWaiting();
  }

  /** Sends what waits, as fast as the server's limit of frames allows. */
  #sendWaiting(): void {
    // While waiting for admission, the new socket carries the proof.
    const socket = this.#current ?? this.#next;
    const onlyTo = this.#current === null ? this.#admission.greeterId : undefined;
    for (;;) {
      const waitMs = socket?.signalWaitMs ?? null;
      if (socket === null || waitMs === null) return;
      if (waitMs > 0) {
        this.#throttle.start(waitMs, () => this.#sendWaiting());
        return;
      }
      const frame = this.#outbox.next(onlyTo);
      if (frame === null) return;
      socket.send(frame);
    }
  }

  #endCurrent(): void {
    const socket = this.#current;
    this.#current = null;
    socket?.close();
  }

  #endNext(): void {
    const socket = this.#next;
    this.#next = null;
    socket?.close();
  }

  #close(): void {
    this.#stopWake();
    this.#throttle.stop();
    this.#admission.close();
    this.#senders.close();
  }
}
