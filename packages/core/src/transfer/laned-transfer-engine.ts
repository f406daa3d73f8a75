import type { ClientId, FileId } from "@warren/protocol";
import type { TransferLane } from "../connection/lanes/transfer-lane.ts";
import type { FileClaim } from "../files/received-file.ts";
import { channelLabelOf, type TransferChannels } from "./transfer-channels.ts";
import type { TransferEngine } from "./transfer-engine.ts";
import type { SendRequest, TransferRun, TransferRunHandlers } from "./transfer-run.ts";

/** Smaller files are over before more connections than one bring anything. */
const spreadFromBytes = 1024 * 1024;

interface Sending {
  readonly peerId: ClientId;
  readonly fid: FileId;
  readonly ordered: boolean;
  readonly run: TransferRun;
  /** The lanes it has a channel on. */
  readonly lanes: Set<TransferLane>;
  /** The number of its next channel. */
  next: number;
}

/** Spreads what another engine sends over the lanes to a client, as they come and go. */
export class LanedTransferEngine implements TransferEngine {
  readonly #engine: TransferEngine;
  readonly #sending = new Set<Sending>();
  readonly #lanes = new Map<ClientId, readonly TransferLane[]>();

  constructor(engine: TransferEngine, channels: Pick<TransferChannels, "on">) {
    this.#engine = engine;
    channels.on("lanes", (peerId, open) => {
      if (open.length === 0) this.#lanes.delete(peerId);
      else this.#lanes.set(peerId, open);
      for (const sending of this.#sending) if (sending.peerId === peerId) this.#spread(sending);
    });
  }

  send(request: SendRequest, handlers: TransferRunHandlers): TransferRun {
    const { peerId, description, channels } = request;
    // Asked before the channels are handed on: those in another thread tell nothing any more.
    const ordered = channels.some((channel) => channel.ordered);
    const run = this.#engine.send(request, handlers);
    if (description.fileSize < spreadFromBytes) return run;
    const { fid } = description;
    const sending = { peerId, fid, ordered, run, lanes: new Set<TransferLane>(), next: channels.length };
    this.#sending.add(sending);
    this.#spread(sending);
    return {
      mode: run.mode,
      get channelCount() {
        return run.channelCount;
      },
      get isOver() {
        return run.isOver;
      },
      transferredBytes: () => run.transferredBytes(),
      addChannel: (channel, lane) => run.addChannel(channel, lane),
      leaveLane: (lane, isLost) => run.leaveLane(lane, isLost),
      close: () => {
        this.#sending.delete(sending);
        return run.close();
      },
    };
  }

  receive(claim: FileClaim, handlers: TransferRunHandlers): Promise<TransferRun> {
    return this.#engine.receive(claim, handlers);
  }

  #spread(sending: Sending): void {
    const open = this.#lanes.get(sending.peerId) ?? [];
    for (const lane of sending.lanes) {
      if (open.includes(lane)) continue;
      sending.lanes.delete(lane);
      sending.run.leaveLane(lane.id, lane.isLost);
    }
    for (const lane of open) if (!sending.lanes.has(lane)) this.#join(sending, lane);
  }

  #join(sending: Sending, lane: TransferLane): void {
    let channel: RTCDataChannel;
    try {
      channel = lane.openTransferChannel(channelLabelOf(sending.fid, sending.next), {
        ordered: sending.ordered,
      });
    } catch {
      // The lane has just ended, or has as many channels as it may: the file goes over the others.
      return;
    }
    sending.next++;
    sending.lanes.add(lane);
    sending.run.addChannel(channel, lane.id);
  }
}
