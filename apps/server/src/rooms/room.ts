import type { ClientId, RoomMember, RoomTag, SealedSignal, SignallingErrorCode } from "@warren/protocol";
import type { CancelTimer, Clock } from "../clock.ts";
import type { AdmissionBudgets } from "../limits/admission-budgets.ts";
import {
  type Entry,
  type RefusalReason,
  type RoomEvent,
  type RoomListener,
  type Seat,
  type SeatAnswer,
  type SeatRequest,
  seatKeptMs,
} from "../relay/relay.ts";
import { type Greeter, Lobby } from "./lobby.ts";

interface Place {
  readonly member: RoomMember;
  /** By a key, now or when it was taken. */
  isProven: boolean;
  /** Held by a live socket, or kept for one that dropped. */
  occupancy:
    | { readonly status: "live"; readonly listener: RoomListener; readonly arrival: number }
    | { readonly status: "kept"; readonly cancelExpiry: CancelTimer };
}

/** A socket that has just taken a place. */
interface Arrival {
  readonly place: Place;
  readonly listener: RoomListener;
  readonly isResumed: boolean;
}

/** What a room needs from its surroundings. */
export interface RoomSurroundings {
  readonly tag: RoomTag;
  readonly clock: Clock;
  readonly budgets: AdmissionBudgets;
  readonly maxMembers: number;
  /** When the process began: tokens of before speak of rooms it does not know. */
  readonly startedAt: number;
  /** Called when the last place is gone. */
  readonly onEmpty: () => void;
}

/** The members of one room and the order in which they joined. Whether it is locked, its first member says. */
export class Room {
  readonly #surroundings: RoomSurroundings;
  readonly #places = new Map<ClientId, Place>();
  readonly #lobby: Lobby;
  #isLocked = false;
  /** Members of before a restart are back. */
  #isReclaimed = false;
  #nextOrder = 0;
  #arrivals = 0;

  constructor(surroundings: RoomSurroundings) {
    this.#surroundings = surroundings;
    this.#lobby = new Lobby({
      room: surroundings.tag,
      clock: surroundings.clock,
      budgets: surroundings.budgets,
      greeters: () => this.#greeters(),
      seat: (request, listener) => this.#admit(request, listener),
    });
  }

  /**
   * Seats a client, or has it wait to be let in. A seat proven by a key yields to that key alone. A seat without one
   * yields to a token for it, to whoever proves the client id with a key, and, when it is only kept, to the same id
   * without a token; the last two come in anew, at the end of the order.
   */
  enter(request: SeatRequest, listener: RoomListener): SeatAnswer {
    const { identity, claim, locked } = request;
    const isOfBefore = claim !== undefined && this.#isOfBefore(claim) && claim.isLocked === locked;
    if (isOfBefore && locked) this.#reclaim();
    if (this.#places.size === 0) this.#isLocked = locked;
    if (locked !== this.#isLocked) return refused(locked ? "room-is-open" : "password-required");

    const held = this.#places.get(identity.clientId);
    if (held?.isProven && !identity.isProven) return refused("identity");
    if (held && (held.isProven || namesSeat(claim, held))) {
      held.isProven ||= identity.isProven;
      return this.#welcome(this.#takeOver(held, listener));
    }
    if (held?.occupancy.status === "live") {
      if (!identity.isProven) return refused("already-in-room");
      this.#displace(held);
    }
    if (!held && this.#isFull) return refused("room-full");
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

  get #isFull(): boolean {
    return this.#places.size >= this.#surroundings.maxMembers;
  }

  #isOfBefore({ isFresh, issuedAt }: NonNullable<SeatRequest["claim"]>): boolean {
    return isFresh && issuedAt < this.#surroundings.startedAt;
  }

  /**
   * After a restart whoever comes first opens the room anew, with a password or without. Who was in the locked room
   * of before has more right to it: those who came earlier have to be let in.
   */
  #reclaim(): void {
    if (this.#isReclaimed) return;
    this.#isReclaimed = true;
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

  #seat({ identity, claim }: SeatRequest, listener: RoomListener): Arrival {
    const { clientId, isProven } = identity;
    const held = this.#places.get(clientId);
    if (held) this.#displace(held);
    const restored = this.#restorableOrder(claim);
    const member = { clientId, order: restored ?? this.#nextOrder };
    this.#nextOrder = Math.max(this.#nextOrder, member.order + 1);
    const occupancy = { status: "live", listener, arrival: this.#arrivals++ } as const;
    const place: Place = { member, isProven, occupancy };
    this.#places.set(clientId, place);
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
    if (this.#isFull && !this.#places.has(request.identity.clientId)) {
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
    return { seat: this.#seatOf(place, listener), order: place.member.order, members };
  }

  /** Tells the others, and those who wait for somebody to let them in. */
  #announce({ place: { member }, isResumed }: Arrival): void {
    this.#broadcast({ type: "member-joined", member, resumed: isResumed }, member.clientId);
    this.#lobby.serve();
  }

  /** A token of before a restart brings its order back if nobody took it. */
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
    return {
      send: (to, signal) => (isHeld() ? this.#send(clientId, to, signal) : "unknown-member"),
      admit: (guest) => isHeld() && this.#lobby.admit(clientId, guest),
      reject: (guest, reason) => isHeld() && this.#lobby.reject(clientId, guest, reason),
      defer: (guest) => isHeld() && this.#lobby.defer(clientId, guest),
      leave: () => {
        if (isHeld()) this.#vacate(place);
      },
      drop: () => {
        if (!isHeld()) return;
        const cancelExpiry = this.#surroundings.clock.after(seatKeptMs, () => this.#vacate(place));
        place.occupancy = { status: "kept", cancelExpiry };
        this.#lobby.greeterGone(listener);
      },
    };
  }

  #send(from: ClientId, to: ClientId, signal: SealedSignal): SignallingErrorCode | undefined {
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
    this.#surroundings.onEmpty();
  }

  /** Another client of the same id takes the place, and starts anew. */
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
