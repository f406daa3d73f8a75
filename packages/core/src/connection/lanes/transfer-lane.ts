import type { LaneId } from "@warren/protocol";

/** A connection to another client beside the session's own, for channels of transfers alone. */
export interface TransferLane {
  readonly id: LaneId;
  /** Whether its connection is gone, with whatever was on its way; one that merely ends still delivers. */
  readonly isLost: boolean;
  /** @throws WarrenError `no-available-channel` or `channel-not-open`. */
  openTransferChannel(label: string, options: { readonly ordered: boolean }): RTCDataChannel;
}
