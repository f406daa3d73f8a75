import type { WebSocket } from "ws";
import type { Clock } from "./clock.ts";

const kib = 1024;
/** Above this, the socket is not read until its client catches up. */
const congestedBytes = 256 * kib;
/** Above this, or after being congested for this long, the client is disconnected. */
const tooMuchBytes = 1024 * kib;
const catchUpMs = 10_000;

type OutboxSocket = Pick<WebSocket, "readyState" | "OPEN" | "bufferedAmount" | "pause" | "resume"> & {
  send(frame: string, onFlushed?: () => void): void;
};

/**
 * Writes to one socket and limits the data buffered for a slow client. While congested, the client is not read, so it
 * cannot cause more output; it is disconnected if it does not catch up.
 */
export class Outbox {
  readonly #socket: OutboxSocket;
  readonly #clock: Clock;
  #congestedAt: number | undefined;

  constructor(socket: OutboxSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
  }

  /** Whether to disconnect the client: too much is buffered for it, or for too long. */
  get isTooSlow(): boolean {
    if (this.#congestedAt === undefined) return false;
    return (
      this.#socket.bufferedAmount > tooMuchBytes || this.#clock.elapsedMs() >= this.#congestedAt + catchUpMs
    );
  }

  /** @returns false if the client should be disconnected. */
  send(frame: string): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return true;
    if (this.#congestedAt === undefined && this.#socket.bufferedAmount + frame.length <= congestedBytes) {
      this.#socket.send(frame);
      return true;
    }
    if (this.#congestedAt === undefined) {
      this.#congestedAt = this.#clock.elapsedMs();
      this.#socket.pause();
    }
    this.#socket.send(frame, () => {
      if (this.#socket.bufferedAmount <= congestedBytes) this.close();
    });
    return !this.isTooSlow;
  }

  /** Stops limiting and reads the socket again, so that its close frame is received. */
  close(): void {
    if (this.#congestedAt === undefined) return;
    this.#congestedAt = undefined;
    this.#socket.resume();
  }
}
