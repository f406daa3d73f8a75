/**
 * Asks the browser, once, to keep the app's data even if the disk is full. Asked with the first received
 * file, because some browsers prompt the user, who then knows what it is for.
 */
export class LastingStorage {
  readonly #storage: Partial<Pick<StorageManager, "persist">> | undefined;
  #isAsked = false;

  /** @param storage missing outside secure contexts, and without `persist` in older browsers. */
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
