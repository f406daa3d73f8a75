import { peersOf, type RoomState, type TransferSnapshots } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useMemo, useRef } from "react";
import { useShallow } from "zustand/react/shallow";
import type { Live } from "../file-state/combined-state.ts";
import { fileStateOfTransfer } from "../file-state/file-state.ts";
import { useStore, useWarren } from "../wiring/warren-context.tsx";

/** The transfers and the present peers of a room. */
export function liveOf(room: RoomState, transfers: TransferSnapshots): Live {
  return { transfers, here: new Set(presentIn(room)) };
}

/** As {@link liveOf}; re-renders when the state of a file may have changed, not with each byte. */
export function useLive(): Live {
  const { room, transfers } = useWarren();
  const present = useStore(room.store, useShallow(presentIn));
  const seen = useRef<TransferSnapshots>(new Map());
  const settled = useStore(transfers.store, (now) => {
    if (!isSame(seen.current, now)) seen.current = now;
    return seen.current;
  });
  return useMemo(() => ({ transfers: settled, here: new Set(present) }), [settled, present]);
}

function presentIn(room: RoomState): readonly ClientId[] {
  return Object.values(peersOf(room)).flatMap(({ clientId, ready }) => (ready ? [clientId] : []));
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
