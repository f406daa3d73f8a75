import {
  type Bytes,
  type CancelTimer,
  type Clock,
  type Compressor,
  ownThreadCompressor,
  type PackedChunk,
} from "@warren/core";
import { decodeValue } from "@warren/protocol";
import { compressionAnswerSchema } from "./compression-messages.ts";

/** A thread nobody has needed for so long ends. */
const idleMs = 10_000;

/** A worker that compresses, as far as it is used. */
export interface CompressionThread {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: "error" | "messageerror", listener: (event: Event) => void): void;
  terminate(): void;
}

interface Task {
  /** Kept for the case that the thread does not do it. */
  readonly bytes: Bytes;
  readonly resolve: (packed: PackedChunk | Promise<PackedChunk>) => void;
}

/** What {@link CompressionThreads} are made of. */
export interface CompressionThreadsParts {
  readonly threads: number;
  readonly clock: Clock;
  /** Starts a thread; one that throws or tells of an error is done without. */
  readonly open: () => CompressionThread;
}

/**
 * Compresses in threads of its own, started when they are needed, so that sending and compressing run at the same time.
 * What a thread can not do is deflated in the thread that asked.
 */
export class CompressionThreads implements Compressor {
  readonly threads: number;
  readonly #clock: Clock;
  readonly #open: () => CompressionThread;
  readonly #tasks = new Map<number, Task>();
  #pool: CompressionThread[] = [];
  #isBroken = false;
  #nextId = 0;
  #cancelEnd: CancelTimer | null = null;

  constructor({ threads, clock, open }: CompressionThreadsParts) {
    this.threads = threads;
    this.#clock = clock;
    this.#open = open;
  }

  compress(bytes: Bytes, zstdLevel: number | null): Promise<PackedChunk> {
    const id = this.#nextId++;
    const thread = this.#threadFor(id);
    if (!thread) return ownThreadCompressor.compress(bytes, null);
    this.#cancelEnd?.();
    return new Promise((resolve) => {
      this.#tasks.set(id, { bytes, resolve });
      // What is handed over is gone here, and the rest of its slice with it.
      const copy = bytes.slice();
      thread.postMessage({ id, bytes: copy, zstdLevel }, [copy.buffer]);
    });
  }

  #threadFor(id: number): CompressionThread | null {
    if (this.#isBroken) return null;
    const place = id % this.threads;
    try {
      this.#pool[place] ??= this.#start();
    } catch {
      this.#giveUp();
    }
    return this.#pool[place] ?? null;
  }

  #start(): CompressionThread {
    const thread = this.#open();
    thread.addEventListener("message", ({ data }) => this.#hear(data));
    for (const type of ["error", "messageerror"] as const)
      thread.addEventListener(type, (event) => {
        event.preventDefault();
        this.#giveUp();
      });
    return thread;
  }

  #hear(data: unknown): void {
    const decoded = decodeValue(compressionAnswerSchema, data);
    if (!decoded.ok) return;
    const { id, packed } = decoded.value;
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    task?.resolve(packed ?? ownThreadCompressor.compress(task.bytes, null));
    if (this.#tasks.size === 0) this.#cancelEnd = this.#clock.after(idleMs, () => this.#end());
  }

  /** From now on everything is done in this thread, also what the others still had. */
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
