import type { Announcements, ClientId, ErrorDescription, PeerMessage, RoomMember } from "@warren/protocol";
import type { PeerProof } from "../signalling/signal-link.ts";

/** The states of a session with another client. */
export type SessionStatus =
  | "init"
  | "created"
  | "connecting"
  | "connected"
  | "reconnecting"
  | "disconnected"
  | "closed";

/** A session's status as shown in the interface. */
export type OnlineStatus = "offline" | "connecting" | "online" | "reconnecting";

/** How each state is shown; `init` is not. */
export const onlineStatusOf: Readonly<Record<SessionStatus, OnlineStatus>> = {
  init: "offline",
  created: "offline",
  connecting: "connecting",
  connected: "online",
  reconnecting: "reconnecting",
  disconnected: "offline",
  closed: "offline",
};

/** Whether somebody is in the room and not given up: connected, or about to be. */
export function isAround(peer: { readonly session: SessionStatus } | undefined): boolean {
  return peer !== undefined && onlineStatusOf[peer.session] !== "offline";
}

/** The network route to another client. */
export interface Route {
  readonly kind: "direct-local" | "direct-internet" | "relayed";
  /** The relay's host, if the route is relayed and the browser reports it. */
  readonly relayHost: string | null;
}

/** A client's self-description, sent when its message channel opens. */
export interface PeerProfile extends Announcements {
  readonly name: string;
  /** A data URL of a picture that we re-encoded, or null for initials. */
  readonly avatar: string | null;
}

/** Another client of the room while we are in it; `order` is its place in the server's join order. */
export interface Peer extends RoomMember {
  readonly session: SessionStatus;
  /** Whether messages can be sent: the channel is open and the peer's profile has arrived. */
  readonly ready: boolean;
  /**
   * Since when the peer has been connected, ignoring short interruptions; ms since the epoch, null while unreachable.
   */
  readonly connectedAt: number | null;
  /** Retries in a row, made or pending, since the first attempt or the last connection that lasted; 0 while connected. */
  readonly attempt: number;
  /** When the next automatic attempt starts, by the page's `performance.now()`; null if none is scheduled. */
  readonly nextAttemptAtMs: number | null;
  /** Null until its first profile arrives in this session. */
  readonly profile: PeerProfile | null;
  /** The result of the handshake; null before one has succeeded. */
  readonly proof: PeerProof | null;
  readonly route: Route | null;
  /** Why the last attempt to connect failed. */
  readonly error: ErrorDescription | null;
}

/** Events of a session, emitted on the emitter of its room. */
export type PeerEvents = {
  /** The peer was added or changed. */
  peer: [peer: Peer];
  /** A valid message; the first one of a peer is its `profile`. */
  message: [from: ClientId, message: PeerMessage];
  /** The picture of a peer's profile was re-encoded; null if it was not suitable. */
  picture: [from: ClientId, avatar: string | null];
  /** Messages can now be sent to a peer. */
  "peer-ready": [clientId: ClientId];
  /** Messages can no longer be sent to it; it may return. */
  "peer-lost": [clientId: ClientId];
  /** No packets get through to it for now, though messages can still be queued. */
  "peer-unreachable": [clientId: ClientId];
  /** Packets get through again, over the same connection. */
  "peer-reachable": [clientId: ClientId];
  /** A peer opened a file channel: attach listeners synchronously, its first messages follow immediately. */
  "transfer-channel": [from: ClientId, channel: RTCDataChannel];
  /** The lanes to a peer changed. */
  lanes: [to: ClientId];
  /** A peer violated the protocol; its message was dropped. */
  violation: [from: ClientId, issue: string];
  /** The connection to a peer that had left the room has dropped. */
  "session-ended": [clientId: ClientId];
};
