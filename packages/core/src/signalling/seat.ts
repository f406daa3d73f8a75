import { WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { SignallingClientStatus } from "../ports/signalling.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitting, type Unsubscribe } from "../shared/emitter.ts";
import {
  advanceSeat,
  attemptEvent,
  firstSeatMs,
  lossEvent,
  newSeat,
  type SeatEffect,
  type SeatEvent,
  type SeatHolding,
  type SeatState,
  seatBackoffMs,
  seatStateSpecs,
} from "./seat-policy.ts";

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
  #firstUntilMs = 0;
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

  /** Calls back with the current status and on each change. */
  listenForStatus(callback: (status: SignallingClientStatus) => void): Unsubscribe {
    callback(this.#status);
    return this.on("status", callback);
  }

  /** Takes the seat for the first time. Rejects with the reason if it is refused, or `connection-closed` if we call it off. */
  async start(calledOff?: AbortSignal): Promise<void> {
    this.#firstUntilMs = this.#deps.clock.elapsedMs() + firstSeatMs;
    await new Promise<void>((resolve, reject) => {
      this.on("status", (now) => {
        if (now.status === "online") resolve();
        else if (now.status === "closed") reject(now.error);
      });
      const callOff = () => reject(new WarrenError("connection-closed"));
      calledOff?.addEventListener("abort", callOff, { once: true });
      if (calledOff?.aborted) callOff();
      else this.take("start");
    });
  }

  /**
   * The attempt failed.
   * @param mayHelp whether a first attempt may be repeated, if time is left.
   * @param afterMs how long the service asks us to wait at least.
   */
  attemptFailed(error: WarrenError, mayHelp: boolean, afterMs = 0): void {
    const { clock, random } = this.#deps;
    const waitMs = afterMs + seatBackoffMs(this.#memory, random());
    const isInTime = clock.elapsedMs() + waitMs < this.#firstUntilMs;
    this.take(attemptEvent(this.#memory, error, mayHelp && isInTime), { error, waitMs });
  }

  /** The connection that held the seat ended. */
  connectionLost(error: WarrenError): void {
    this.take(lossEvent(error), { error, waitMs: seatBackoffMs(this.#memory, this.#deps.random()) });
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
