import type { ClientId, RoomMember, RoomTag, SealedSignal, WarrenError } from "@warren/protocol";

/** The state of a client's link to its signalling service; `closed` is final and carries the reason. */
export type SignallingClientStatus =
  | { readonly status: "online" }
  | { readonly status: "reconnecting" }
  | { readonly status: "closed"; readonly error: WarrenError };

/** Sends and receives signals of one other member of the room. */
export interface SignalSender {
  readonly targetId: ClientId;
  /** Queues a signal for delivery, without any confirmation. */
  sendSignal(signal: SealedSignal): void;
  /** Calls back for each signal of that member, earlier ones first. Returns a function to unsubscribe. */
  listenForSignal(callback: (signal: SealedSignal) => void): () => void;
  close(): void;
}

/** Our seat in a room of a signalling service. */
export interface SignallingClient {
  /** Our own member entry; `order` may change when a seat was lost during an outage. */
  readonly self: RoomMember;
  /** The relays the service offers its members, with credentials that are currently valid. */
  readonly relays: readonly RTCIceServer[];
  /**
   * Calls back for each member, immediately for those already present. `resumed`: one side came back to its earlier
   * seat, so the other may still have a session with its earlier page. Returns a function to unsubscribe.
   */
  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): () => void;
  /**
   * Calls back when a member leaves; a dropped socket whose seat is kept does not count. Returns a function to
   * unsubscribe.
   */
  listenForLeave(callback: (clientId: ClientId) => void): () => void;
  /**
   * Opens the connection to a member. Its earlier signals are kept (a bounded number) and delivered in order.
   * @throws WarrenError `controller-exists` while another sender to that member is open.
   */
  createSender(targetId: ClientId): SignalSender;
  /** Calls back with the current status and on each change. Returns a function to unsubscribe. */
  listenForStatus(callback: (status: SignallingClientStatus) => void): () => void;
  /** Leaves the room and gives up the seat. */
  destroy(): void;
  /**
   * The page is closing: the other members are notified that we left, and the data a reload needs to regain the seat is
   * kept.
   */
  vanish(): void;
}

/** A client's request for a seat, and how it proves and checks knowledge of the room's password. */
export interface SeatRequest {
  readonly roomTag: RoomTag;
  /** The room of our network instead, which only the service can name. */
  readonly nearby?: boolean;
  readonly clientId: ClientId;
  /** Whether we have a password for the room. */
  readonly locked: boolean;
  /** Proves to a member, before we are admitted, that we know the password. Resolves once that is done. */
  readonly prove: (greeter: SignalSender) => Promise<void>;
  /**
   * Lets a newcomer prove the same. Rejects if it does not, with `approval-needed` if it was never asked to;
   * `onDeferred` is called when a person has to decide first. `gone` is aborted when the newcomer no longer waits.
   */
  readonly greet: (newcomer: SignalSender, onDeferred: () => void, gone?: AbortSignal) => Promise<void>;
  /** Called when we start or stop waiting for a member of a locked room to admit us, before any password is tested. */
  readonly onWaiting?: (isWaiting: boolean) => void;
  /** Aborted when the seat is no longer wanted before it was taken. */
  readonly calledOff?: AbortSignal;
}

/** A service that connects browsers to each other. */
export interface SignallingBackend {
  /**
   * Takes a seat in a room.
   * @throws WarrenError `signalling-unreachable`, `room-full`, `rate-limited` or `signalling-replaced`; for the room of a
   * network `nearby-unavailable`; for a room with
   * a password `password-required` or `incorrect-password`; for a room without one `room-is-open` if the request has a
   * password.
   */
  createClient(seat: SeatRequest): Promise<SignallingClient>;
}
