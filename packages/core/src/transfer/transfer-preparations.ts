import type { FileDescription } from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { heldNeedOf, heldTogetherBytes } from "./held-bytes.ts";
import type { TransferEngine } from "./transfer-engine.ts";
import type { TransferRun, TransferRunHandlers } from "./transfer-run.ts";
import { partsOf, type TransferKey } from "./transfer-state.ts";
import { TransferTurns } from "./transfer-turns.ts";

/** A file of which nothing has come for so long takes no part of what others may have. */
const silenceLimitMs = 10_000;

interface TransferPreparationsDeps {
  readonly clock: Clock;
  readonly library: Pick<FileLibrary, "claim">;
  readonly engine: Pick<TransferEngine, "receive">;
  /** A file has to wait for its turn. */
  readonly onWaiting: (key: TransferKey) => void;
}

interface PreparationParts {
  /** When an earlier run of the transfer has let the file go. */
  readonly free: Promise<void>;
  readonly handlers: TransferRunHandlers;
  readonly onPrepared: (run: TransferRun) => void;
}

interface Preparation {
  readonly prepared: Promise<boolean>;
  readonly givenUp: AbortController;
}

/** Files that are to be received: each waits for its turn and is opened, unless it is given up before. */
export class TransferPreparations {
  readonly #deps: TransferPreparationsDeps;
  readonly #underWay = new Map<TransferKey, Preparation>();
  /** What looks whether anything comes of a file that is received. */
  readonly #watches = new Map<TransferKey, CancelTimer>();
  readonly #turns = new TransferTurns({ withPeerBytes: heldTogetherBytes, togetherBytes: heldTogetherBytes });

  constructor(deps: TransferPreparationsDeps) {
    this.#deps = deps;
  }

  get keys(): readonly TransferKey[] {
    return [...this.#underWay.keys()];
  }

  /** What {@link begin} gave for a file that is not ready yet. */
  of(key: TransferKey): Promise<boolean> | undefined {
    return this.#underWay.get(key)?.prepared;
  }

  /** @returns whether the file can come; false where it was given up. Otherwise rejects as claiming and opening a file do. */
  begin(key: TransferKey, description: FileDescription, parts: PreparationParts): Promise<boolean> {
    const givenUp = new AbortController();
    const prepared = this.#prepare(key, description, parts, givenUp.signal).finally(() => {
      if (this.#underWay.get(key)?.givenUp === givenUp) this.#underWay.delete(key);
    });
    this.#underWay.set(key, { prepared, givenUp });
    return prepared;
  }

  /** @returns a promise that resolves once nothing is left of a preparation; null where there is none. */
  giveUp(key: TransferKey): Promise<void> | null {
    const preparation = this.#underWay.get(key);
    if (!preparation) return null;
    this.#underWay.delete(key);
    preparation.givenUp.abort();
    this.leave(key);
    return preparation.prepared.then(
      () => {},
      () => {},
    );
  }

  /** A file has come, or need not come any more. */
  leave(key: TransferKey): void {
    this.#watches.get(key)?.();
    this.#watches.delete(key);
    this.#turns.leave(key);
  }

  async #prepare(
    key: TransferKey,
    description: FileDescription,
    { free, handlers, onPrepared }: PreparationParts,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { library, engine } = this.#deps;
    await this.#turn(key, description, signal);
    try {
      await free;
      if (signal.aborted) return false;
      const claim = await library.claim(description, partsOf(key).peerId);
      const run = await engine.receive(claim, handlers);
      if (signal.aborted) {
        await run.close();
        return false;
      }
      this.#watch(key, run);
      onPrepared(run);
      return true;
    } catch (error) {
      // Why a file that was given up could not be opened either matters to nobody.
      if (signal.aborted) return false;
      this.leave(key);
      throw error;
    }
  }

  #watch(key: TransferKey, run: TransferRun): void {
    let knownBytes = run.transferredBytes();
    const look = () => {
      const bytes = run.transferredBytes();
      this.#turns.setSilent(key, bytes === knownBytes);
      knownBytes = bytes;
    };
    this.#watches.set(key, this.#deps.clock.every(silenceLimitMs, look));
  }

  /** Resolves when it is a file's turn, or it is given up. */
  #turn(key: TransferKey, description: FileDescription, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve());
      if (!this.#turns.take(key, heldNeedOf(description), resolve)) this.#deps.onWaiting(key);
    });
  }
}
