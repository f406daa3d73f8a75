/** Counts what happens, so that an operator sees it without a line for each event. */
export class Counters {
  #counts = new Map<string, number>();

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** The counts since the last call. */
  take(): Readonly<Record<string, number>> {
    const counts = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    return counts;
  }
}
