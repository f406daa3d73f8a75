import {
  type Bytes,
  type CancelTimer,
  type Clock,
  type Compressor,
  ownThreadCompressor,
  type PackedChunk,
  StallWatch,
} from "@warren/core";

/** An idle thread is terminated after this time. */
const idleMs = 10_000;
/** Threads that compress nothing for this long are given up, before the transfer that waits for them stalls. */
const threadLimitMs = 8_000;

/** A request to a compression thread; without a zstd level it uses deflate. Both ends are of one build: typed, not validated. */
export interface CompressionRequest {
  readonly id: number;
  readonly bytes: Bytes;
  readonly zstdLevel: number | null;
}

/** The reply; null if compressing failed. */
export interface CompressionAnswer {
  readonly id: number;
  readonly packed: PackedChunk | null;
}

/** The part of a compression worker that is used here. */
export interface CompressionThread {
  postMessage(request: CompressionRequest, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<CompressionAnswer>) => void): void;
  addEventListener(type: "error" | "messageerror", listener: (event: Event) => void): void;
  terminate(): void;
}

interface Task {
  /** Kept in case the thread fails. */
  readonly bytes: Bytes;
  readonly resolve: (packed: PackedChunk | Promise<PackedChunk>) => void;
}

/** The dependencies of {@link CompressionThreads}. */
export interface CompressionThreadsParts {
  readonly threads: number;
  readonly clock: Clock;
  /** Starts a thread. If it throws, or a thread reports an error or does not answer, no thread is used any more. */
  readonly open: () => CompressionThread;
}

/**
 * Compresses in separate threads, started on demand, so that sending and compressing run in parallel. What a
 * thread cannot compress is deflated in the calling thread.
 */
export class CompressionThreads implements Compressor {
  readonly threads: number;
  readonly #clock: Clock;
  readonly #open: () => CompressionThread;
  readonly #watch: StallWatch;
  readonly #tasks = new Map<number, Task>();
  #pool: CompressionThread[] = [];
  #isBroken = false;
  #nextId = 0;
  #cancelEnd: CancelTimer | null = null;

  constructor({ threads, clock, open }: CompressionThreadsParts) {
    this.threads = threads;
    this.#clock = clock;
    this.#open = open;
    this.#watch = new StallWatch(clock, threadLimitMs);
    this.#watch.on("stall", () => this.#giveUp());
  }

  compress(bytes: Bytes, zstdLevel: number | null): Promise<PackedChunk> {
    const id = this.#nextId++;
    const thread = this.#threadFor(id);
    if (!thread) return ownThreadCompressor.compress(bytes, null);
    this.#cancelEnd?.();
    const packing = new Promise<PackedChunk>((resolve) => {
      this.#tasks.set(id, { bytes, resolve });
      // Transferring detaches the buffer, including the rest of the slice.
      const copy = bytes.slice();
      thread.postMessage({ id, bytes: copy, zstdLevel }, [copy.buffer]);
    });
    return this.#watch.follow("compress", packing);
  }

  #threadFor(id: number): CompressionThread | null {
    if (this.#isBroken) return null;
    const index = id % this.threads;
    try {
      this.#pool[index] ??= this.#start();
    } catch {
      this.#giveUp();
    }
    return this.#pool[index] ?? null;
  }

  #start(): CompressionThread {
    const thread = this.#open();
    thread.addEventListener("message", ({ data }) => this.#receive(data));
    for (const type of ["error", "messageerror"] as const)
      thread.addEventListener(type, (event) => {
        event.preventDefault();
        this.#giveUp();
      });
    return thread;
  }

  #receive({ id, packed }: CompressionAnswer): void {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    task?.resolve(packed ?? ownThreadCompressor.compress(task.bytes, null));
    if (this.#tasks.size === 0) this.#cancelEnd = this.#clock.after(idleMs, () => this.#end());
  }

  /** Stops using threads: everything, including pending requests, is compressed in this thread. */
  #giveUp(): void {
    this.#isBroken = true;
    this.#end();
    for (const { bytes, resolve } of this.#tasks.values()) resolve(ownThreadCompressor.compress(bytes, null));
    this.#tasks.clear();
  }

  #end(): void {
    this.#cancelEnd?.();
    for (const thread of this.#pool) thread?.terminate();
    this.#pool = [];
  }
}
