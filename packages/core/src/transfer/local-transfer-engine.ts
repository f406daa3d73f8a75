import type { ClientId, ErrorCode, LaneId } from "@warren/protocol";
import { type FileClaim, ReceivedFile } from "../files/received-file.ts";
import type { Clock } from "../ports/clock.ts";
import { blockSizeEffectMax } from "../settings/options.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { ChannelGroup } from "./channel-group.ts";
import { ChannelWriter } from "./channel-writer.ts";
import { CompressionPolicy } from "./compression-policy.ts";
import { type Compressor, ownThreadCompressor } from "./compressor.ts";
import { FileReceiver } from "./file-receiver.ts";
import { FileSender } from "./file-sender.ts";
import { HeldShares, heldNeedOf } from "./held-bytes.ts";
import type { SendRequest, TransferEngine, TransferRun, TransferRunHandlers } from "./transfer-engine.ts";
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
    const parts = { writer, compressor: this.#compressor, clock: this.#clock, log: this.#log };
    return startOutgoing({ ...request, ...parts }, handlers);
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

interface OutgoingTransferParts extends SendRequest {
  readonly writer: ChannelWriter;
  readonly compressor: Compressor;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sends the chunks that the receiver requests over the channels of a request. */
function startOutgoing(parts: OutgoingTransferParts, handlers: TransferRunHandlers): TransferRun {
  const { description, source, channels, writer, options, clock, log } = parts;
  const compressor = description.fileSize < threadedFromBytes ? ownThreadCompressor : parts.compressor;
  const group = new ChannelGroup(log);
  const sender = new FileSender({
    description,
    source,
    compression: new CompressionPolicy(description, options.compressionLevel, compressor),
    blockSizeBytes: Math.min(options.blockSize, blockSizeEffectMax),
    write: (message) => writer.write(group.channels, message),
    sendControl: (control) => group.sendControl(control),
  });
  group.on("open", handlers.onOpen);
  group.on("closed", handlers.onChannelsClosed);
  group.on("lost", (channel) => sender.handleLost(channel));
  group.on("control", (control) => sender.handleControl(control));
  sender.on("complete", handlers.onComplete);
  sender.on("error", (error) => {
    // The channels report their end themselves, and the reason may follow a moment later.
    if (!channelLosses.has(error.code)) handlers.onError(error);
  });
  const lanes = new Map<RTCDataChannel, LaneId>();
  const addChannel = (channel: RTCDataChannel, lane: LaneId | null) => {
    group.add(channel);
    writer.add(channel, lane);
    if (lane !== null) lanes.set(channel, lane);
  };
  for (const channel of channels) addChannel(channel, null);
  return {
    get channelCount() {
      return group.channels.size;
    },
    get isOver() {
      return group.isOver;
    },
    addChannel,
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
  readonly heldShares: HeldShares;
  readonly zstd: Zstd | undefined;
}

/** Receives a file over the channels added to the run's group. */
function startIncoming(
  { file, clock, log, heldShares, zstd }: IncomingTransferParts,
  handlers: TransferRunHandlers,
): TransferRun {
  const group = new ChannelGroup(log);
  const share = heldShares.join(heldNeedOf(file.description), () => receiver.isQuiet);
  const receiver = new FileReceiver({
    file,
    clock,
    heldShareBytes: share.bytes,
    zstd,
    sendControl: (control) => group.sendControl(control),
  });
  let complete = false;
  let closing: Promise<void> | null = null;
  group.on("open", () => {
    handlers.onOpen();
    receiver.start();
  });
  group.on("lost", () => handlers.onChannelClosed?.());
  group.on("closed", handlers.onChannelsClosed);
  group.on("block", (message) => receiver.handleBlock(message));
  group.on("control", (control) => receiver.handleControl(control));
  receiver.on("merging", handlers.onMerging);
  receiver.on("error", handlers.onError);
  receiver.on("complete", () => {
    complete = true;
    handlers.onComplete();
  });
  const close = async () => {
    if (complete) group.closeLater(clock, closeGraceMs);
    else group.close();
    await receiver.close().finally(share.leave);
  };
  return {
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
