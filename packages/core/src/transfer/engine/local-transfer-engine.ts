import type { ClientId } from "@warren/protocol";
import { type FileClaim, ReceivedFile } from "../../files/received-file.ts";
import type { Clock } from "../../ports/clock.ts";
import { blockSizeEffectMax } from "../../settings/options.ts";
import { type Log, silentLog } from "../../shared/log.ts";
import { StallWatch } from "../../shared/stall-watch.ts";
import { CompressionPolicy } from "../compression/compression-policy.ts";
import { type Compressor, ownThreadCompressor } from "../compression/compressor.ts";
import type { Zstd } from "../compression/zstd.ts";
import { HeldQuotas } from "../held-bytes.ts";
import { ChannelGroup } from "./channel-group.ts";
import { ChannelWriter } from "./channel-writer.ts";
import { FileReceiver } from "./file-receiver.ts";
import { FileSender } from "./file-sender.ts";
import type { SendRequest, TransferEngine, TransferRun } from "./transfer-engine.ts";

/** The file size from which starting compression threads is worth its time. */
const threadedFromBytes = 4 * 1024 * 1024;

export interface LocalTransferEngineDeps {
  readonly clock: Clock;
  readonly log?: Log | undefined;
  /** Without it, chunks are deflated in the sending thread. */
  readonly compressor?: Compressor | undefined;
  /** Decompresses received chunks; without it, none are sent as zstd. */
  readonly zstd?: Zstd | undefined;
}

/** Moves bytes in the calling thread. */
export class LocalTransferEngine implements TransferEngine {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #compressor: Compressor;
  readonly #zstd: Zstd | undefined;
  readonly #writers = new Map<ClientId, ChannelWriter>();
  readonly #heldQuotas = new HeldQuotas();

  constructor({ clock, log = silentLog, compressor = ownThreadCompressor, zstd }: LocalTransferEngineDeps) {
    this.#clock = clock;
    this.#log = log;
    this.#compressor = compressor;
    this.#zstd = zstd;
  }

  send({ peerId, description, source, options }: SendRequest): TransferRun {
    const compressor = description.fileSize < threadedFromBytes ? ownThreadCompressor : this.#compressor;
    return new FileSender({
      description,
      source,
      compression: new CompressionPolicy(description, options.compressionLevel, compressor),
      blockSizeBytes: Math.min(options.blockSize, blockSizeEffectMax),
      channels: new ChannelGroup(this.#log),
      writer: this.#writerTo(peerId, options.bufferedAmountLowThreshold),
      clock: this.#clock,
    });
  }

  async receive(claim: FileClaim): Promise<TransferRun> {
    const watch = new StallWatch(this.#clock);
    const opening = claim.open();
    try {
      return new FileReceiver({
        file: new ReceivedFile(claim, await watch.within("store", opening), watch),
        channels: new ChannelGroup(this.#log),
        clock: this.#clock,
        heldQuotas: this.#heldQuotas,
        zstd: this.#zstd,
      });
    } catch (error) {
      watch.close();
      claim.abandon();
      // It may open after it was given up.
      void opening.then(({ sink }) => sink.close()).catch(() => {});
      throw error;
    }
  }

  #writerTo(peerId: ClientId, lowThresholdBytes: number): ChannelWriter {
    const known = this.#writers.get(peerId);
    if (known && !known.isEmpty) return known;
    const writer = new ChannelWriter(lowThresholdBytes);
    writer.on("empty", () => {
      if (this.#writers.get(peerId) === writer) this.#writers.delete(peerId);
    });
    this.#writers.set(peerId, writer);
    return writer;
  }
}
