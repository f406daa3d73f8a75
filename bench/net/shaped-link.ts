/** How packets fare on one way through a {@link ShapedLink}. */
export interface Shape {
  readonly delayMs: number;
  /** The share of packets that are lost at random, 0 to 1. */
  readonly lossShare: number;
  readonly megabitsPerSecond: number;
  /** The longest a packet waits for its turn; one that would wait longer is lost. */
  readonly queueMs: number;
}

interface Waiting {
  readonly dueAtMs: number;
  readonly deliver: () => void;
}

/** One direction of a line with delay, loss, rate and a queue; packets keep their order. */
export class ShapedLink {
  readonly #shape: Shape;
  readonly #waiting: Waiting[] = [];
  /** When the line has sent everything it was given. */
  #freeAtMs = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  /** Takes a packet of so many bytes, and delivers it when it has passed, or never. */
  send(sizeBytes: number, deliver: () => void): void {
    const { delayMs, lossShare, megabitsPerSecond, queueMs } = this.#shape;
    const nowMs = performance.now();
    const beginsAtMs = Math.max(nowMs, this.#freeAtMs);
    if (Math.random() < lossShare || beginsAtMs - nowMs > queueMs) return;
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
