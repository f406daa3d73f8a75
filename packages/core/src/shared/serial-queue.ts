/** Runs asynchronous work one after the other, in the order of the calls. A failure concerns only its caller. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves once all work so far has ended, whether or not it failed. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
