import type { ClientId } from "@warren/protocol";
import { type FileClaim, ReceivedFile } from "../files/received-file.ts";
import type { Clock } from "../ports/clock.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { ChannelWriter } from "./channel-writer.ts";
import { type Compressor, ownThreadCompressor } from "./compressor.ts";
import { HeldShares } from "./held-bytes.ts";
import { startIncoming } from "./incoming-transfer.ts";
import { startOutgoing } from "./outgoing-transfer.ts";
import type { SendRequest, TransferEngine, TransferRun, TransferRunHandlers } from "./transfer-engine.ts";
import type { Zstd } from "./zstd.ts";

/** What a {@link LocalTransferEngine} stands on. */
export interface LocalTransferEngineParts {
  readonly clock: Clock;
  readonly log?: Log | undefined;
  /** Without one chunks are deflated in the thread that sends them. */
  readonly compressor?: Compressor | undefined;
  /** Unpacks what is received; without one nothing comes as zstd. */
  readonly zstd?: Zstd | undefined;
}

/** Moves bytes in the thread that calls it. */
export class LocalTransferEngine implements TransferEngine {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #compressor: Compressor;
  readonly #zstd: Zstd | undefined;
  readonly #writers = new Map<ClientId, ChannelWriter>();
  readonly #heldShares = new HeldShares();

  constructor({ clock, log = silentLog, compressor = ownThreadCompressor, zstd }: LocalTransferEngineParts) {
    this.#clock = clock;
    this.#log = log;
    this.#compressor = compressor;
    this.#zstd = zstd;
  }

  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun {
    const { peerId, options } = request;
    const writer = this.#writerTo(peerId, options.bufferedAmountLowThreshold);
    return startOutgoing({ ...request, writer, compressor: this.#compressor, log: this.#log }, handlers);
  }

  async receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun> {
    try {
      const file = new ReceivedFile({ ...claim, ...(await claim.open()) });
      return startIncoming(
        { file, clock: this.#clock, log: this.#log, heldShares: this.#heldShares, zstd: this.#zstd },
        handlers,
      );
    } catch (error) {
      claim.abandon();
      throw error;
    }
  }

  #writerTo(peerId: ClientId, lowThresholdBytes: number): ChannelWriter {
    const known = this.#writers.get(peerId);
    if (known && !known.isEmpty) return known;
    const writer = new ChannelWriter(lowThresholdBytes, () => {
      if (this.#writers.get(peerId) === writer) this.#writers.delete(peerId);
    });
    this.#writers.set(peerId, writer);
    return writer;
  }
}
