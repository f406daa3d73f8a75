const periodMs = 100;
/** Smooths the average, so that a single slow garbage collection is no overload. */
const weightOfLast = 0.3;

/** Measures how late the event loop runs, in ms, as a moving average. */
export class EventLoopLag {
  #averageMs = 0;
  #expectedAt = performance.now() + periodMs;
  readonly #timer = setInterval(() => this.#sample(), periodMs).unref();

  get averageMs(): number {
    return this.#averageMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const now = performance.now();
    const lateMs = Math.max(0, now - this.#expectedAt);
    this.#averageMs += weightOfLast * (lateMs - this.#averageMs);
    this.#expectedAt = now + periodMs;
  }
}
