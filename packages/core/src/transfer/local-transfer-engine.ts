import type { ClientId, ErrorCode, LaneId } from "@warren/protocol";
import { type FileClaim, ReceivedFile } from "../files/received-file.ts";
import type { Clock } from "../ports/clock.ts";
import { blockSizeEffectMax } from "../settings/options.ts";
import { Emitter } from "../shared/emitter.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { ChannelGroup } from "./channel-group.ts";
import { ChannelWriter } from "./channel-writer.ts";
import { CompressionPolicy } from "./compression-policy.ts";
import { type Compressor, ownThreadCompressor } from "./compressor.ts";
import { FileReceiver } from "./file-receiver.ts";
import { FileSender } from "./file-sender.ts";
import { HeldQuotas, heldNeedOf } from "./held-bytes.ts";
import type { SendRequest, TransferEngine, TransferRun, TransferRunEvents } from "./transfer-engine.ts";
import type { Zstd } from "./zstd.ts";

/** The file size from which starting compression threads is worth its time. */
const threadedFromBytes = 4 * 1024 * 1024;

/** The errors of a write when the channels are gone. */
const channelLosses: ReadonlySet<ErrorCode> = new Set([
  "any-channel-closed",
  "any-channel-error",
  "no-available-channel",
  "no-channel",
]);

/** How long the sender has to read our last frame and close the channels. */
const closeGraceMs = 5_000;

/** The dependencies of a {@link LocalTransferEngine}. */
export interface LocalTransferEngineParts {
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

  constructor({ clock, log = silentLog, compressor = ownThreadCompressor, zstd }: LocalTransferEngineParts) {
    this.#clock = clock;
    this.#log = log;
    this.#compressor = compressor;
    this.#zstd = zstd;
  }

  send(request: SendRequest): TransferRun {
    const { peerId, options } = request;
    const writer = this.#writerTo(peerId, options.bufferedAmountLowThreshold);
    const parts = { writer, compressor: this.#compressor, clock: this.#clock, log: this.#log };
    return startOutgoing({ ...request, ...parts });
  }

  async receive(claim: FileClaim): Promise<TransferRun> {
    try {
      const file = new ReceivedFile(claim, await claim.open());
      const parts = { clock: this.#clock, log: this.#log, heldQuotas: this.#heldQuotas, zstd: this.#zstd };
      return startIncoming({ file, ...parts });
    } catch (error) {
      claim.abandon();
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

interface OutgoingTransferParts extends SendRequest {
  readonly writer: ChannelWriter;
  readonly compressor: Compressor;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sends the chunks that the receiver requests over the channels added to the run. */
function startOutgoing(parts: OutgoingTransferParts): TransferRun {
  const { description, source, writer, options, clock, log } = parts;
  const compressor = description.fileSize < threadedFromBytes ? ownThreadCompressor : parts.compressor;
  const events = new Emitter<TransferRunEvents>();
  const group = new ChannelGroup(log);
  const sender = new FileSender({
    description,
    source,
    compression: new CompressionPolicy(description, options.compressionLevel, compressor),
    blockSizeBytes: Math.min(options.blockSize, blockSizeEffectMax),
    write: (message) => writer.write(group.channels, message),
    sendControl: (control) => group.sendControl(control),
  });
  group.on("open", () => events.emit("report", { type: "open" }));
  group.on("closed", () => events.emit("report", { type: "channels-closed" }));
  group.on("lost", (channel) => sender.handleLost(channel));
  group.on("control", (control) => sender.handleControl(control));
  sender.on("complete", () => events.emit("report", { type: "complete" }));
  sender.on("error", (error) => {
    // The channels report their end themselves, and the reason may follow a moment later.
    if (!channelLosses.has(error.code)) events.emit("report", { type: "error", error: error.describe() });
  });
  const lanes = new Map<RTCDataChannel, LaneId>();
  return {
    on: events.on.bind(events),
    get channelCount() {
      return group.channels.size;
    },
    get isOver() {
      return group.isOver;
    },
    addChannel: (channel, lane) => {
      group.add(channel);
      writer.add(channel, lane);
      if (lane !== null) lanes.set(channel, lane);
    },
    leaveLane: (lane, isLost) => {
      for (const [channel, its] of lanes) {
        if (its !== lane) continue;
        lanes.delete(channel);
        if (isLost) group.lose(channel);
        else group.drop(channel);
        writer.remove(channel);
      }
    },
    setPace: (bytesPerSecond) => writer.setPace(bytesPerSecond, clock),
    transferredBytes: () => sender.transferredBytes,
    close: async () => {
      events.clear();
      sender.close();
      const used = [...group.channels];
      group.close();
      for (const channel of used) writer.remove(channel);
    },
  };
}

interface IncomingTransferParts {
  readonly file: ReceivedFile;
  readonly clock: Clock;
  readonly log: Log;
  /** The quotas of all incoming files. */
  readonly heldQuotas: HeldQuotas;
  readonly zstd: Zstd | undefined;
}

/** Receives a file over the channels added to the run's group. */
function startIncoming({ file, clock, log, heldQuotas, zstd }: IncomingTransferParts): TransferRun {
  const events = new Emitter<TransferRunEvents>();
  const group = new ChannelGroup(log);
  const quota = heldQuotas.join(heldNeedOf(file.description), () => receiver.isQuiet);
  const receiver = new FileReceiver({
    file,
    clock,
    heldQuotaBytes: quota.bytes,
    zstd,
    sendControl: (control) => group.sendControl(control),
  });
  let complete = false;
  let closing: Promise<void> | null = null;
  group.on("open", () => {
    events.emit("report", { type: "open" });
    receiver.start();
  });
  group.on("lost", () => events.emit("report", { type: "channel-closed" }));
  group.on("closed", () => events.emit("report", { type: "channels-closed" }));
  group.on("block", (message) => receiver.handleBlock(message));
  group.on("control", (control) => receiver.handleControl(control));
  receiver.on("merging", (progress) => events.emit("report", { type: "merging", progress }));
  receiver.on("error", (error) => events.emit("report", { type: "error", error: error.describe() }));
  receiver.on("complete", () => {
    complete = true;
    events.emit("report", { type: "complete" });
  });
  const close = async () => {
    events.clear();
    if (complete) group.closeLater(clock, closeGraceMs);
    else group.close();
    await receiver.close().finally(quota.leave);
  };
  return {
    on: events.on.bind(events),
    get channelCount() {
      return group.channels.size;
    },
    get isOver() {
      return group.isOver;
    },
    addChannel: (channel) => group.add(channel),
    // The sender closes its channels on a lane.
    leaveLane: () => {},
    setPace: () => {},
    transferredBytes: () => receiver.transferredBytes,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
