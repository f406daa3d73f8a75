/**
 * Asks the browser, once, to keep what the app stores also when the disk is full. With the first file that somebody
 * receives, since some browsers ask the person in turn, who by then knows what for.
 */
export class LastingStorage {
  readonly #storage: Partial<Pick<StorageManager, "persist">> | undefined;
  #isAsked = false;

  /** @param storage missing outside secure contexts, and without this in older browsers. */
  constructor(storage: Partial<Pick<StorageManager, "persist">> | undefined) {
    this.#storage = storage;
  }

  /** Never rejects: a refusal changes nothing. */
  async ask(): Promise<void> {
    if (this.#isAsked) return;
    this.#isAsked = true;
    await this.#storage?.persist?.().catch(() => false);
  }
}
