/** The lock manager shared by all tabs of a browser, limited to one name. */
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

/** Creates a lock manager; tabs that share it belong to one browser. */
export function fakeLocks(): LockManager {
  // Only the methods used here.
  return new FakeLocks() as unknown as LockManager;
}
