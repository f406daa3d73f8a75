import { type ClientId, type FileDescription, toWarrenError, WarrenError } from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { FileSource } from "../files/file-source.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { heldNeedOf, heldTogetherBytes } from "./held-bytes.ts";
import { openChannels, type TransferChannels } from "./transfer-channels.ts";
import type { TransferEngine } from "./transfer-engine.ts";
import type { SendOptions, TransferRun, TransferRunHandlers } from "./transfer-run.ts";
import { type TransferKey, transferKeyOf } from "./transfer-state.ts";
import { TransferTurns } from "./transfer-turns.ts";

interface StartOptions extends SendOptions {
  readonly channelsNumber: number;
  readonly ordered: boolean;
}

interface TransferStartsDeps {
  readonly channels: Pick<TransferChannels, "open">;
  readonly library: Pick<FileLibrary, "sourceOf">;
  readonly engine: Pick<TransferEngine, "send">;
  readonly options: () => StartOptions;
  readonly clock: Clock;
  /** A file has to wait for its turn. */
  readonly onWaiting: (key: TransferKey) => void;
  /** A file that has waited can not be sent. */
  readonly onError: (key: TransferKey, error: WarrenError) => void;
}

interface StartParts {
  readonly handlers: TransferRunHandlers;
  readonly onBegun: (run: TransferRun) => void;
}

/** Channels of a file that was sent count until both sides have closed them: so long a connection may take no others. */
const channelRetryMs = 500;

/** Files that are to be sent: each begins when it is its turn among those to the same client. */
export class TransferStarts {
  readonly #deps: TransferStartsDeps;
  readonly #turns = new TransferTurns({
    withPeerBytes: heldTogetherBytes,
    togetherBytes: Number.POSITIVE_INFINITY,
  });

  /** Those whose turn it was when their connection took no channel. */
  readonly #retries = new Map<TransferKey, CancelTimer>();

  constructor(deps: TransferStartsDeps) {
    this.#deps = deps;
  }

  /** Those that wait. */
  get keys(): readonly TransferKey[] {
    return [...this.#turns.waiting, ...this.#retries.keys()];
  }

  isWaiting(key: TransferKey): boolean {
    return this.#turns.isWaiting(key) || this.#retries.has(key);
  }

  /** The bytes of a file. @throws WarrenError `source-missing`, or `source-changed` where it is known to be another. */
  requireSource({ fid, fileSize }: FileDescription): FileSource {
    const source = this.#deps.library.sourceOf(fid);
    if (!source) throw new WarrenError("source-missing");
    if (source.sizeBytes !== fileSize || source.changed()) throw new WarrenError("source-changed");
    return source;
  }

  /** Begins to send, at once where it is the file's turn. @throws WarrenError as `TransferService.send`. */
  begin(peerId: ClientId, description: FileDescription, parts: StartParts): void {
    const key = transferKeyOf(peerId, description.fid);
    let isLate = false;
    const begin = (): void => {
      try {
        parts.onBegun(this.#send(peerId, description, parts.handlers));
      } catch (thrown) {
        const error = toWarrenError(thrown);
        this.#turns.leave(key);
        if (error.code === "no-available-channel") this.#retries.set(key, clock.after(channelRetryMs, retry));
        else if (isLate) this.#deps.onError(key, error);
        else throw thrown;
      }
    };
    const { clock } = this.#deps;
    const retry = (): void => {
      this.#retries.delete(key);
      this.#turns.take(key, heldNeedOf(description), begin);
    };
    this.#turns.take(key, heldNeedOf(description), begin);
    isLate = true;
    if (this.isWaiting(key)) this.#deps.onWaiting(key);
  }

  /** A file has been sent, or need not be any more. @returns whether it still waited. */
  leave(key: TransferKey): boolean {
    const wasWaiting = this.isWaiting(key);
    this.#retries.get(key)?.();
    this.#retries.delete(key);
    this.#turns.leave(key);
    return wasWaiting;
  }

  #send(peerId: ClientId, description: FileDescription, handlers: TransferRunHandlers): TransferRun {
    const { channels, engine, options } = this.#deps;
    const source = this.requireSource(description);
    const opened = openChannels(channels, { peerId, fid: description.fid }, options());
    return engine.send({ peerId, description, source, channels: opened, options: options() }, handlers);
  }
}
