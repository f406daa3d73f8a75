import type { LaneId } from "@warren/protocol";

/** A connection to another client in addition to the session's own, only for transfer channels. */
export interface TransferLane {
  readonly id: LaneId;
  /** Whether its connection is gone, with all data in flight; a lane that is merely ending still delivers. */
  readonly isLost: boolean;
  /** @throws WarrenError `no-available-channel` or `channel-not-open`. */
  openTransferChannel(label: string, options: { readonly ordered: boolean }): RTCDataChannel;
}
