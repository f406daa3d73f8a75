import type { Duplex } from "node:stream";

/** Batches the writes to a socket within one round of the event loop into one system call. */
export class WriteBatch {
  #corked = new Set<Duplex>();

  /** Delays writes to this socket until the end of the round. */
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
