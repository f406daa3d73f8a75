import { WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";

/** Peers can ask for code with each message; a fetch that failed is not repeated sooner. */
const retryAfterMs = 1_000;

/** An object whose code is loaded at its first use. */
export class Lazy<T> {
  readonly #clock: Clock;
  readonly #loadCode: () => Promise<() => T>;
  #value: T | null = null;
  #loading: Promise<T> | null = null;

  /** @param loadCode resolves with the function that creates the object. */
  constructor(clock: Clock, loadCode: () => Promise<() => T>) {
    this.#clock = clock;
    this.#loadCode = loadCode;
  }

  /** Null until it is loaded. */
  get value(): T | null {
    return this.#value;
  }

  /**
   * Rejects with `app-code-missing` when the code cannot be fetched, which is tried again after a second, and with what
   * creating the object throws.
   */
  load(): Promise<T> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<T> {
    const create = await this.#loadCode().catch((cause: unknown) => {
      this.#clock.after(retryAfterMs, () => {
        this.#loading = null;
      });
      throw new WarrenError("app-code-missing", {}, { cause });
    });
    try {
      // In one step: an object that is not in `value` yet would miss what its owner passes on, for example `close`.
      this.#value = create();
      return this.#value;
    } catch (thrown) {
      this.#loading = null;
      throw thrown;
    }
  }
}
