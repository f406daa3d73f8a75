import type { ClientId, PeerMessage } from "@warren/protocol";
import type { TransferLane } from "../connection/lanes/transfer-lane.ts";

/** What comes up from a room. */
export type RoomEvents = {
  /** A valid message; a peer's `profile` is among them and comes before all others. */
  message: [from: ClientId, message: PeerMessage];
  /** The picture of a peer's profile is redrawn; null when it was not fit to be. */
  picture: [from: ClientId, avatar: string | null];
  /** Messages can be sent to a peer. */
  "peer-ready": [clientId: ClientId];
  /** Messages can no longer be sent to it; it may come back. */
  "peer-lost": [clientId: ClientId];
  /** No packet passes to it for now, though messages can be handed over. */
  "peer-silent": [clientId: ClientId];
  /** Packets pass to it again, over the same connection. */
  "peer-heard": [clientId: ClientId];
  /** It is no longer in the room with us. */
  "peer-left": [clientId: ClientId];
  /**
   * Too many passwords were wrong lately: a client, at the door or in the room, is met only after `letIn`. Through an
   * honest server it waits for 60 s.
   */
  "approval-needed": [clientId: ClientId];
  /** A peer opened a channel for a file: listen to it in this very call, its messages come right behind. */
  "transfer-channel": [from: ClientId, channel: RTCDataChannel];
  /** The lanes to a peer have changed: all that take channels for files. */
  lanes: [to: ClientId, open: readonly TransferLane[]];
};
