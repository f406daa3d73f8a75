import { randomBytes } from "node:crypto";
import type { ClientId, RoomMember, RoomTag, SignallingErrorCode } from "@warren/protocol";
import type { CancelTimer, Clock } from "../clock.ts";
import type { AdmissionBudgets } from "../limits/admission-budgets.ts";
import type { ClientAddress } from "../limits/client-address.ts";
import {
  type Entry,
  type RefusalReason,
  type RelayedSignal,
  type RoomEvent,
  type RoomListener,
  type Seat,
  type SeatAnswer,
  type SeatRequest,
  seatKeptMs,
} from "../relay/relay.ts";
import type { Incarnation } from "../resume-token.ts";
import { type Greeter, Lobby } from "./lobby.ts";

/** How many seats a room keeps for dropped sockets of one address: a household whose router restarts. */
const keptPerAddress = 8;

interface Place {
  readonly member: RoomMember;
  /** Where its socket came from. */
  address: ClientAddress;
  /** By a key, now or when it was taken. */
  isProven: boolean;
  /** Held by a live socket, or kept for one that dropped. */
  occupancy:
    | { readonly status: "live"; readonly listener: RoomListener; readonly arrival: number }
    | { readonly status: "kept"; readonly cancelExpiry: CancelTimer; readonly since: number };
}

/** A socket that has just taken a place. */
interface Arrival {
  readonly place: Place;
  readonly listener: RoomListener;
  readonly isResumed: boolean;
}

/** What a room needs from the server. */
export interface RoomEnvironment {
  readonly tag: RoomTag;
  readonly clock: Clock;
  readonly budgets: AdmissionBudgets;
  readonly maxMembers: number;
  /** When the process began: tokens of before speak of rooms it does not know. */
  readonly startedAt: number;
  /** A room of this name of before has come back and ended: tokens of before are of no use here. */
  readonly isOver: boolean;
  /** Called when the last place is gone; `wasReclaimed` when members of before a restart had been back. */
  readonly onEmpty: (wasReclaimed: boolean) => void;
}

/** The members of one room and the order in which they joined. Its first member decides whether it is locked. */
export class Room {
  readonly #environment: RoomEnvironment;
  readonly #places = new Map<ClientId, Place>();
  readonly #lobby: Lobby;
  #isLocked = false;
  #incarnation: Incarnation;
  /** Members of before a restart are back. */
  #isReclaimed = false;
  #nextOrder = 0;
  #arrivals = 0;

  constructor(environment: RoomEnvironment) {
    this.#environment = environment;
    this.#incarnation = { id: randomBytes(16).toString("base64url"), bornAt: environment.clock.now() };
    this.#lobby = new Lobby({
      room: environment.tag,
      clock: environment.clock,
      budgets: environment.budgets,
      greeters: () => this.#greeters(),
      seat: (request, listener) => this.#admit(request, listener),
    });
  }

  /**
   * Seats a client, or has it wait to be let in. A seat proven by a key yields to that key alone. A seat without one
   * yields to a token for it, to whoever proves the client id with a key, and, when it is only kept, to the same id
   * without a token; the last two come in as new members, at the end of the order.
   */
  enter(asked: SeatRequest, listener: RoomListener): SeatAnswer {
    const request = { ...asked, claim: this.#claimHere(asked) };
    const { identity, claim, locked } = request;
    const isOfBefore = claim !== undefined && this.#isOfBefore(claim) && claim.isLocked === locked;
    if (this.#places.size === 0) this.#isLocked = locked;
    if (locked !== this.#isLocked) return refused(locked ? "room-is-open" : "password-required");

    const held = this.#places.get(identity.clientId);
    if (held?.occupancy.status === "live" && asked.follows) return refused("already-in-room");
    if (held?.isProven && !identity.isProven) return refused("identity");
    if (held && (held.isProven || namesSeat(claim, held))) {
      held.isProven ||= identity.isProven;
      held.address = request.address;
      return this.#welcome(this.#takeOver(held, listener));
    }
    if (held?.occupancy.status === "live") {
      if (!identity.isProven) return refused("already-in-room");
      this.#displace(held);
    }
    if (!held && !this.#makeRoom()) return refused("room-full");
    if (locked && !isOfBefore && this.#places.size > 0) return this.#lobby.enter(request, listener);
    return this.#welcome(this.#seat(request, listener));
  }

  /** Stops every timer. */
  close(): void {
    for (const { occupancy } of this.#places.values()) {
      if (occupancy.status === "kept") occupancy.cancelExpiry();
    }
    this.#places.clear();
    this.#lobby.close();
  }

  /** Whether one more fits. In a full room kept seats are dropped, of the address with the most first. */
  #makeRoom(): boolean {
    if (this.#places.size < this.#environment.maxMembers) return true;
    const kept = this.#kept();
    const countOf = (address: ClientAddress) => kept.filter((one) => one.address.key === address.key).length;
    const [first] = kept.sort((one, other) => countOf(other.address) - countOf(one.address));
    if (!first) return false;
    this.#remove(first);
    return true;
  }

  /** Seats that are kept, of one address or of all, the longest kept first. */
  #kept(address?: ClientAddress): Place[] {
    const since = ({ occupancy }: Place) => (occupancy.status === "kept" ? occupancy.since : 0);
    return [...this.#places.values()]
      .filter(({ occupancy }) => occupancy.status === "kept")
      .filter((place) => address === undefined || place.address.key === address.key)
      .sort((one, other) => since(one) - since(other));
  }

  /**
   * The claim of a request, as far as it is about this room and not about another one of its name. The first token of
   * before a restart says which room this is; one of a later room of that name says so better.
   */
  #claimHere({ claim, locked }: SeatRequest): SeatRequest["claim"] {
    if (!claim || claim.incarnation.id === this.#incarnation.id) return claim;
    const isBetter = !this.#isReclaimed || claim.incarnation.bornAt > this.#incarnation.bornAt;
    const counts = this.#isOfBefore(claim) && claim.isLocked === locked && !this.#environment.isOver;
    if (!isBetter || !counts) return undefined;
    if (locked) this.#turnOut();
    this.#isReclaimed = true;
    this.#incarnation = claim.incarnation;
    return claim;
  }

  #isOfBefore({ isFresh, issuedAt }: NonNullable<SeatRequest["claim"]>): boolean {
    return isFresh && issuedAt < this.#environment.startedAt;
  }

  /**
   * After a restart the first client opens the room again, with a password or without. Who was in the locked room
   * of before has more right to it: those who came earlier have to be let in.
   */
  #turnOut(): void {
    const reason = this.#isLocked ? "room-reclaimed" : "password-required";
    const usurpers = [...this.#places.values()];
    this.#places.clear();
    this.#isLocked = true;
    for (const { occupancy } of usurpers) {
      if (occupancy.status === "kept") occupancy.cancelExpiry();
      else {
        this.#lobby.greeterGone(occupancy.listener);
        occupancy.listener({ type: "turned-away", reason });
      }
    }
  }

  #seat({ identity, address, claim }: SeatRequest, listener: RoomListener): Arrival {
    const { clientId, isProven } = identity;
    const held = this.#places.get(clientId);
    if (held) this.#displace(held);
    const restored = this.#restorableOrder(claim);
    const member = { clientId, order: restored ?? this.#nextOrder };
    this.#nextOrder = Math.max(this.#nextOrder, member.order + 1);
    const occupancy = { status: "live", listener, arrival: this.#arrivals++ } as const;
    const place: Place = { member, address, isProven, occupancy };
    this.#places.set(clientId, place);
    this.#lobby.remember(identity);
    this.#lobby.drop(clientId);
    return { place, listener, isResumed: restored !== undefined };
  }

  #takeOver(place: Place, listener: RoomListener): Arrival {
    const before = place.occupancy;
    place.occupancy = { status: "live", listener, arrival: this.#arrivals++ };
    if (before.status === "live") {
      before.listener({ type: "replaced" });
      this.#lobby.greeterGone(before.listener);
    } else before.cancelExpiry();
    this.#lobby.drop(place.member.clientId);
    return { place, listener, isResumed: true };
  }

  #welcome(arrival: Arrival): SeatAnswer {
    const entry = this.#entryOf(arrival);
    this.#announce(arrival);
    return { status: "seated", ...entry };
  }

  /** The greeter of a newcomer vouches for it; the newcomer is the first to know. */
  #admit(request: SeatRequest, listener: RoomListener): void {
    if (!this.#places.has(request.identity.clientId) && !this.#makeRoom()) {
      listener({ type: "turned-away", reason: "room-full" });
      return;
    }
    const arrival = this.#seat(request, listener);
    listener({ type: "admitted", ...this.#entryOf(arrival) });
    this.#announce(arrival);
  }

  #entryOf({ place, listener }: Arrival): Entry {
    const members = [...this.#places.values()]
      .filter((other) => other !== place)
      .map((other) => other.member)
      .sort((one, other) => one.order - other.order);
    const { order } = place.member;
    return { seat: this.#seatOf(place, listener), order, members, incarnation: this.#incarnation };
  }

  /** Notifies the other members, and pending newcomers. */
  #announce({ place: { member }, isResumed }: Arrival): void {
    this.#broadcast({ type: "member-joined", member, resumed: isResumed }, member.clientId);
    this.#lobby.serve();
  }

  /** A token from before a restart restores its order, unless another member took it. */
  #restorableOrder(claim: SeatRequest["claim"]): number | undefined {
    if (!claim || !this.#isOfBefore(claim)) return undefined;
    for (const { member } of this.#places.values()) if (member.order === claim.order) return undefined;
    return claim.order;
  }

  /** Who is present, longest connected first. */
  #greeters(): readonly Greeter[] {
    const present = [...this.#places.values()].flatMap(({ member, occupancy }) =>
      occupancy.status === "live" ? [{ member, ...occupancy }] : [],
    );
    return present.sort((one, other) => one.arrival - other.arrival);
  }

  #seatOf(place: Place, listener: RoomListener): Seat {
    const { clientId } = place.member;
    const isHeld = () =>
      this.#places.get(clientId) === place &&
      place.occupancy.status === "live" &&
      place.occupancy.listener === listener;
    const refuse = (code: SignallingErrorCode) => listener({ type: "error", code });
    const asGreeter = (isGreeter: boolean) => {
      if (!isGreeter) refuse("unknown-member");
    };
    return {
      send: (to, signal) => {
        const refusal = isHeld() ? this.#send(clientId, to, signal) : undefined;
        if (refusal) refuse(refusal);
      },
      admit: (guest) => {
        if (isHeld()) asGreeter(this.#lobby.admit(clientId, guest));
      },
      reject: (guest, reason) => {
        if (isHeld()) asGreeter(this.#lobby.reject(clientId, guest, reason));
      },
      defer: (guest) => {
        if (isHeld()) asGreeter(this.#lobby.defer(clientId, guest));
      },
      leave: () => {
        if (isHeld()) this.#vacate(place);
      },
      drop: (keptMs = seatKeptMs) => {
        if (!isHeld()) return;
        const cancelExpiry = this.#environment.clock.after(keptMs, () => this.#vacate(place));
        place.occupancy = { status: "kept", cancelExpiry, since: this.#arrivals++ };
        this.#lobby.greeterGone(listener);
        const [first, ...others] = this.#kept(place.address);
        if (first && others.length >= keptPerAddress) this.#vacate(first);
      },
    };
  }

  #send(from: ClientId, to: ClientId, signal: RelayedSignal): SignallingErrorCode | undefined {
    const target = this.#places.get(to);
    if (to === from) return "unknown-member";
    if (target?.occupancy.status !== "live") return this.#lobby.fromGreeter(from, to, signal);
    target.occupancy.listener({ type: "signal", from, signal });
    return undefined;
  }

  #vacate(place: Place): void {
    this.#remove(place);
    if (this.#places.size > 0) return;
    this.#lobby.close("room-gone");
    this.#environment.onEmpty(this.#isReclaimed);
  }

  /** Another client of the same id takes the place, with a new state. */
  #displace(place: Place): void {
    const { occupancy } = place;
    this.#remove(place);
    if (occupancy.status === "live") occupancy.listener({ type: "replaced" });
  }

  #remove(place: Place): void {
    const { member, occupancy } = place;
    this.#places.delete(member.clientId);
    this.#broadcast({ type: "member-left", clientId: member.clientId }, member.clientId);
    if (occupancy.status === "kept") occupancy.cancelExpiry();
    else this.#lobby.greeterGone(occupancy.listener);
  }

  #broadcast(event: RoomEvent, except: ClientId): void {
    for (const { member, occupancy } of this.#places.values()) {
      if (member.clientId !== except && occupancy.status === "live") occupancy.listener(event);
    }
  }
}

function refused(reason: RefusalReason): SeatAnswer {
  return { status: "refused", reason };
}

function namesSeat(claim: SeatRequest["claim"], { member }: Place): boolean {
  return claim !== undefined && (claim.isFresh || claim.order === member.order);
}
