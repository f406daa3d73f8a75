import type { ClientId, ErrorDescription, WarrenError } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { Peer, PeerEvents } from "../connection/peer.ts";
import type { SignallingClientStatus } from "../ports/signalling.ts";

/** The link to the signalling server while in a room; sessions live on without it. */
export type SignallingStatus = "online" | "reconnecting";

/** Whether we are in a room, and who is in it with us. */
export type RoomState =
  | { readonly status: "disconnected"; readonly error: ErrorDescription | null }
  | {
      readonly status: "connecting";
      readonly roomId: string;
      /** Somebody in the locked room has to let us in; no password has been tested yet. */
      readonly isWaiting: boolean;
    }
  | {
      readonly status: "connected";
      readonly roomId: string;
      /** When we joined, ms since the epoch. */
      readonly joinedAt: number;
      readonly signalling: SignallingStatus;
      readonly peers: Readonly<Record<ClientId, Peer>>;
    };

/** What a room reports. Its sessions emit on the same emitter, so that nothing is passed on from one to the next. */
export type RoomEvents = PeerEvents & {
  /** A peer is no longer in the room with us. */
  "peer-left": [clientId: ClientId];
  /** The link to the signalling service has changed. */
  signalling: [status: SignallingClientStatus];
  /**
   * Too many passwords were wrong lately: a client, at the door or in the room, is met only after `letIn`. Through an
   * honest server it waits for 60 s.
   */
  "approval-needed": [clientId: ClientId];
};

const nobody: Readonly<Record<ClientId, Peer>> = {};

/** The others in the room; nobody while not in one. */
export function peersOf(state: RoomState): Readonly<Record<ClientId, Peer>> {
  return state.status === "connected" ? state.peers : nobody;
}

/** Outside of any room; `error` says why, where it was not wished for. */
export function disconnected(error: WarrenError | null): RoomState {
  return { status: "disconnected", error: error?.describe() ?? null };
}

/** The state with a peer as it now is; the same state when nothing changed, or outside of a room. */
export function withPeer(state: RoomState, peer: Peer): RoomState {
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
