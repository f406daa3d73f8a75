import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitting } from "../shared/emitter.ts";
import type { MessageKey } from "./message.ts";

/** How long an acknowledgement may take once a message has left. */
export const ackTimeoutMs = 5_000;
/** When people are told that messages wait. */
const heldUpMs = 1_000;

/** What became of a message whose turn it was: its acknowledgement is due, nothing more is, or the connection ended. */
export type Outcome = "left" | "settled" | "disconnected";

interface RecipientQueueDeps {
  readonly clock: Clock;
  /** Sends a message when its turn has come. Resolves once its bytes have left. */
  readonly send: (key: MessageKey) => Promise<Outcome>;
}

type RecipientQueueEvents = {
  /** A message was not acknowledged in time. */
  late: [key: MessageKey];
  /** {@link RecipientQueue.heldUp} changed. */
  "held-up": [];
};

/**
 * Our messages to one client over one connection: those that wait for their turn, then those that wait for their
 * acknowledgement.
 */
export class RecipientQueue extends Emitting<RecipientQueueEvents> {
  readonly #deps: RecipientQueueDeps;
  readonly #waiting = new Set<MessageKey>();
  /** In the order they were sent, and since when their acknowledgement is due. */
  readonly #unacknowledged = new Map<MessageKey, number>();
  #isSending = false;
  #isSuspended = false;
  #isHeldUp = false;
  #cancelAck: CancelTimer | null = null;
  #cancelHeldUp: CancelTimer | null = null;

  constructor(deps: RecipientQueueDeps) {
    super();
    this.#deps = deps;
  }

  /** The messages that wait for their turn, if they have for a while. */
  get heldUp(): ReadonlySet<MessageKey> {
    return this.#isHeldUp ? this.#waiting : new Set();
  }

  /** Adds messages at the end, but for those it has. */
  add(keys: Iterable<MessageKey>): void {
    for (const key of keys) if (!this.#unacknowledged.has(key)) this.#waiting.add(key);
    this.#updateHeldUp();
    void this.#run();
  }

  /** A message needs no acknowledgement any more. Those sent after it were on the way meanwhile, and get their time anew. */
  settle(key: MessageKey): void {
    let isBefore = false;
    for (const other of this.#unacknowledged.keys()) {
      if (isBefore) this.#unacknowledged.set(other, this.#deps.clock.elapsedMs());
      else isBefore = other === key;
    }
    this.#unacknowledged.delete(key);
    this.#awaitAcks();
  }

  /** The client is out of reach for now: nothing more is sent, and nothing is late. */
  suspend(): void {
    this.#isSuspended = true;
    this.#awaitAcks();
    this.#updateHeldUp();
  }

  /** The client is within reach. */
  resume(): void {
    this.#isSuspended = false;
    this.#updateHeldUp();
    const now = this.#deps.clock.elapsedMs();
    for (const key of this.#unacknowledged.keys()) this.#unacknowledged.set(key, now);
    this.#awaitAcks();
    void this.#run();
  }

  /** The connection has ended. */
  close(): void {
    this.#waiting.clear();
    this.#unacknowledged.clear();
    this.#awaitAcks();
    this.#updateHeldUp();
    this.clear();
  }

  async #run(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let [key] = this.#waiting; key !== undefined && !this.#isSuspended; [key] = this.#waiting) {
      const outcome = await this.#deps.send(key);
      if (outcome === "disconnected") break;
      // Not if it was closed meanwhile.
      if (this.#waiting.delete(key) && outcome === "left") {
        this.#unacknowledged.set(key, this.#deps.clock.elapsedMs());
        this.#awaitAcks();
      }
      this.#updateHeldUp();
    }
    this.#isSending = false;
  }

  #awaitAcks(): void {
    this.#cancelAck?.();
    this.#cancelAck = null;
    // The first was sent first, and no later one is due before it.
    const [since] = this.#unacknowledged.values();
    if (this.#isSuspended || since === undefined) return;
    const { clock } = this.#deps;
    this.#cancelAck = clock.after(since + ackTimeoutMs - clock.elapsedMs(), () => this.#noteLate());
  }

  #noteLate(): void {
    const now = this.#deps.clock.elapsedMs();
    const late = [...this.#unacknowledged].filter(([, since]) => now - since >= ackTimeoutMs);
    for (const [key] of late) this.#unacknowledged.delete(key);
    this.#awaitAcks();
    for (const [key] of late) this.emit("late", key);
  }

  #updateHeldUp(): void {
    const isWaiting = this.#waiting.size > 0 && !this.#isSuspended;
    if (!isWaiting) {
      this.#cancelHeldUp?.();
      this.#cancelHeldUp = null;
    } else if (!this.#isHeldUp) {
      this.#cancelHeldUp ??= this.#deps.clock.after(heldUpMs, () => {
        this.#isHeldUp = true;
        this.emit("held-up");
      });
    }
    if (!this.#isHeldUp) return;
    this.#isHeldUp = isWaiting;
    this.emit("held-up");
  }
}
