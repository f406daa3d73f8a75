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
