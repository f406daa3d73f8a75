import type { ErrorCode, LaneId } from "@warren/protocol";
import { blockSizeEffectMax } from "../settings/options.ts";
import type { Log } from "../shared/log.ts";
import { ChannelGroup } from "./channel-group.ts";
import type { ChannelWriter } from "./channel-writer.ts";
import { CompressionPolicy } from "./compression-policy.ts";
import { type Compressor, ownThreadCompressor } from "./compressor.ts";
import { FileSender } from "./file-sender.ts";
import type { SendRequest, TransferRun, TransferRunHandlers } from "./transfer-engine.ts";

/** From this size on, starting threads to compress is worth its time. */
const threadedFromBytes = 4 * 1024 * 1024;

/** What a write ends with once the channels are gone. */
const channelLosses: ReadonlySet<ErrorCode> = new Set([
  "any-channel-closed",
  "any-channel-error",
  "no-available-channel",
  "no-channel",
]);

interface OutgoingTransferParts extends SendRequest {
  readonly writer: ChannelWriter;
  readonly compressor: Compressor;
  readonly log: Log;
}

/** Sends over the channels of a request what the receiver asks for. */
export function startOutgoing(parts: OutgoingTransferParts, handlers: TransferRunHandlers): TransferRun {
  const { description, source, channels, writer, options, log } = parts;
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
    // The channels tell of their end themselves, and why it came may be a moment behind.
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
    transferredBytes: () => sender.transferredBytes,
    close: async () => {
      sender.close();
      const used = [...group.channels];
      group.close();
      for (const channel of used) writer.remove(channel);
    },
  };
}
