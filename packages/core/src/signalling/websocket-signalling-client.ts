import {
  type ClientFrame,
  type ClientId,
  type RoomMember,
  type SealedSignal,
  type ServerFrame,
  type TurnSignIn,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { Environment } from "../ports/environment.ts";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import type { SignalSender } from "../ports/signalling.ts";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";
import { Countdown } from "../shared/countdown.ts";
import { NewcomerQueue } from "./newcomer-queue.ts";
import { finalCodes, ReconnectingClient, type ReconnectingClientOptions } from "./reconnecting-client.ts";
import { ResumableSeat } from "./resumable-seat.ts";
import type { JoinedFrame, SignallingSocket } from "./signalling-socket.ts";

/** A busy server asks for a pause of 5 s; a newcomer should not wait much longer. */
const firstJoinPolicy: BackoffPolicy = { baseMs: 2_000, capMs: 5_000 };
const firstJoinPatienceMs = 10_000;

interface ClientOptions extends ReconnectingClientOptions {
  /** Opens a socket that takes the seat of the token, or a new one. */
  readonly openSignallingSocket: (resumeToken: string | null) => SignallingSocket;
  readonly environment: Environment;
  readonly storage: KeyValueStorage;
}

/** A seat in a room that outlives its sockets. */
export class WebsocketSignallingClient extends ReconnectingClient {
  readonly #options: ClientOptions;
  readonly #seat: ResumableSeat;
  /** The newest credentials for the server's relays, and when they expire on the monotonic clock. */
  #turn: { readonly server: RTCIceServer; readonly until: number } | null = null;
  /** The socket that holds the seat. */
  #current: SignallingSocket | null = null;
  /** A socket that is about to take over the seat. */
  #next: SignallingSocket | null = null;
  /** The sender to the member that may admit us. */
  #proving: SignalSender | null = null;
  /** Newcomers that knocked. */
  readonly #knocking: NewcomerQueue<ClientId>;
  /** Newcomers that we may admit; aborted when one has gone. */
  readonly #greeting = new Map<ClientId, AbortController>();
  /** Until the server's limit of frames allows the next signal. */
  readonly #pause: Countdown;
  #stopWake: () => void = () => {};

  constructor(options: ClientOptions) {
    super(options);
    this.#options = options;
    this.#pause = new Countdown(options.clock);
    this.#knocking = new NewcomerQueue(options.clock, (clientId) => void this.#greet(clientId));
    this.#seat = new ResumableSeat(options.storage, options.seat.roomTag, options.seat.clientId);
  }

  override get relays(): readonly RTCIceServer[] {
    return this.#turn !== null && this.#options.clock.elapsedMs() < this.#turn.until
      ? [this.#turn.server]
      : [];
  }

  /**
   * Takes the seat for the first time. A server that does not accept us at once, because it is busy or restarting or asks us to
   * wait, is retried for 10 s: a browser does not report why a socket failed to open.
   */
  async connect(): Promise<void> {
    const { clock, random, seat } = this.#options;
    const giveUpAt = clock.elapsedMs() + firstJoinPatienceMs;
    await new Promise<void>((resolve, reject) => {
      const refuse = (thrown: unknown, retryAfterMs: number | null): void => {
        const error = toWarrenError(thrown, "signalling-unreachable");
        this.attempt += 1;
        const delayMs = (retryAfterMs ?? 0) + backoffDelayMs(firstJoinPolicy, this.attempt, random());
        const mayRetry = error.code === "signalling-unreachable" || retryAfterMs !== null;
        if (mayRetry && clock.elapsedMs() + delayMs < giveUpAt) this.retry.start(delayMs, attempt);
        else reject(error);
      };
      const attempt = (): void => {
        try {
          this.#openNext(refuse).events.on("joined", () => resolve());
        } catch (thrown) {
          // An invalid address fails every time.
          reject(toWarrenError(thrown, "signalling-unreachable"));
        }
      };
      const callOff = (): void => {
        if (this.#current !== null) return; // the owner of this client destroys it
        this.destroy();
        reject(new WarrenError("connection-closed"));
      };
      seat.calledOff?.addEventListener("abort", callOff, { once: true });
      if (seat.calledOff?.aborted) callOff();
      else attempt();
    });
    this.#stopWake = this.#options.environment.on("wake", () => this.#wake());
  }

  override destroy(): void {
    (this.#current ?? this.#next)?.send({ type: "leave" });
    this.#seat.clear();
    this.vanish();
  }

  override vanish(): void {
    this.#shut();
    this.silence();
  }

  #openNext(onFailure: (error: WarrenError, retryAfterMs: number | null) => void): SignallingSocket {
    const seat = this.#seat.get();
    const socket = this.#options.openSignallingSocket(seat?.resumeToken ?? null);
    this.#next = socket;
    this.#stopProving();
    socket.events.on("joined", (frame) => this.#takeOver(socket, frame, seat?.order ?? null));
    socket.events.on("pending", (greeter, needsApproval) => {
      this.#options.seat.onWaiting?.(greeter === null || needsApproval);
      this.#prove(socket, greeter);
    });
    socket.events.on("frame", (frame) => this.#handleFrame(socket, frame));
    socket.events.on("lost", (error, retryAfterMs) => {
      if (this.#next === socket) {
        this.#next = null;
        onFailure(error, retryAfterMs);
      } else if (this.#current === socket) this.#lost(error);
    });
    return socket;
  }

  #takeOver(socket: SignallingSocket, frame: JoinedFrame, earlierOrder: number | null): void {
    this.#current?.close();
    this.#current = socket;
    this.#next = null;
    this.attempt = 0;
    this.order = frame.order;
    this.#seat.keep(frame.order, frame.resumeToken);
    this.#signInAtRelays(frame.turn);
    this.roster.replace(frame.members, earlierOrder === frame.order);
    this.#sendWaiting();
    this.setStatus({ status: "online" });
  }

  #handleFrame(socket: SignallingSocket, frame: ServerFrame): void {
    switch (frame.type) {
      case "member-joined":
        this.roster.add(frame.member, frame.resumed);
        break;
      case "member-left":
        this.#knocking.delete(frame.clientId);
        this.#stopGreeting(frame.clientId);
        this.senders.forget(frame.clientId);
        this.outbox.forget(frame.clientId);
        this.roster.remove(frame.clientId);
        break;
      case "signal":
        // While waiting for admission, signals belong to that alone; a session may have outlived the earlier seat.
        if (socket === this.#current) this.senders.deliver(frame.from, frame.signal);
        else this.senders.deliverToGuests(frame.from, frame.signal);
        break;
      case "knock":
        this.#knocking.add(frame.clientId, frame.clientId);
        break;
      case "drain":
        this.retry.start(frame.afterMs, () => this.#tryAgain());
        break;
      case "pong":
        // The seat may outlast the first token by hours; after a server restart only a recent token is valid.
        if (frame.resumeToken !== undefined) this.#seat.keep(this.order, frame.resumeToken);
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
    const until = this.#options.clock.elapsedMs() + lifetimeS * 1000;
    this.#turn = { server: { urls, username, credential }, until };
  }

  /** Not admitted yet: we first prove to a member of the room that we know the password. */
  #prove(socket: SignallingSocket, greeter: RoomMember | null): void {
    if (this.#proving !== null && this.#proving.targetId === greeter?.clientId) return;
    this.#stopProving();
    if (greeter === null) return;
    const sender = this.senders.createGuest(greeter.clientId);
    this.#proving = sender;
    this.#options.seat.prove(sender).then(
      () => sender.close(),
      (thrown: unknown) => {
        // A replaced greeter is no failure.
        if (this.#proving === sender) socket.fail(toWarrenError(thrown));
      },
    );
  }

  #stopProving(): void {
    this.#proving?.close();
    this.#proving = null;
  }

  /** We have to admit a newcomer. When it knocks again, its earlier visit is over. */
  async #greet(clientId: ClientId): Promise<void> {
    this.#stopGreeting(clientId);
    const sender = this.senders.createGuest(clientId);
    const gone = new AbortController();
    this.#greeting.set(clientId, gone);
    const isCurrent = () => this.#greeting.get(clientId) === gone;
    const onDeferred = () => {
      if (isCurrent()) this.#current?.send({ type: "defer", clientId });
    };
    const answer = await this.#options.seat.greet(sender, onDeferred, gone.signal).then(
      (): ClientFrame => ({ type: "admit", clientId }),
      (thrown: unknown): ClientFrame => {
        const wasTested = toWarrenError(thrown).code !== "approval-needed";
        return { type: "reject", clientId, ...(!wasTested && { reason: "not-admitted" }) };
      },
    );
    sender.close();
    if (!isCurrent()) return;
    this.#greeting.delete(clientId);
    this.#current?.send(answer);
  }

  #stopGreeting(clientId: ClientId): void {
    this.#greeting.get(clientId)?.abort();
    this.#greeting.delete(clientId);
  }

  #lost(error: WarrenError): void {
    this.#current = null;
    // The server closes the old socket in favour of the new one before it answers the new one's join.
    if (this.#next !== null) return;
    if (finalCodes.has(error.code)) this.#closeForGood(error);
    else this.#retrySoon();
  }

  #retrySoon(atLeastMs = 0): void {
    this.setStatus({ status: "reconnecting" });
    this.retryLater(() => this.#tryAgain(), atLeastMs);
  }

  #tryAgain(): void {
    this.retry.stop();
    if (this.#next !== null || this.status === "closed") return;
    const onFailure = (error: WarrenError, retryAfterMs: number | null) => {
      // While the old socket still holds the seat, nothing is lost: its end triggers the next attempt.
      if (this.#current !== null) return;
      if (finalCodes.has(error.code)) this.#closeForGood(error);
      else this.#retrySoon(retryAfterMs ?? 0);
    };
    try {
      this.#openNext(onFailure);
    } catch {
      onFailure(new WarrenError("signalling-unreachable"), null);
    }
  }

  #wake(): void {
    if (this.#current !== null) this.#current.probe();
    else if (this.retry.isRunning) this.#tryAgain();
  }

  protected override sendSignal(to: ClientId, signal: SealedSignal): void {
    this.outbox.add({ type: "signal", to, signal });
    this.#sendWaiting();
  }

  /** Sends what waits, as fast as the server's limit of frames allows. */
  #sendWaiting(): void {
    // While waiting for admission, the new socket carries the proof.
    const socket = this.#current ?? this.#next;
    const onlyTo = this.#current === null ? this.#proving?.targetId : undefined;
    for (;;) {
      const waitMs = socket?.signalWaitMs ?? null;
      if (socket === null || waitMs === null) return;
      if (waitMs > 0) {
        this.#pause.start(waitMs, () => this.#sendWaiting());
        return;
      }
      const frame = this.outbox.next(onlyTo);
      if (frame === null) return;
      socket.send(frame);
    }
  }

  #closeForGood(error: WarrenError): void {
    this.#shut();
    this.setStatus({ status: "closed", error });
  }

  #shut(): void {
    this.#stopWake();
    this.#pause.stop();
    this.#knocking.clear();
    for (const clientId of [...this.#greeting.keys()]) this.#stopGreeting(clientId);
    this.retry.stop();
    this.#next?.close();
    this.#current?.close();
    this.#next = null;
    this.#current = null;
    this.senders.close();
  }
}
