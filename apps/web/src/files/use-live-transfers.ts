import type { TransferSnapshots } from "@warren/core";
import { useMemo, useRef } from "react";
import { useShallow } from "zustand/react/shallow";
import { fileStateOfTransfer } from "../file-state/file-state.ts";
import { type LiveTransfers, readyPeersOf } from "../file-state/live-transfers.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";

/** As `liveTransfersOf`; re-renders when the state of a file may have changed, not with each byte. */
export function useLiveTransfers(): LiveTransfers {
  const { room, transfers } = useWarren();
  const present = useStore(room.store, useShallow(readyPeersOf));
  const seen = useRef<TransferSnapshots>(new Map());
  const settled = useStore(transfers.store, (now) => {
    if (!isSame(seen.current, now)) seen.current = now;
    return seen.current;
  });
  return useMemo(() => ({ transfers: settled, here: new Set(present) }), [settled, present]);
}

/** Whether no transfer came, went or changed its state. */
function isSame(before: TransferSnapshots, now: TransferSnapshots): boolean {
  const transfers = [...now.values()];
  return (
    transfers.length === [...before.keys()].length &&
    transfers.every((transfer) => {
      const former = before.get(transfer.key);
      return former !== undefined && fileStateOfTransfer(former) === fileStateOfTransfer(transfer);
    })
  );
}
