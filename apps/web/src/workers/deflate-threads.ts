import { type Bytes, type CancelTimer, type Clock, type Deflater, deflate } from "@warren/core";
import { decodeValue } from "@warren/protocol";
import { deflateAnswerSchema } from "./deflate-messages.ts";

/** A thread nobody has needed for so long ends. */
const idleMs = 10_000;

/** A worker that deflates, as far as it is used. */
export interface DeflateThread {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
  addEventListener(type: "error" | "messageerror", listener: (event: Event) => void): void;
  terminate(): void;
}

interface Task {
  /** Kept for the case that the thread does not do it. */
  readonly bytes: Bytes;
  readonly resolve: (deflated: Bytes | Promise<Bytes>) => void;
}

/** What {@link DeflateThreads} are made of. */
export interface DeflateThreadsParts {
  readonly threads: number;
  readonly clock: Clock;
  /** Starts a thread; one that throws or tells of an error is done without. */
  readonly open: () => DeflateThread;
}

/**
 * Deflates in threads of its own, started when they are needed, so that sending and deflating go on at the same time.
 * What a thread can not do is done in the thread that asked.
 */
export class DeflateThreads implements Deflater {
  readonly threads: number;
  readonly #clock: Clock;
  readonly #open: () => DeflateThread;
  readonly #tasks = new Map<number, Task>();
  #pool: DeflateThread[] = [];
  #isBroken = false;
  #nextId = 0;
  #cancelEnd: CancelTimer | null = null;

  constructor({ threads, clock, open }: DeflateThreadsParts) {
    this.threads = threads;
    this.#clock = clock;
    this.#open = open;
  }

  deflate(bytes: Bytes): Promise<Bytes> {
    const id = this.#nextId++;
    const thread = this.#threadFor(id);
    if (!thread) return deflate(bytes);
    this.#cancelEnd?.();
    return new Promise((resolve) => {
      this.#tasks.set(id, { bytes, resolve });
      // What is handed over is gone here, and the rest of its slice with it.
      const copy = bytes.slice();
      thread.postMessage({ id, bytes: copy }, [copy.buffer]);
    });
  }

  #threadFor(id: number): DeflateThread | null {
    if (this.#isBroken) return null;
    const place = id % this.threads;
    try {
      this.#pool[place] ??= this.#start();
    } catch {
      this.#giveUp();
    }
    return this.#pool[place] ?? null;
  }

  #start(): DeflateThread {
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
    const decoded = decodeValue(deflateAnswerSchema, data);
    if (!decoded.ok) return;
    const { id, deflated } = decoded.value;
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    task?.resolve(deflated ?? deflate(task.bytes));
    if (this.#tasks.size === 0) this.#cancelEnd = this.#clock.after(idleMs, () => this.#end());
  }

  /** From now on everything is done in this thread, also what the others still had. */
  #giveUp(): void {
    this.#isBroken = true;
    this.#end();
    for (const { bytes, resolve } of this.#tasks.values()) resolve(deflate(bytes));
    this.#tasks.clear();
  }

  #end(): void {
    this.#cancelEnd?.();
    for (const thread of this.#pool) thread?.terminate();
    this.#pool = [];
  }
}
