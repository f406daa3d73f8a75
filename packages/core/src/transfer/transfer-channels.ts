import { type ClientId, type FileId, fileIdSchema, limits, toWarrenError, v } from "@warren/protocol";
import type { TransferLane } from "../lanes/transfer-lane.ts";
import type { EventSource } from "../shared/emitter.ts";

/** The most channels of one transfer: eight on the session's own connection, and one on each lane. */
export const channelsPerTransfer = 8 + limits.lanes;

/** Data channels to the clients of a room; protocol `transfer`. */
export interface TransferChannels extends EventSource<TransferChannelEvents> {
  /**
   * Opens a channel to a client, on the session's own connection.
   * @throws WarrenError `no-session` when there is no connection to it.
   */
  open(peerId: ClientId, label: string, init: { readonly ordered: boolean }): RTCDataChannel;
  /** The lanes to a client that accept channels. */
  lanesTo(peerId: ClientId): readonly TransferLane[];
}

/** The events of {@link TransferChannels}. */
export type TransferChannelEvents = {
  /** A client opened a channel. Attach listeners synchronously, or its first messages are lost. */
  "transfer-channel": [from: ClientId, channel: RTCDataChannel];
  /** The lanes to a client changed. */
  lanes: [to: ClientId];
};

/** The label of a file's nth channel. */
export function channelLabelOf(fid: FileId, n: number): string {
  return `${fid}-${n}`;
}

/**
 * Opens a transfer's channels: all of them, or as many as the connection still allows.
 * @throws WarrenError `no-session`, or `no-available-channel` when it allows none.
 */
export function openChannels(
  channels: Pick<TransferChannels, "open">,
  { peerId, fid }: { readonly peerId: ClientId; readonly fid: FileId },
  { channelsNumber, ordered }: { readonly channelsNumber: number; readonly ordered: boolean },
): RTCDataChannel[] {
  const opened: RTCDataChannel[] = [];
  try {
    for (let n = 0; n < channelsNumber; n++)
      opened.push(channels.open(peerId, channelLabelOf(fid, n), { ordered }));
    return opened;
  } catch (error) {
    if (opened.length > 0 && toWarrenError(error).code === "no-available-channel") return opened;
    for (const channel of opened) channel.close();
    throw error;
  }
}

/** @returns the file of a channel, or null if its label is not a transfer's. */
export function fileIdOfLabel(label: string): FileId | null {
  const fid = /^(.+)-\d{1,6}$/.exec(label)?.[1];
  return v.is(fileIdSchema, fid) ? fid : null;
}
