import type { ClientId } from "@warren/protocol";
import { type FileClaim, ReceivedFile } from "../files/received-file.ts";
import type { Clock } from "../ports/clock.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { ChannelWriter } from "./channel-writer.ts";
import { type Deflater, ownThreadDeflater } from "./deflater.ts";
import { HeldShares } from "./held-bytes.ts";
import { startIncoming } from "./incoming-transfer.ts";
import { startOutgoing } from "./outgoing-transfer.ts";
import type { SendRequest, TransferRun, TransferRunHandlers } from "./transfer-run.ts";

/** Where the bytes of transfers are moved: in this thread, or in a worker. */
export interface TransferEngine {
  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun;
  /** Opens the file and waits for channels. Rejects with `storage-full` or `storage-failed`, and then gives the claim up. */
  receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun>;
}

/** What a {@link LocalTransferEngine} stands on. */
export interface TransferEngineParts {
  readonly clock: Clock;
  readonly log?: Log | undefined;
  /** Without one chunks are deflated in the thread that sends them. */
  readonly deflater?: Deflater | undefined;
}

/** Moves bytes in the thread that calls it. */
export class LocalTransferEngine implements TransferEngine {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #deflater: Deflater;
  readonly #writers = new Map<ClientId, ChannelWriter>();
  readonly #heldShares = new HeldShares();

  constructor({ clock, log = silentLog, deflater = ownThreadDeflater }: TransferEngineParts) {
    this.#clock = clock;
    this.#log = log;
    this.#deflater = deflater;
  }

  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun {
    const { peerId, options } = request;
    const writer = this.#writerTo(peerId, options.bufferedAmountLowThreshold);
    return startOutgoing({ ...request, writer, deflater: this.#deflater, log: this.#log }, handlers);
  }

  async receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun> {
    try {
      const file = new ReceivedFile({ ...claim, ...(await claim.open()) });
      return startIncoming(
        { file, clock: this.#clock, log: this.#log, heldShares: this.#heldShares },
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
