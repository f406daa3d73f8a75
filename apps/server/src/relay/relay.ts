import type {
  ClientId,
  RoomMember,
  RoomTag,
  SealedSignal,
  ServerFrame,
  SignallingErrorCode,
} from "@warren/protocol";
import type { Identity } from "../identity.ts";
import type { ClientAddress } from "../limits/client-address.ts";
import type { Incarnation, ResumeClaim } from "../resume-token.ts";

/** A relayed signal: its kind, a handshake message's run, and its JSON, which is forwarded unchanged. */
export type RelayedSignal =
  | { readonly type: "box"; readonly json: string }
  | { readonly type: Exclude<SealedSignal["type"], "box">; readonly run: string; readonly json: string };

export function toRelayed(signal: SealedSignal): RelayedSignal {
  const json = JSON.stringify(signal);
  return signal.type === "box" ? { type: signal.type, json } : { type: signal.type, run: signal.run, json };
}

/** An event in a room, as reported to one client. */
export type RoomEvent =
  | Extract<ServerFrame, { type: "member-joined" | "member-left" | "pending" | "knock" }>
  | { readonly type: "signal"; readonly from: ClientId; readonly signal: RelayedSignal }
  /** The client's last request was refused. */
  | { readonly type: "error"; readonly code: SignallingErrorCode }
  /** A pending client was admitted. */
  | ({ readonly type: "admitted" } & Entry)
  /** A pending client was refused, or a member lost its seat. */
  | ({ readonly type: "turned-away" } & Denial)
  /** The client took this seat over with another socket; this one receives nothing more. */
  | { readonly type: "replaced" };

/** Receives a room's events for one socket. */
export type RoomListener = (event: RoomEvent) => void;

/** Why a client has no seat. */
export type RefusalReason =
  | "already-in-room"
  | "room-full"
  | "rate-limited"
  /** The seat of that client id belongs to a key that the client has not proven. */
  | "identity"
  | "password-required"
  | "room-is-open"
  /** Too many failed admissions from its address. */
  | "too-many-attempts"
  /** The greeter rejected it, or the handshake timed out. */
  | "incorrect-password"
  /** No greeter was found, or none started the handshake. */
  | "not-admitted"
  /** The room ended while the client waited. */
  | "room-gone"
  /** The room's node or Redis does not respond. */
  | "unavailable"
  /** Members from before a restart reclaimed the room and have to admit the client. */
  | "room-reclaimed";

/** Why a client has no seat, and when asking again may help; absent where it is pointless. */
export interface Denial {
  readonly reason: RefusalReason;
  readonly retryAfterMs?: number | undefined;
}

/** A client that asks for a seat in a room. */
export interface SeatRequest {
  readonly room: RoomTag;
  readonly identity: Identity;
  readonly address: ClientAddress;
  /** Whether the client uses a password for the room. */
  readonly locked: boolean;
  /** A smaller limit of members than that of all rooms. */
  readonly maxMembers?: number | undefined;
  /** The claim of a valid resume token. */
  readonly claim: ResumeClaim | undefined;
  /** The client follows a room that moved: if its seat is taken by now, the later holder keeps it. */
  readonly follows?: boolean | undefined;
  /** Whether the client may open the room; called at most once, and only if the room does not exist. */
  readonly mayOpenRoom: () => boolean;
}

/**
 * A seat in a room, held by one socket. The listener receives refusals as `error`. After the seat was given up or taken
 * over, its methods do nothing.
 */
export interface Seat {
  /** Sends a signal to another member, or to a newcomer that this member greets. */
  send(to: ClientId, signal: RelayedSignal): void;
  /** Admits a newcomer that this member greets. */
  admit(clientId: ClientId): void;
  /** Rejects a newcomer that this member greets. */
  reject(clientId: ClientId, reason: Extract<RefusalReason, "incorrect-password" | "not-admitted">): void;
  /** Reports that a person is asked about a newcomer that this member greets. */
  defer(clientId: ClientId): void;
  /** Gives the seat up: the others receive `member-left`. */
  leave(): void;
  /** The socket dropped: the seat is kept for a while, and others receive `member-left` only when that time is over. */
  drop(keptMs?: number): void;
}

/** A seat, and the room's state when it was taken. */
export interface Entry {
  readonly seat: Seat;
  readonly order: number;
  /** Distinguishes successive rooms of one name. */
  readonly incarnation: Incarnation;
  /** The others in the order in which they joined, including those with a kept seat. */
  readonly members: readonly RoomMember[];
}

/** A newcomer waiting for admission to a locked room. After that was decided, its methods do nothing. */
export interface Knock {
  /** Sends a handshake message to the greeter; the listener receives refusals as `error`. */
  send(to: ClientId, signal: RelayedSignal): void;
  /** The newcomer gives up. */
  cancel(): void;
}

/** The answer to a {@link SeatRequest}. */
export type SeatAnswer =
  | ({ readonly status: "seated" } & Entry)
  /** The listener receives `pending`, then `admitted` or `turned-away`. */
  | { readonly status: "pending"; readonly knock: Knock }
  | ({ readonly status: "refused" } & Denial);

/** A relay's state. */
export interface RelayState {
  /** Rooms that live in this process. */
  readonly rooms: number;
  readonly redisServers: number;
  /** Those that respond. */
  readonly redisServersUp: number;
}

/**
 * Holds the rooms: their members, and the signals between them. The rooms live in the memory of one process, or are
 * shared by several.
 */
export interface Relay {
  readonly state: RelayState;
  /** Takes a seat; `listener` receives the room's events from then on, possibly before the promise resolves. */
  enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer>;
  /** Forgets all rooms and stops all timers, without notifying anybody. */
  close(): void | Promise<void>;
}
