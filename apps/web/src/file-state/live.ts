import { peersOf, type RoomState, type TransferSnapshots } from "@warren/core";
import type { ClientId } from "@warren/protocol";

/** Transfers and the peers that can receive messages, as of now. */
export interface Live {
  readonly transfers: TransferSnapshots;
  readonly here: ReadonlySet<ClientId>;
}

/** The transfers and the present peers of a room. */
export function liveOf(room: RoomState, transfers: TransferSnapshots): Live {
  return { transfers, here: new Set(presentIn(room)) };
}

export function presentIn(room: RoomState): readonly ClientId[] {
  return Object.values(peersOf(room)).flatMap(({ clientId, ready }) => (ready ? [clientId] : []));
}
