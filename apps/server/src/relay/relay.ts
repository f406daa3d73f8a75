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

/** A signal on its way: its kind, and the JSON that is handed on as it came. */
export interface RelayedSignal {
  readonly type: SealedSignal["type"];
  readonly json: string;
}

/** What happens in a room, as reported to one client. */
export type RoomEvent =
  | Extract<ServerFrame, { type: "member-joined" | "member-left" | "pending" | "knock" }>
  | { readonly type: "signal"; readonly from: ClientId; readonly signal: RelayedSignal }
  /** What the client asked for last is refused. */
  | { readonly type: "error"; readonly code: SignallingErrorCode }
  /** A pending client was admitted. */
  | ({ readonly type: "admitted" } & Entry)
  /** A pending client was refused, or a member lost its seat. */
  | { readonly type: "turned-away"; readonly reason: RefusalReason }
  /** The same client took this seat from another socket; the old one receives nothing more. */
  | { readonly type: "replaced" };

/** Hears of a room on behalf of one socket. */
export type RoomListener = (event: RoomEvent) => void;

/** Why a client has no seat. */
export type RefusalReason =
  | "already-in-room"
  | "room-full"
  | "rate-limited"
  /** The seat of that client id belongs to a key it has not shown. */
  | "identity"
  | "password-required"
  | "room-is-open"
  /** Too many failed admissions from its address. */
  | "too-many-attempts"
  /** The greeter rejected it, or the handshake did not end in time. */
  | "incorrect-password"
  /** No greeter was found for it, or none began. */
  | "not-admitted"
  /** The room is gone that it waited for. */
  | "room-gone"
  /** What decides about the room does not answer. */
  | "unavailable"
  /** Members from before a restart have precedence in the room: they have to admit it. */
  | "room-reclaimed";

/** A client that asks for a seat in a room. */
export interface SeatRequest {
  readonly room: RoomTag;
  readonly identity: Identity;
  readonly address: ClientAddress;
  /** Whether the client has a password for the room. */
  readonly locked: boolean;
  /** What its resume token proves. */
  readonly claim: ResumeClaim | undefined;
  /** It follows a room that has moved: whoever has its seat by now came later, and keeps it. */
  readonly follows?: boolean | undefined;
  /** Asked once, and only when the room does not exist yet: may this client open it? */
  readonly mayOpenRoom: () => boolean;
}

/**
 * A place in a room that one socket holds. What is refused, the listener receives as `error`. Once the seat is given up or
 * taken over, its methods do nothing.
 */
export interface Seat {
  /** Hands a signal to another member, or to a newcomer whose greeter this member is. */
  send(to: ClientId, signal: RelayedSignal): void;
  /** As its greeter lets a newcomer in. */
  admit(clientId: ClientId): void;
  /** As its greeter turns a newcomer away. */
  reject(clientId: ClientId, reason: Extract<RefusalReason, "incorrect-password" | "not-admitted">): void;
  /** As its greeter leaves a newcomer to a person's decision. */
  defer(clientId: ClientId): void;
  /** Gives the seat up: the others receive `member-left`. */
  leave(): void;
  /** The socket dropped: the seat is kept for a while, and it is reported to the others only when that is over. */
  drop(keptMs?: number): void;
}

/** A seat, and the room as its holder finds it. */
export interface Entry {
  readonly seat: Seat;
  readonly order: number;
  /** Which room of that name it is a seat in. */
  readonly incarnation: Incarnation;
  /** The others in order of their joining, those with a kept seat included. */
  readonly members: readonly RoomMember[];
}

/** A newcomer that waits to be let into a locked room. Once it is in or turned away, its methods do nothing. */
export interface Knock {
  /** Hands a message of the handshake to the greeter; the listener receives an `error` when it is refused. */
  send(to: ClientId, signal: RelayedSignal): void;
  /** The newcomer goes away. */
  cancel(): void;
}

/** The answer to a {@link SeatRequest}. */
export type SeatAnswer =
  | ({ readonly status: "seated" } & Entry)
  /** The listener receives `pending`, then `admitted` or `turned-away`. */
  | { readonly status: "pending"; readonly knock: Knock }
  | { readonly status: "refused"; readonly reason: RefusalReason };

/** How long a seat is kept for a client whose socket dropped, by default. */
export const seatKeptMs = 90_000;

/** How a relay is doing. */
export interface RelayState {
  /** Rooms that live in this process. */
  readonly rooms: number;
  readonly redisServers: number;
  /** Those that answer. */
  readonly redisServersUp: number;
}

/**
 * Where rooms live: who sits in which, and a way for members to reach each other. One process keeps them in its memory;
 * several processes can share them behind this same interface.
 */
export interface Relay {
  readonly state: RelayState;
  /** Takes a seat; `listener` receives the room's events from then on, possibly before the promise resolves. */
  enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer>;
  /** Forgets every room and stops every timer; nobody is notified. Resolves once nothing keeps the process. */
  close(): void | Promise<void>;
}
