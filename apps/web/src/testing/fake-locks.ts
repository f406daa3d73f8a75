/** The lock manager that all tabs of a browser share, as far as one lock of one name goes. */
class FakeLocks {
  #held: { readonly name: string; readonly steal: () => void } | null = null;

  request(name: string, options: LockOptions, callback: (lock: Lock | null) => unknown): Promise<unknown> {
    if (this.#held && !options.steal) return Promise.resolve(callback(null));
    this.#held?.steal();
    return new Promise((resolve, reject) => {
      const held = { name, steal: () => reject(new DOMException("stolen", "AbortError")) };
      this.#held = held;
      void Promise.resolve(callback({ name, mode: "exclusive" })).then((value) => {
        if (this.#held === held) this.#held = null;
        resolve(value);
      });
    });
  }

  async query(): Promise<LockManagerSnapshot> {
    return { held: this.#held ? [{ name: this.#held.name }] : [], pending: [] };
  }
}

/** Makes one; tabs that share it are of one browser. */
export function fakeLocks(): LockManager {
  // Only what is asked of it here.
  return new FakeLocks() as unknown as LockManager;
}
