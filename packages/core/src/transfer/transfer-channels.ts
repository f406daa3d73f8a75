import { type ClientId, type FileId, fileIdSchema } from "@warren/protocol";
import type { EventSource } from "../shared/emitter.ts";

/** The most channels one transfer may have. */
export const channelsPerTransfer = 8;

/** Data channels to the clients of a room; protocol `transfer`. */
export interface TransferChannels extends EventSource<TransferChannelEvents> {
  /**
   * Opens a channel to a client.
   * @throws WarrenError `no-session` when there is no connection to it.
   */
  open(peerId: ClientId, label: string, init: { readonly ordered: boolean }): RTCDataChannel;
}

/** What {@link TransferChannels} tells. */
export type TransferChannelEvents = {
  /** A client opened a channel. Listeners attach to it at once, or its first messages are lost. */
  "transfer-channel": [from: ClientId, channel: RTCDataChannel];
};

/** The label of a file's nth channel. */
export function channelLabelOf(fid: FileId, n: number): string {
  return `${fid}-${n}`;
}

/** @returns the file a channel is for, or null when its label is none of a transfer's. */
export function fileIdOfLabel(label: string): FileId | null {
  const fid = /^(.+)-\d{1,2}$/.exec(label)?.[1];
  const parsed = fileIdSchema.safeParse(fid);
  return parsed.success ? parsed.data : null;
}
