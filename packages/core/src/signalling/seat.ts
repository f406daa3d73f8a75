import { WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { SignallingClientStatus } from "../ports/signalling.ts";
import { type BackoffPolicy, backoffDelayMs } from "../shared/backoff.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitting, type Unsubscribe } from "../shared/emitter.ts";
import {
  advanceSeat,
  newSeat,
  type SeatEffect,
  type SeatEvent,
  type SeatHolding,
  type SeatState,
  seatStateSpecs,
} from "./seat-policy.ts";

const reconnectPolicy: BackoffPolicy = { baseMs: 500, capMs: 30_000 };

interface SeatDeps {
  readonly clock: Clock;
  /** A number in [0, 1), for the jitter of reconnects. */
  readonly random: () => number;
  /** What a service does for the seat. */
  readonly effects: Readonly<Record<Exclude<SeatEffect, "start-wait">, () => void>>;
  /** Ends what the seat no longer has. */
  readonly ends: Readonly<Record<Exclude<SeatHolding, "wait">, () => void>>;
}

/** What an event brings with it. */
interface Details {
  /** Why the seat is lost, if it is lost for good. */
  readonly error?: WarrenError;
  /** How long to wait before the next attempt; never by itself if infinite. */
  readonly waitMs?: number;
}

/** Our seat in a room, in one of the states of seat-policy.ts, whose effects a signalling client provides. */
export class Seat extends Emitting<{ status: [SignallingClientStatus] }> {
  readonly #deps: SeatDeps;
  readonly #wait: Countdown;
  #memory = newSeat;
  #status: SignallingClientStatus = { status: "reconnecting" };

  constructor(deps: SeatDeps) {
    super();
    this.#deps = deps;
    this.#wait = new Countdown(deps.clock);
  }

  get state(): SeatState {
    return this.#memory.state;
  }

  get isHeld(): boolean {
    return this.#status.status === "online";
  }

  /** The pause before another attempt, should this one fail; it grows with each failed attempt. */
  pauseMs(policy: BackoffPolicy = reconnectPolicy): number {
    return backoffDelayMs(policy, this.#memory.failures + 1, this.#deps.random());
  }

  /** Calls back with the current status and on each change. */
  listenForStatus(callback: (status: SignallingClientStatus) => void): Unsubscribe {
    callback(this.#status);
    return this.on("status", callback);
  }

  /** We leave: nobody hears of the seat any more. */
  leave(): void {
    this.clear();
    this.take("leave");
  }

  take(event: SeatEvent, details: Details = {}): void {
    const { memory, ends, effects } = advanceSeat(this.#memory, event);
    this.#memory = memory;
    for (const held of ends)
      if (held === "wait") this.#wait.stop();
      else this.#deps.ends[held]();
    this.#report(details.error);
    for (const effect of effects) {
      // Whoever heard of the change may have left.
      if (this.#memory !== memory) return;
      if (effect === "start-wait") this.#startWait(details.waitMs ?? 0);
      else this.#deps.effects[effect]();
    }
  }

  #startWait(waitMs: number): void {
    if (Number.isFinite(waitMs)) this.#wait.start(waitMs, () => this.take("wait-ends"));
  }

  #report(error = new WarrenError("connection-closed")): void {
    const { status } = seatStateSpecs[this.#memory.state];
    if (this.#status.status === status) return;
    this.#status = status === "closed" ? { status, error } : { status };
    this.emit("status", this.#status);
  }
}
