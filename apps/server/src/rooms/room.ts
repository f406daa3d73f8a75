import { randomBytes } from "node:crypto";
import {
  type ClientId,
  defaultFrameRate,
  type Rate,
  type RoomTag,
  type SignallingErrorCode,
  seatKeptMs,
} from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { AdmissionBudgets } from "../limits/admission-budgets.ts";
import { JoinBudget } from "../limits/join-budget.ts";
import { SignalBudget } from "../limits/signal-budget.ts";
import type {
  Denial,
  Entry,
  RefusalReason,
  RelayedSignal,
  RoomEvent,
  RoomListener,
  Seat,
  SeatAnswer,
  SeatRequest,
} from "../relay/relay.ts";
import type { Incarnation } from "../resume-token.ts";
import { type Greeter, Lobby } from "./lobby.ts";
import { keptOf, type MemberSeat, seatsOfHousehold, seatToYield } from "./member-seat.ts";

/** When a client that was in a full room should ask again. */
const fullRetryAfterMs = 5_000;

/** A seat that was just taken. */
interface Arrival {
  readonly seat: MemberSeat;
  readonly listener: RoomListener;
  readonly isResumed: boolean;
}

/** The dependencies of a room. */
export interface RoomEnvironment {
  readonly tag: RoomTag;
  readonly clock: Clock;
  readonly budgets: AdmissionBudgets;
  readonly maxMembers: number;
  /** How many frames a socket may send; the default if absent. */
  readonly frameRate?: Rate;
  /** When the process started: older tokens refer to rooms of an earlier process. */
  readonly startedAt: number;
  /** An earlier room of this name was restored and has ended: older tokens are invalid here. */
  readonly isOver: boolean;
  /** Called when the room is empty; `wasReclaimed` if members from before a restart had returned. */
  readonly onEmpty: (wasReclaimed: boolean) => void;
}

/** The members of one room and the order in which they joined. Its first member decides whether it is locked. */
export class Room {
  readonly #environment: RoomEnvironment;
  readonly #seats = new Map<ClientId, MemberSeat>();
  readonly #lobby: Lobby;
  /** Absent until a second client arrives. */
  #joins: JoinBudget | undefined;
  #signals: SignalBudget | undefined;
  #isLocked = false;
  #incarnation: Incarnation;
  /** Whether members from before a restart have returned. */
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
      isMember: (clientId) => this.#seats.has(clientId),
      seat: (request, listener) => this.#admit(request, listener),
    });
  }

  /**
   * Seats a client, or lets it wait for admission. A seat proven by a key is given only to that key. A seat without one
   * is given to a client with a token for it, to a client that proves the client id with a key and, if the seat is only
   * kept, to the same id without a token; the last two enter as new members, at the end of the order.
   */
  enter(asked: SeatRequest, listener: RoomListener): SeatAnswer {
    const request = { ...asked, claim: this.#claimHere(asked) };
    const { identity, claim, locked } = request;
    const isOfBefore = claim !== undefined && this.#isOfBefore(claim) && claim.isLocked === locked;
    if (this.#seats.size === 0) this.#isLocked = locked;
    if (locked !== this.#isLocked) return refused(locked ? "room-is-open" : "password-required");

    const held = this.#seats.get(identity.clientId);
    if (held?.occupancy.status === "live" && asked.follows) return refused("already-in-room");
    if (held?.isProven && !identity.isProven) return refused("identity");
    const isReturn = held !== undefined && (held.isProven || namesSeat(claim, held));
    const waitMs = this.#waitMs(asked, isReturn);
    if (waitMs > 0) return refused("rate-limited", waitMs);
    if (isReturn) {
      held.isProven ||= identity.isProven;
      held.address = request.address;
      return this.#welcome(this.#takeOver(held, listener));
    }
    if (held?.occupancy.status === "live") {
      if (!identity.isProven) return refused("already-in-room");
      this.#unseat(held, { type: "replaced" });
    }
    if (!held && this.#isFullFor(request)) return { status: "refused", ...full(request) };
    // Nobody yields to a client that has proven nothing yet.
    if (locked && !isOfBefore && this.#seats.size > 0) return this.#lobby.enter(request, listener);
    return this.#welcome(this.#seat(request, listener));
  }

  /** Counts a join that others learn of. @returns after how many ms it may be repeated, or 0 */
  #waitMs({ identity, address, follows, maxMembers }: SeatRequest, isReturn: boolean): number {
    // Rooms that move bring all their members at once.
    if (follows || this.#seats.size === 0) return 0;
    this.#joins ??= new JoinBudget(this.#environment.clock, this.#maxMembers({ maxMembers }));
    return isReturn ? this.#joins.returns(identity.clientId) : this.#joins.newcomer(address);
  }

  /** Stops all timers. */
  close(): void {
    for (const { occupancy } of this.#seats.values()) {
      if (occupancy.status === "kept") occupancy.cancelExpiry();
    }
    this.#seats.clear();
    this.#lobby.close();
  }

  #maxMembers({ maxMembers = Number.POSITIVE_INFINITY }: Pick<SeatRequest, "maxMembers">): number {
    return Math.min(maxMembers, this.#environment.maxMembers);
  }

  #isFull(request: SeatRequest): boolean {
    return this.#seats.size >= this.#maxMembers(request);
  }

  /** Whether there is no seat for a newcomer, and nobody yields one. */
  #isFullFor(request: SeatRequest): boolean {
    return this.#isFull(request) && seatToYield(this.#seats.values(), request.address) === undefined;
  }

  /**
   * The claim of a request if it is about this room, not another one of its name. The first token from before a restart
   * determines which room this is; a token of a later room takes precedence.
   */
  #claimHere({ claim, locked }: SeatRequest): SeatRequest["claim"] {
    if (!claim || claim.incarnation.id === this.#incarnation.id) return claim;
    const isBetter = !this.#isReclaimed || claim.incarnation.bornAt > this.#incarnation.bornAt;
    const counts = this.#isOfBefore(claim) && claim.isLocked === locked && !this.#environment.isOver;
    if (!isBetter || !counts) return undefined;
    if (locked) this.#evict();
    this.#isReclaimed = true;
    this.#incarnation = claim.incarnation;
    return claim;
  }

  #isOfBefore({ isFresh, issuedAt }: NonNullable<SeatRequest["claim"]>): boolean {
    return isFresh && issuedAt < this.#environment.startedAt;
  }

  /**
   * After a restart, any client may reopen the room first, with a password or without. Members of the earlier locked room
   * have precedence: clients that came before them must be admitted.
   */
  #evict(): void {
    const reason = this.#isLocked ? "room-reclaimed" : "password-required";
    const evicted = [...this.#seats.values()];
    this.#seats.clear();
    this.#isLocked = true;
    for (const { occupancy } of evicted) {
      if (occupancy.status === "kept") occupancy.cancelExpiry();
      else {
        this.#lobby.greeterGone(occupancy.listener);
        occupancy.listener({ type: "turned-away", reason });
      }
    }
  }

  #seat(request: SeatRequest, listener: RoomListener): Arrival {
    const { identity, address, claim } = request;
    const { clientId, isProven } = identity;
    const held = this.#seats.get(clientId);
    if (held) this.#unseat(held, { type: "replaced" });
    const yielding = this.#isFull(request) ? seatToYield(this.#seats.values(), address) : undefined;
    if (yielding) this.#unseat(yielding, { type: "turned-away", reason: "room-full" });
    const restored = this.#restorableOrder(claim);
    const member = { clientId, order: restored ?? this.#nextOrder };
    this.#nextOrder = Math.max(this.#nextOrder, member.order + 1);
    const occupancy = { status: "live", listener, since: this.#arrivals++ } as const;
    const seat: MemberSeat = { member, address, isProven, occupancy };
    this.#seats.set(clientId, seat);
    this.#lobby.seated(identity);
    return { seat, listener, isResumed: restored !== undefined };
  }

  #takeOver(seat: MemberSeat, listener: RoomListener): Arrival {
    const before = seat.occupancy;
    seat.occupancy = { status: "live", listener, since: this.#arrivals++ };
    if (before.status === "live") {
      before.listener({ type: "replaced" });
      this.#lobby.greeterGone(before.listener);
    } else before.cancelExpiry();
    this.#lobby.seated({ clientId: seat.member.clientId, isProven: seat.isProven });
    return { seat, listener, isResumed: true };
  }

  #welcome(arrival: Arrival): SeatAnswer {
    const entry = this.#entryOf(arrival);
    this.#announce(arrival);
    return { status: "seated", ...entry };
  }

  /** Seats a newcomer that its greeter admitted, and notifies it before the others. */
  #admit(request: SeatRequest, listener: RoomListener): void {
    if (!this.#seats.has(request.identity.clientId) && this.#isFullFor(request)) {
      listener({ type: "turned-away", ...full(request) });
      return;
    }
    const arrival = this.#seat(request, listener);
    listener({ type: "admitted", ...this.#entryOf(arrival) });
    this.#announce(arrival);
  }

  #entryOf({ seat, listener }: Arrival): Entry {
    const members = [...this.#seats.values()]
      .filter((other) => other !== seat)
      .map((other) => other.member)
      .sort((one, other) => one.order - other.order);
    const { order } = seat.member;
    return { seat: this.#handleOf(seat, listener), order, members, incarnation: this.#incarnation };
  }

  /** Notifies the other members, and pending newcomers. */
  #announce({ seat: { member }, isResumed }: Arrival): void {
    this.#broadcast({ type: "member-joined", member, resumed: isResumed }, member.clientId);
    this.#lobby.serve();
  }

  /** A token from before a restart restores its order, unless another member took it. */
  #restorableOrder(claim: SeatRequest["claim"]): number | undefined {
    if (!claim || !this.#isOfBefore(claim)) return undefined;
    for (const { member } of this.#seats.values()) if (member.order === claim.order) return undefined;
    return claim.order;
  }

  /** Connected members, longest connected first. */
  #greeters(): readonly Greeter[] {
    const present = [...this.#seats.values()].flatMap(({ member, occupancy }) =>
      occupancy.status === "live" ? [{ member, ...occupancy }] : [],
    );
    return present.sort((one, other) => one.since - other.since);
  }

  #handleOf(seat: MemberSeat, listener: RoomListener): Seat {
    const { clientId } = seat.member;
    const isHeld = () =>
      this.#seats.get(clientId) === seat &&
      seat.occupancy.status === "live" &&
      seat.occupancy.listener === listener;
    const refuse = (code: SignallingErrorCode) => listener({ type: "error", code });
    const asGreeter = (isGreeter: boolean) => {
      if (!isGreeter) refuse("unknown-member");
    };
    return {
      send: (to, signal) => {
        const refusal = isHeld() ? this.#send(seat, to, signal) : undefined;
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
        if (isHeld()) this.#vacate(seat);
      },
      drop: (keptMs = seatKeptMs) => {
        if (!isHeld()) return;
        const cancelExpiry = this.#environment.clock.after(keptMs, () => this.#vacate(seat));
        seat.occupancy = { status: "kept", cancelExpiry, since: this.#arrivals++ };
        this.#lobby.greeterGone(listener);
        const [first, ...others] = keptOf(this.#seats.values(), seat.address);
        if (first && others.length >= seatsOfHousehold) this.#vacate(first);
      },
    };
  }

  #send(sender: MemberSeat, to: ClientId, signal: RelayedSignal): SignallingErrorCode | undefined {
    const from = sender.member.clientId;
    const target = this.#seats.get(to);
    if (to === from) return "unknown-member";
    const { clock, frameRate = defaultFrameRate, maxMembers } = this.#environment;
    this.#signals ??= new SignalBudget(clock, frameRate, maxMembers);
    // Delivery is not reported.
    if (!this.#signals.take(sender.address, to, signal.json.length)) return undefined;
    if (target?.occupancy.status !== "live") return this.#lobby.fromGreeter(from, to, signal);
    target.occupancy.listener({ type: "signal", from, signal });
    return undefined;
  }

  #vacate(seat: MemberSeat): void {
    this.#remove(seat);
    if (this.#seats.size > 0) return;
    this.#lobby.close("room-gone");
    this.#environment.onEmpty(this.#isReclaimed);
  }

  /** Removes a seat for another client, and tells the one that held it. */
  #unseat(seat: MemberSeat, event: RoomEvent): void {
    const { occupancy } = seat;
    this.#remove(seat);
    if (occupancy.status === "live") occupancy.listener(event);
  }

  #remove(seat: MemberSeat): void {
    const { member, occupancy } = seat;
    this.#seats.delete(member.clientId);
    this.#broadcast({ type: "member-left", clientId: member.clientId }, member.clientId);
    if (occupancy.status === "kept") occupancy.cancelExpiry();
    else this.#lobby.greeterGone(occupancy.listener);
  }

  #broadcast(event: RoomEvent, except: ClientId): void {
    for (const { member, occupancy } of this.#seats.values()) {
      if (member.clientId !== except && occupancy.status === "live") occupancy.listener(event);
    }
  }
}

/** A client that was in the room before lost its seat to others: it should keep trying. */
function full({ claim }: Pick<SeatRequest, "claim">): Denial {
  return { reason: "room-full", retryAfterMs: claim && fullRetryAfterMs };
}

function refused(reason: RefusalReason, retryAfterMs?: number): SeatAnswer {
  return { status: "refused", reason, retryAfterMs };
}

function namesSeat(claim: SeatRequest["claim"], { member }: MemberSeat): boolean {
  return claim !== undefined && (claim.isFresh || claim.order === member.order);
}
