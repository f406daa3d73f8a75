import type { ClientId, PeerMessage, PeerMessageOf } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import type { AttemptQueue } from "./attempt-queue.ts";
import type { InboundBudget } from "./inbound-gate.ts";
import type { LanePool } from "./lanes/lane-pool.ts";
import type { LaneBody } from "./lanes/lanes.ts";
import type { SignalLinks } from "./signal-link.ts";

type SessionBody = Pick<PeerMessageOf<"bind">, "type" | "proof"> | Pick<PeerMessageOf<"end">, "type">;

/** What a session needs. */
export interface PeerSessionOptions {
  readonly selfId: ClientId;
  readonly peerId: ClientId;
  /** Whether we give way in a collision; asked when one happens. */
  readonly isPolite: () => boolean;
  readonly links: SignalLinks;
  /** The configuration of the next connection; never rejects. */
  readonly configuration: () => Promise<RTCConfiguration>;
  readonly createPeerConnection: CreatePeerConnection;
  /** Shared by all sessions of the page, like the pool. */
  readonly attempts: AttemptQueue;
  readonly lanePool: LanePool;
  /** Our own profile message, the first of each connection behind its proof. */
  readonly profileMessage: () => PeerMessage;
  /** Puts the envelope round a message to the other side. */
  readonly address: (message: SessionBody | LaneBody) => PeerMessage;
  readonly clock: Clock;
  /** What the other side may still send as messages; it outlives the session. */
  readonly inbound: InboundBudget;
  /** A number in [0, 1). */
  readonly random: () => number;
}
