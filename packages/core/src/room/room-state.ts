import type { ClientId, ErrorDescription, WarrenError } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { SignallingClientStatus } from "../ports/signalling.ts";
import type { Peer, PeerEvents } from "../session/peer.ts";

/** The link to the signalling server while in a room; sessions survive without it. */
export type SignallingStatus = "online" | "reconnecting";

/** Whether we are in a room, and its other members. */
export type RoomState =
  | { readonly status: "disconnected"; readonly error: ErrorDescription | null }
  | {
      readonly status: "connecting";
      readonly roomId: string;
      /** Waiting for admission to a locked room; no password has been tested yet. */
      readonly isWaiting: boolean;
    }
  | {
      readonly status: "connected";
      readonly roomId: string;
      /** When we joined, ms since the epoch. */
      readonly joinedAt: number;
      readonly signalling: SignallingStatus;
      readonly peers: Readonly<Record<ClientId, Peer>>;
    }
  /** In no room, but among the pages of our network. */
  | {
      readonly status: "nearby";
      readonly signalling: SignallingStatus;
      readonly peers: Readonly<Record<ClientId, Peer>>;
    };

/** Events of a room. Its sessions emit on the same emitter, so no event has to be forwarded. */
export type RoomEvents = PeerEvents & {
  /** A peer is no longer in the room with us. */
  "peer-left": [clientId: ClientId];
  /** The status of the link to the signalling service changed. */
  signalling: [status: SignallingClientStatus];
  /** The pages nearby are met no longer, although we did not leave them. */
  "nearby-ended": [error: WarrenError];
  /**
   * Too many recent password failures: a client (newcomer or member) is connected only after `letIn`. An honest server
   * keeps it waiting for 60 s.
   */
  "approval-needed": [clientId: ClientId];
  /** Nobody need decide about that client any more. */
  "approval-over": [clientId: ClientId];
};

const nobody: Readonly<Record<ClientId, Peer>> = {};

/** Whether we are among others, in a room or nearby. */
export function isMeeting(state: RoomState): state is Extract<RoomState, { peers: unknown }> {
  return state.status === "connected" || state.status === "nearby";
}

/** The other members; empty where nobody is met. */
export function peersOf(state: RoomState): Readonly<Record<ClientId, Peer>> {
  return isMeeting(state) ? state.peers : nobody;
}

/** The room that we are in or enter; null outside of one. */
export function roomIdOf(state: RoomState): string | null {
  return "roomId" in state ? state.roomId : null;
}

/** The state outside of a room; `error` is the reason if we did not choose to leave. */
export function disconnected(error: WarrenError | null): RoomState {
  return { status: "disconnected", error: error?.describe() ?? null };
}

/** The state with an updated peer; the same object if nothing changed, or outside of a room. */
export function withPeer(state: RoomState, peer: Peer): RoomState {
  if (!isMeeting(state) || shallow(state.peers[peer.clientId], peer)) return state;
  return { ...state, peers: { ...state.peers, [peer.clientId]: peer } };
}

/** The state without a peer. */
export function withoutPeer(state: RoomState, clientId: ClientId): RoomState {
  if (!isMeeting(state) || state.peers[clientId] === undefined) return state;
  const { [clientId]: _gone, ...peers } = state.peers;
  return { ...state, peers };
}

/** The state with the current status of the link to the server. */
export function withSignalling(state: RoomState, signalling: SignallingStatus): RoomState {
  return !isMeeting(state) || state.signalling === signalling ? state : { ...state, signalling };
}
