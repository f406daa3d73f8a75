import type { ClientId, ErrorCode, RoomMember, SealedSignal } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type {
  SeatRequest,
  SignallingClient,
  SignallingClientStatus,
  SignalSender,
} from "../ports/signalling.ts";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitter } from "../shared/emitter.ts";
import { MemberRoster } from "./member-roster.ts";
import { SignalOutbox } from "./signal-outbox.ts";
import { SignalSenders } from "./signal-senders.ts";

const reconnectPolicy: BackoffPolicy = { baseMs: 500, capMs: 30_000 };

/** Errors after which retrying is pointless for a client that was in the room: one that is full may have a seat again. */
export const finalCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "signalling-replaced",
  "password-required",
  "incorrect-password",
  "room-is-open",
  "not-admitted",
  "another-version",
  "nearby-unavailable",
]);

/** The dependencies of a {@link ReconnectingClient}. */
export interface ReconnectingClientOptions {
  readonly seat: SeatRequest;
  readonly clock: Clock;
  /** A number in [0, 1), for the jitter of reconnects. */
  readonly random: () => number;
}

/** The part of a signalling client that does not depend on the service: members, signals, status and retries. */
export abstract class ReconnectingClient implements SignallingClient {
  abstract readonly relays: readonly RTCIceServer[];
  protected readonly roster = new MemberRoster();
  protected readonly senders: SignalSenders;
  protected readonly outbox: SignalOutbox;
  protected readonly retry: Countdown;
  protected order = 0;
  /** Failed attempts since we were last online. */
  protected attempt = 0;
  readonly #clientId: ClientId;
  readonly #random: () => number;
  readonly #statusEvents = new Emitter<{ status: [SignallingClientStatus] }>();
  #status: SignallingClientStatus = { status: "reconnecting" };

  constructor({ seat, clock, random }: ReconnectingClientOptions) {
    this.#clientId = seat.clientId;
    this.#random = random;
    this.retry = new Countdown(clock);
    this.outbox = new SignalOutbox(clock);
    this.senders = new SignalSenders((to, signal) => this.sendSignal(to, signal));
  }

  get self(): RoomMember {
    return { clientId: this.#clientId, order: this.order };
  }

  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): () => void {
    return this.roster.listenForJoin(callback);
  }

  listenForLeave(callback: (clientId: ClientId) => void): () => void {
    return this.roster.listenForLeave(callback);
  }

  listenForStatus(callback: (status: SignallingClientStatus) => void): () => void {
    callback(this.#status);
    return this.#statusEvents.on("status", callback);
  }

  createSender(targetId: ClientId): SignalSender {
    return this.senders.create(targetId);
  }

  abstract destroy(): void;

  abstract vanish(): void;

  /** Sends a signal at once, or keeps it in the outbox. */
  protected abstract sendSignal(to: ClientId, signal: SealedSignal): void;

  protected get status(): SignallingClientStatus["status"] {
    return this.#status.status;
  }

  protected setStatus(status: SignallingClientStatus): void {
    if (this.#status.status === status.status) return;
    this.#status = status;
    this.#statusEvents.emit("status", status);
  }

  /** Forgets every listener. */
  protected silence(): void {
    this.#statusEvents.clear();
    this.roster.clear();
  }

  /** Tries again after a pause that grows with each failed attempt, on top of what the service asks for. */
  protected retryLater(tryAgain: () => void, atLeastMs = 0): void {
    this.attempt += 1;
    this.retry.start(atLeastMs + backoffDelayMs(reconnectPolicy, this.attempt, this.#random()), tryAgain);
  }
}
