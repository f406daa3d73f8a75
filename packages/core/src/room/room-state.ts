import type { ClientId, ErrorDescription } from "@warren/protocol";
import type { PeerProof, Route, SessionStatus } from "../connection/session-status.ts";

/** What a client says of itself when its message channel opens. */
export interface PeerProfile {
  readonly name: string;
  /** A data URL of a picture we have redrawn, or null for initials. */
  readonly avatar: string | null;
}

/** Another client of the room while we are in it. */
export interface RoomPeer {
  readonly clientId: ClientId;
  /** Its place in the server's join order. */
  readonly order: number;
  readonly session: SessionStatus;
  /** Whether messages can be sent: the channel is open and the other side has said who it is. */
  readonly ready: boolean;
  /** Since when it has been with us, short interruptions aside; ms since the epoch, null while out of reach. */
  readonly connectedAt: number | null;
  /** How many attempts in a row were or are to be made since the first, or since it was last connected. */
  readonly attempt: number;
  /** When the next attempt begins by itself, by the page's `performance.now()`; null while none waits. */
  readonly nextAttemptAtMs: number | null;
  /** Null until its first profile arrives in this session. */
  readonly profile: PeerProfile | null;
  /** What the handshake showed of it; null before one has ended well. */
  readonly proof: PeerProof | null;
  readonly route: Route | null;
  /** Why the last attempt to connect failed. */
  readonly error: ErrorDescription | null;
}

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
      readonly peers: Readonly<Record<ClientId, RoomPeer>>;
    };

const nobody: Readonly<Record<ClientId, RoomPeer>> = {};

/** The others in the room; nobody while not in one. */
export function peersOf(state: RoomState): Readonly<Record<ClientId, RoomPeer>> {
  return state.status === "connected" ? state.peers : nobody;
}
