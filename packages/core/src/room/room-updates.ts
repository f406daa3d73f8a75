import type { ClientId, WarrenError } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { RoomPeer, RoomState, SignallingStatus } from "./room-state.ts";

/** Outside of any room; `error` says why, where it was not wished for. */
export function disconnected(error: WarrenError | null): RoomState {
  return { status: "disconnected", error: error?.describe() ?? null };
}

/** The state with a peer as it now is; the same state when nothing changed, or outside of a room. */
export function withPeer(state: RoomState, peer: RoomPeer): RoomState {
  if (state.status !== "connected" || shallow(state.peers[peer.clientId], peer)) return state;
  return { ...state, peers: { ...state.peers, [peer.clientId]: peer } };
}

/** The state without a peer. */
export function withoutPeer(state: RoomState, clientId: ClientId): RoomState {
  if (state.status !== "connected" || state.peers[clientId] === undefined) return state;
  const { [clientId]: _gone, ...peers } = state.peers;
  return { ...state, peers };
}

/** The state with the link to the server as it now is. */
export function withSignalling(state: RoomState, signalling: SignallingStatus): RoomState {
  return state.status !== "connected" || state.signalling === signalling ? state : { ...state, signalling };
}
