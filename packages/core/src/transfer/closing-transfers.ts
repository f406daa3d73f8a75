import { type FileId, toWarrenError } from "@warren/protocol";
import type { Log } from "../shared/log.ts";
import { partsOf, type TransferKey } from "./transfer-state.ts";

/** Transfers that have ended and still have to let their files go. */
export class ClosingTransfers {
  readonly #closing = new Map<TransferKey, Promise<void>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves once a transfer has let its file go, and never rejects. */
  of(key: TransferKey): Promise<void> {
    return this.#closing.get(key) ?? Promise.resolve();
  }

  /** As {@link of}, for all transfers of a file. */
  async ofFile(fid: FileId): Promise<void> {
    await Promise.all([...this.#closing].map(([key, closing]) => partsOf(key).fid === fid && closing));
  }

  /** As {@link of}, for all transfers. */
  async all(): Promise<void> {
    await Promise.all(this.#closing.values());
  }

  /** Adds what a transfer has still to do. Resolves as {@link of}. */
  add(key: TransferKey, work: Promise<unknown>): Promise<void> {
    const settled = Promise.all([this.#closing.get(key), work])
      .then(() => {})
      .catch((thrown: unknown) => {
        this.#log.warn("a transfer did not close cleanly", { code: toWarrenError(thrown).code });
      })
      .finally(() => {
        if (this.#closing.get(key) === settled) this.#closing.delete(key);
      });
    this.#closing.set(key, settled);
    return settled;
  }
}
