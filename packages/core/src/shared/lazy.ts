import { WarrenError } from "@warren/protocol";

/** An object whose code is loaded at its first use. */
export class Lazy<T> {
  readonly #loadCode: () => Promise<() => T>;
  #value: T | null = null;
  #loading: Promise<T> | null = null;

  /** @param loadCode resolves with the function that creates the object. */
  constructor(loadCode: () => Promise<() => T>) {
    this.#loadCode = loadCode;
  }

  /** Null until it is loaded. */
  get value(): T | null {
    return this.#value;
  }

  /** Rejects with `transferer-not-initialized` when the code cannot be fetched; the next call tries again. */
  load(): Promise<T> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<T> {
    try {
      const create = await this.#loadCode();
      // In one step: an object that is not in `value` yet would miss what its owner passes on, for example `close`.
      this.#value = create();
      return this.#value;
    } catch (cause) {
      this.#loading = null;
      throw new WarrenError("transferer-not-initialized", {}, { cause });
    }
  }
}
