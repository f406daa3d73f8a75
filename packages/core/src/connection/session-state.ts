import type { ErrorDescription, PeerMessage, PeerMessageOf } from "@warren/protocol";
import type { TransferLane } from "./lanes/transfer-lane.ts";
import type { PeerProof, Route, SessionStatus } from "./session-status.ts";

/** What a session tells of itself. */
export interface SessionState {
  readonly session: SessionStatus;
  /** Whether the channel is open and the other side has said who it is. */
  readonly ready: boolean;
  /** How many attempts in a row were or are to be made since the first, or since it was last connected. */
  readonly attempt: number;
  /** When the next attempt begins by itself, by {@link Clock.elapsedMs}; null while none waits. */
  readonly nextAttemptAtMs: number | null;
  /** What the other side last said of itself. */
  readonly profile: Readonly<Pick<PeerMessageOf<"profile">, "name" | "avatar">> | null;
  /** What the handshake of this connection showed of the other side. */
  readonly proof: PeerProof | null;
  readonly route: Route | null;
  /** Why the last attempt to connect failed. */
  readonly error: ErrorDescription | null;
}

/** How a session begins. */
export const initialSessionState: SessionState = {
  session: "init",
  ready: false,
  attempt: 0,
  nextAttemptAtMs: null,
  profile: null,
  proof: null,
  route: null,
  error: null,
};

/** What comes up from a session. */
export type PeerSessionEvents = {
  change: [state: SessionState, previous: SessionState];
  /** A valid message of the other side; its profile comes first. */
  message: [message: PeerMessage];
  "transfer-channel": [channel: RTCDataChannel];
  /** The lanes that take channels have changed. */
  lanes: [open: readonly TransferLane[]];
  /** The other side broke the protocol; what it sent was dropped. */
  violation: [issue: string];
  /** The connection to one who had left the room has dropped. */
  ended: [];
};
