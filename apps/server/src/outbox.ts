import type { WebSocket } from "ws";
import type { CancelTimer, Clock } from "./clock.ts";

const kib = 1024;
/** Above this the socket is read no more until its client catches up. */
const congestedBytes = 256 * kib;
/** Above this, or congested for so long, the client is given up. */
const tooMuchBytes = 1024 * kib;
const patienceMs = 10_000;

type OutboxSocket = Pick<WebSocket, "readyState" | "OPEN" | "bufferedAmount" | "pause" | "resume"> & {
  send(frame: string, onFlushed: () => void): void;
};

/**
 * Writes to one socket and bounds what waits in memory for a slow client. Only the slow client suffers: it is not read
 * while congested, so it cannot ask for more, and is given up when it does not catch up.
 */
export class Outbox {
  readonly #socket: OutboxSocket;
  readonly #clock: Clock;
  readonly #onTooSlow: () => void;
  #cancelPatience: CancelTimer | undefined;

  constructor(socket: OutboxSocket, clock: Clock, onTooSlow: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onTooSlow = onTooSlow;
  }

  send(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(frame, this.#onFlushed);
    const waitingBytes = this.#socket.bufferedAmount;
    if (waitingBytes > tooMuchBytes) this.#onTooSlow();
    else if (waitingBytes > congestedBytes && !this.#cancelPatience) {
      this.#socket.pause();
      this.#cancelPatience = this.#clock.after(patienceMs, this.#onTooSlow);
    }
  }

  /** Stops waiting for the client and reads its socket again, so that its goodbye is heard. */
  close(): void {
    if (!this.#cancelPatience) return;
    this.#cancelPatience();
    this.#cancelPatience = undefined;
    this.#socket.resume();
  }

  readonly #onFlushed = (): void => {
    if (this.#cancelPatience && this.#socket.bufferedAmount <= congestedBytes) this.close();
  };
}
