import type { FileLibrary } from "../files/file-library.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";

/** Room also comes from elsewhere: another site's data, another program's files. Nobody tells us of that. */
const lookAgainMs = 15_000;

interface StorageWaitDeps {
  readonly clock: Clock;
  readonly library: Pick<FileLibrary, "store">;
  /** Goes on with what waits; calls {@link StorageWait.wait} again where there is still no room. */
  readonly tryAgain: () => Promise<void>;
}

/** Waits until there is room in storage: looks from time to time, and at once when a file here is removed. */
export class StorageWait {
  readonly #deps: StorageWaitDeps;
  #stop: (() => void) | null = null;

  constructor(deps: StorageWaitDeps) {
    this.#deps = deps;
  }

  /** Tries again once, when there may be room. */
  wait(): void {
    if (this.#stop) return;
    const { clock, library } = this.#deps;
    const cancelTimer: CancelTimer = clock.after(lookAgainMs, () => this.#try());
    const stopListening = library.store.subscribe((now, before) => {
      if (Object.keys(before).some((fid) => !Object.hasOwn(now, fid))) this.#try();
    });
    this.#stop = () => {
      cancelTimer();
      stopListening();
    };
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #try(): void {
    this.close();
    void this.#deps.tryAgain();
  }
}
