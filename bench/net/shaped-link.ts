/** The properties of one direction of a {@link ShapedLink}. */
export interface Shape {
  readonly delayMs: number;
  /** The fraction of packets lost at random, 0 to 1. */
  readonly lossFraction: number;
  readonly megabitsPerSecond: number;
  /** The maximum queueing delay of a packet; one that would wait longer is dropped. */
  readonly queueMs: number;
}

interface Waiting {
  readonly dueAtMs: number;
  readonly deliver: () => void;
}

/** One direction of a link with delay, loss, rate and a queue; packets keep their order. */
export class ShapedLink {
  readonly #shape: Shape;
  readonly #waiting: Waiting[] = [];
  /** When the link has sent everything queued. */
  #freeAtMs = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  /** Queues a packet of `sizeBytes`, and delivers it after the delay, or never. */
  send(sizeBytes: number, deliver: () => void): void {
    const { delayMs, lossFraction, megabitsPerSecond, queueMs } = this.#shape;
    const nowMs = performance.now();
    const beginsAtMs = Math.max(nowMs, this.#freeAtMs);
    if (Math.random() < lossFraction || beginsAtMs - nowMs > queueMs) return;
    this.#freeAtMs = beginsAtMs + (sizeBytes * 8) / (megabitsPerSecond * 1e3);
    this.#waiting.push({ dueAtMs: this.#freeAtMs + delayMs, deliver });
    this.#timer ??= setTimeout(() => this.#deliver(), delayMs);
  }

  #deliver(): void {
    const nowMs = performance.now();
    let passed = 0;
    for (const { dueAtMs, deliver } of this.#waiting) {
      if (dueAtMs > nowMs) break;
      passed++;
      deliver();
    }
    this.#waiting.splice(0, passed);
    const [next] = this.#waiting;
    this.#timer = next ? setTimeout(() => this.#deliver(), next.dueAtMs - nowMs) : null;
  }
}
