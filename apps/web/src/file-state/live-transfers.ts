import { peersOf, type RoomState, type TransferSnapshots } from "@warren/core";
import type { ClientId } from "@warren/protocol";

/** Transfers and the peers that can receive messages, as of now. */
export interface LiveTransfers {
  readonly transfers: TransferSnapshots;
  readonly here: ReadonlySet<ClientId>;
}

/** The transfers and the present peers of a room. */
export function liveTransfersOf(room: RoomState, transfers: TransferSnapshots): LiveTransfers {
  return { transfers, here: new Set(readyPeersOf(room)) };
}

export function readyPeersOf(room: RoomState): readonly ClientId[] {
  return Object.values(peersOf(room)).flatMap(({ clientId, ready }) => (ready ? [clientId] : []));
}
