import type { Duplex } from "node:stream";

/** Writes to a socket once per round of the event loop, because each write costs a system call. */
export class WriteBatch {
  #corked = new Set<Duplex>();

  /** Holds writes to this socket back until the end of the round. */
  collect(socket: Duplex): void {
    if (this.#corked.has(socket)) return;
    if (this.#corked.size === 0) setImmediate(this.#flush);
    this.#corked.add(socket);
    socket.cork();
  }

  readonly #flush = (): void => {
    const corked = this.#corked;
    this.#corked = new Set();
    for (const socket of corked) socket.uncork();
  };
}
