import type { ReceivedFile } from "../files/received-file.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../shared/log.ts";
import { ChannelGroup } from "./channel-group.ts";
import { FileReceiver } from "./file-receiver.ts";
import { type HeldShares, heldNeedOf } from "./held-bytes.ts";
import type { TransferRun, TransferRunHandlers } from "./transfer-engine.ts";
import type { Zstd } from "./zstd.ts";

/** How long the sender has to read our last frame and close the channels. */
const closeGraceMs = 5_000;

interface IncomingTransferParts {
  readonly file: ReceivedFile;
  readonly clock: Clock;
  readonly log: Log;
  /** Of all files on their way in. */
  readonly heldShares: HeldShares;
  readonly zstd: Zstd | undefined;
}

/** Receives a file over the channels that are added to the run's group. */
export function startIncoming(
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
    // Who sends on a lane closes its channels there.
    leaveLane: () => {},
    transferredBytes: () => receiver.transferredBytes,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
