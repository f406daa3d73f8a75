import type { WebSocket } from "ws";
import type { Clock } from "./clock.ts";

const kib = 1024;
/** Above this the socket is read no more until its client catches up. */
const congestedBytes = 256 * kib;
/** Above this, or congested for so long, the client is given up. */
const tooMuchBytes = 1024 * kib;
const patienceMs = 10_000;

type OutboxSocket = Pick<WebSocket, "readyState" | "OPEN" | "bufferedAmount" | "pause" | "resume"> & {
  send(frame: string, onFlushed?: () => void): void;
};

/**
 * Writes to one socket and bounds what waits in memory for a slow client. Only the slow client suffers: it is not read
 * while congested, so it cannot ask for more, and is given up when it does not catch up.
 */
export class Outbox {
  readonly #socket: OutboxSocket;
  readonly #clock: Clock;
  #congestedAt: number | undefined;

  constructor(socket: OutboxSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  /** Whether the client is to be given up: too much waits for it, or for too long. */
  get isTooSlow(): boolean {
    if (this.#congestedAt === undefined) return false;
    return (
      this.#socket.bufferedAmount > tooMuchBytes || this.#clock.elapsedMs() >= this.#congestedAt + patienceMs
    );
  }

  /** @returns false once the client is to be given up. */
  send(frame: string): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return true;
    if (this.#congestedAt === undefined && this.#socket.bufferedAmount + frame.length <= congestedBytes) {
      this.#socket.send(frame);
      return true;
    }
    this.#congestedAt ??= this.#clock.elapsedMs();
    this.#socket.pause();
    this.#socket.send(frame, () => {
      if (this.#socket.bufferedAmount <= congestedBytes) this.close();
    });
    return !this.isTooSlow;
  }

  /** Stops waiting for the client and reads its socket again, so that its goodbye is received. */
  close(): void {
    if (this.#congestedAt === undefined) return;
    this.#congestedAt = undefined;
    this.#socket.resume();
  }
}
