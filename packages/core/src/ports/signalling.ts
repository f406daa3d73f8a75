import type { ClientId, RoomMember, RoomTag, SealedSignal, WarrenError } from "@warren/protocol";

/** How a client's link to its signalling service stands; `closed` is for good and says why. */
export type SignallingClientStatus =
  | { readonly status: "online" }
  | { readonly status: "reconnecting" }
  | { readonly status: "closed"; readonly error: WarrenError };

/** The way to and from one other member of the room. */
export interface SignalSender {
  readonly targetId: ClientId;
  /** Hands a signal over to be delivered; nothing says whether it arrives. */
  sendSignal(signal: SealedSignal): void;
  /** Calls back for each signal of that member, first for those that came before. Returns the way to stop. */
  listenForSignal(callback: (signal: SealedSignal) => void): () => void;
  close(): void;
}

/** Our place in a room of a signalling service. */
export interface SignallingClient {
  /** Who we are there; `order` may change when a seat was lost during an outage. */
  readonly self: RoomMember;
  /** Relays the service offers its members, with sign-ins that hold at this moment. */
  readonly relays: readonly RTCIceServer[];
  /**
   * Calls back for each member, at once for those already present. `resumed` says that either side came back to a
   * seat it had before, so the other may still hold a session with its past. Returns the way to stop.
   */
  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): () => void;
  /** Calls back when a member has gone; a dropped socket whose seat is kept is no leave. Returns the way to stop. */
  listenForLeave(callback: (clientId: ClientId) => void): () => void;
  /**
   * Opens the way to a member. Signals it sent before are kept (a bounded number) and delivered in order.
   * @throws WarrenError `controller-exists` while another sender to that member is open.
   */
  createSender(targetId: ClientId): SignalSender;
  /** Calls back with the status now and on each change. Returns the way to stop. */
  listenForStatus(callback: (status: SignallingClientStatus) => void): () => void;
  /** Leaves the room and gives the seat up. */
  destroy(): void;
  /** The page goes: the others hear that we left, and what a reload needs to have the place back is kept. */
  vanish(): void;
}

/** What a client asks for, and how it shows and is shown that the room's password is known. */
export interface SeatRequest {
  readonly roomTag: RoomTag;
  readonly clientId: ClientId;
  /** Whether we have a password for the room. */
  readonly locked: boolean;
  /** Shows a member, before we are let in, that we know the password. Resolves once it is shown. */
  readonly prove: (greeter: SignalSender) => Promise<void>;
  /**
   * Lets a newcomer show us the same. Rejects when it does not, with `approval-needed` when it was never asked to;
   * `onDeferred` is called when a person has to decide first.
   */
  readonly greet: (newcomer: SignalSender, onDeferred: () => void) => Promise<void>;
  /** Called as it changes whether we wait for somebody in a locked room to let us in, before any password is tested. */
  readonly onWaiting?: (isWaiting: boolean) => void;
  /** Aborted when the seat is not wanted any more before it was taken. */
  readonly calledOff?: AbortSignal;
}

/** A service that introduces browsers to each other (SPEC §7). */
export interface SignallingBackend {
  /**
   * Takes a seat in a room.
   * @throws WarrenError `signalling-unreachable`, `room-full`, `rate-limited` or `signalling-replaced`; and of a room
   * with a password `password-required` or `incorrect-password`, of one without `room-is-open` to who brings one.
   */
  createClient(seat: SeatRequest): Promise<SignallingClient>;
}
