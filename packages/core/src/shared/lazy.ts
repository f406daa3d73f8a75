import { WarrenError } from "@warren/protocol";

/** An object whose code is loaded at its first use. */
export class Lazy<T> {
  readonly #create: () => Promise<T>;
  #value: T | null = null;
  #loading: Promise<T> | null = null;

  /** @param create imports the code and creates the object. */
  constructor(create: () => Promise<T>) {
    this.#create = create;
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
      this.#value = await this.#create();
      return this.#value;
    } catch (cause) {
      this.#loading = null;
      throw new WarrenError("transferer-not-initialized", {}, { cause });
    }
  }
}
