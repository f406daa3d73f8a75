import type { ClientId, ErrorDescription, PeerMessage, RoomMember } from "@warren/protocol";
import type { TransferLane } from "./lanes/transfer-lane.ts";

/** The life of a session with one other client (SPEC §4). */
export type SessionStatus =
  | "init"
  | "created"
  | "connecting"
  | "connected"
  | "reconnecting"
  | "disconnected"
  | "closed";

/** A session's status as people see it. */
export type OnlineStatus = "offline" | "connecting" | "online" | "reconnecting";

/** SPEC §4's mapping; `init` has nothing to show yet. */
export const onlineStatusOf: Readonly<Record<SessionStatus, OnlineStatus>> = {
  init: "offline",
  created: "offline",
  connecting: "connecting",
  connected: "online",
  reconnecting: "reconnecting",
  disconnected: "offline",
  closed: "offline",
};

/** What the handshake showed of another client. */
export interface PeerProof {
  /** Whether it holds the key its id is made from; without, the id is only a claim. */
  readonly verifiable: boolean;
  /** Seven numbers from 0 to 63, the same on both sides unless somebody sits between them. */
  readonly safetyCode: readonly number[];
}

/** The way bytes take to another client. */
export interface Route {
  readonly kind: "direct-local" | "direct-internet" | "relayed";
  /** The relay's host, where the route is relayed and the browser says it. */
  readonly relayHost: string | null;
}

/** What a client says of itself when its message channel opens. */
export interface PeerProfile {
  readonly name: string;
  /** A data URL of a picture we have redrawn, or null for initials. */
  readonly avatar: string | null;
}

/** Another client of the room while we are in it; `order` is its place in the server's join order. */
export interface Peer extends RoomMember {
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

/** What a session reports, on the emitter of its room. */
export type PeerEvents = {
  /** The peer came or changed. */
  peer: [peer: Peer];
  /** A valid message; a peer's `profile` is among them and comes before all others. */
  message: [from: ClientId, message: PeerMessage];
  /** The picture of a peer's profile is redrawn; null when it was not fit to be. */
  picture: [from: ClientId, avatar: string | null];
  /** Messages can be sent to a peer. */
  "peer-ready": [clientId: ClientId];
  /** Messages can no longer be sent to it; it may come back. */
  "peer-lost": [clientId: ClientId];
  /** No packet passes to it for now, though messages can be handed over. */
  "peer-unreachable": [clientId: ClientId];
  /** Packets pass to it again, over the same connection. */
  "peer-reachable": [clientId: ClientId];
  /** A peer opened a channel for a file: listen to it in this very call, its messages come right behind. */
  "transfer-channel": [from: ClientId, channel: RTCDataChannel];
  /** The lanes to a peer have changed: all that take channels for files. */
  lanes: [to: ClientId, open: readonly TransferLane[]];
  /** A peer broke the protocol; what it sent was dropped. */
  violation: [from: ClientId, issue: string];
  /** The connection to a peer that had left the room has dropped. */
  "session-ended": [clientId: ClientId];
};
