import type { ClientId, RoomMember, RoomTag, SignallingErrorCode } from "@warren/protocol";
import type { CancelTimer, Clock } from "../clock.ts";
import type { Identity } from "../identity.ts";
import type { AdmissionBudgets, Applicant, Attempt } from "../limits/admission-budgets.ts";
import type {
  RefusalReason,
  RelayedSignal,
  RoomEvent,
  RoomListener,
  SeatAnswer,
  SeatRequest,
} from "../relay/relay.ts";

/** How long a newcomer may stand at the door. */
const patienceMs = 20_000;
/** How long it may once a person has to decide. */
const approvalPatienceMs = 60_000;
/** How long a greeter may take to begin before the next one is asked. */
const greeterPatienceMs = 5_000;
const greetersPerGuest = 3;
const membersRemembered = 1_000;
/** Messages of the handshake that a newcomer may send to one greeter. */
const stepsPerGreeter = 4;

/** A member that is present and can greet. */
export interface Greeter {
  readonly member: RoomMember;
  readonly listener: RoomListener;
}

/** What a lobby needs from its room. */
export interface LobbyEnvironment {
  readonly room: RoomTag;
  readonly clock: Clock;
  readonly budgets: AdmissionBudgets;
  /** Who is present, longest connected first. */
  readonly greeters: () => readonly Greeter[];
  /** Seats a newcomer that a greeter admitted. */
  readonly seat: (request: SeatRequest, listener: RoomListener) => void;
}

/** One greeter's time with one guest. */
interface Greeting {
  greeter: Greeter;
  readonly attempt: Attempt;
  cancelPatience: CancelTimer;
  /** The greeter has sent `hs1`: from here on it is up to the guest. */
  hasStarted: boolean;
  /** The greeter let its time pass; another one takes over when there is one. */
  isSilent: boolean;
  stepsFromGuest: number;
}

interface Guest {
  readonly request: SeatRequest;
  readonly listener: RoomListener;
  cancelDeadline: CancelTimer;
  /** Its greeters so far. */
  readonly asked: Set<RoomListener>;
  /** A person has to approve it. */
  isDeferred: boolean;
  greeting: Greeting | undefined;
}

/** Where newcomers to a locked room wait until a member that greets them has found that they know the password. */
export class Lobby {
  readonly #environment: LobbyEnvironment;
  /** In the order of their coming. */
  readonly #guests = new Map<ClientId, Guest>();
  /** Keys that were in the room, oldest first. A key that fails its proof is removed. */
  readonly #members = new Set<ClientId>();
  #cancelWake: CancelTimer | undefined;
  #serving: "no" | "yes" | "again" = "no";

  constructor(environment: LobbyEnvironment) {
    this.#environment = environment;
  }

  /** Lets a client wait; of two with the same id the later one may only when it has proven the id. */
  enter(request: SeatRequest, listener: RoomListener): SeatAnswer {
    const { clock, budgets, room } = this.#environment;
    const { clientId, isProven } = request.identity;
    const earlier = this.#guests.get(clientId);
    if (earlier && !isProven) {
      const reason = earlier.request.identity.isProven ? "identity" : "already-in-room";
      return { status: "refused", reason };
    }
    this.drop(clientId);
    if (budgets.isBarred(room, this.#applicant(request)))
      return { status: "refused", reason: "too-many-attempts" };
    const cancelDeadline = clock.after(patienceMs, () => this.#onTimeUp(guest));
    const guest: Guest = {
      request,
      listener,
      cancelDeadline,
      asked: new Set(),
      isDeferred: false,
      greeting: undefined,
    };
    this.#guests.set(clientId, guest);
    this.#greet(guest);
    if (!guest.greeting) listener({ type: "pending" });
    return {
      status: "pending",
      knock: {
        send: (to, signal) => {
          const code = this.#fromGuest(guest, to, signal);
          if (code) listener({ type: "error", code });
        },
        cancel: () => this.#end(guest),
      },
    };
  }

  /** Finds greeters for newcomers without one: a member has come, or other newcomers have gone. */
  serve(): void {
    if (this.#serving !== "no") {
      this.#serving = "again";
      return;
    }
    do {
      this.#serving = "yes";
      for (const guest of this.#guests.values()) {
        if (!guest.greeting || (guest.greeting.isSilent && !guest.greeting.hasStarted)) this.#greet(guest);
      }
      // Set inside the loop.
    } while (this.#isAskedAgain());
    this.#serving = "no";
  }

  /** A greeter's signal to its guest. @returns why it was not handed on, if it was not. */
  fromGreeter(from: ClientId, to: ClientId, signal: RelayedSignal): SignallingErrorCode | undefined {
    if (signal.type === "hs1") this.#takeUp(from, to);
    const guest = this.#guestOf(from, to);
    if (!guest?.greeting) return "unknown-member";
    if (signal.type === "hs1") {
      guest.greeting.hasStarted = true;
      guest.greeting.cancelPatience();
    }
    if (signal.type === "hs3" && !guest.greeting.attempt.test()) return "rate-limited";
    guest.listener({ type: "signal", from, signal });
    return undefined;
  }

  /** @returns false when `from` is not the greeter of that client. */
  admit(from: ClientId, clientId: ClientId): boolean {
    const guest = this.#guestOf(from, clientId);
    if (!guest) return false;
    this.#remove(guest, "admitted");
    this.#environment.seat(guest.request, guest.listener);
    this.serve();
    return true;
  }

  /** @returns false when `from` is not the greeter of that client. */
  reject(from: ClientId, clientId: ClientId, reason: "incorrect-password" | "not-admitted"): boolean {
    const guest = this.#guestOf(from, clientId);
    if (!guest) return false;
    if (reason === "not-admitted" && this.#nextGreeter(guest)) this.#onSilence(guest);
    else this.#end(guest, turnedAway(reason), reason === "not-admitted" ? "abandoned" : "failed");
    return true;
  }

  /**
   * A person is asked about a newcomer: that is reported to it, and it waits longer. Others are asked as well, as after any silence,
   * and the first of them to begin greets it.
   * @returns false when `from` was never asked to greet that client.
   */
  defer(from: ClientId, clientId: ClientId): boolean {
    const guest = this.#guests.get(clientId);
    if (!guest || !this.#greeterAsked(guest, from)) return false;
    if (!guest.isDeferred) {
      guest.cancelDeadline();
      guest.cancelDeadline = this.#environment.clock.after(approvalPatienceMs, () => this.#onTimeUp(guest));
    }
    guest.isDeferred = true;
    guest.listener(pendingAt(guest));
    return true;
  }

  /** A member is no longer present on this socket: the newcomers it greeted need another greeter. */
  greeterGone(listener: RoomListener): void {
    for (const guest of this.#guests.values()) {
      if (guest.greeting?.greeter.listener !== listener) continue;
      this.#stopGreeting(guest, "abandoned");
      if (guest.asked.size >= greetersPerGuest) this.#end(guest, turnedAway("not-admitted"));
      else guest.listener(pendingAt(guest));
    }
    this.serve();
  }

  /** The same client came in by another way. */
  drop(clientId: ClientId): void {
    const guest = this.#guests.get(clientId);
    if (guest) this.#end(guest, { type: "replaced" });
  }

  /** Sends everyone away, or forgets them without a word. */
  close(reason?: RefusalReason): void {
    for (const guest of [...this.#guests.values()]) {
      this.#remove(guest, "abandoned");
      if (reason) guest.listener(turnedAway(reason));
    }
    this.#cancelWake?.();
  }

  /** Gives a guest the next greeter; leaves it with the one it has when there is no other. */
  #greet(guest: Guest): void {
    const { room, clock, budgets } = this.#environment;
    const applicant = this.#applicant(guest.request);
    const greeter = this.#nextGreeter(guest);
    if (!greeter) return;
    if (budgets.isBarred(room, applicant)) {
      this.#end(guest, turnedAway("too-many-attempts"));
      return;
    }
    const hadGreeter = guest.greeting !== undefined;
    this.#stopGreeting(guest, "abandoned");
    const attempt = budgets.reserve(room, applicant);
    if (!attempt) {
      this.#wakeLater();
      if (hadGreeter) guest.listener(pendingAt(guest));
      return;
    }
    guest.asked.add(greeter.listener);
    const cancelPatience = clock.after(greeterPatienceMs, () => this.#onSilence(guest));
    guest.greeting = {
      greeter,
      attempt,
      cancelPatience,
      hasStarted: false,
      isSilent: false,
      stepsFromGuest: 0,
    };
    guest.listener(pendingAt(guest));
    greeter.listener({ type: "knock", clientId: applicant.identity.clientId });
  }

  /** A client has a seat: when it returns, its key shows that it knew the password. */
  remember({ clientId, isProven }: Identity): void {
    if (!isProven) return;
    this.#members.delete(clientId);
    this.#members.add(clientId);
    const [oldest] = this.#members;
    if (this.#members.size > membersRemembered && oldest !== undefined) this.#members.delete(oldest);
  }

  #applicant({ identity, address }: SeatRequest): Applicant {
    return { identity, address, isReturning: identity.isProven && this.#members.has(identity.clientId) };
  }

  #nextGreeter({ asked }: Guest): Greeter | undefined {
    return this.#environment.greeters().find(({ listener }) => !asked.has(listener));
  }

  #greeterAsked({ asked }: Guest, clientId: ClientId): Greeter | undefined {
    return this.#environment
      .greeters()
      .find(({ member, listener }) => member.clientId === clientId && asked.has(listener));
  }

  #onSilence(guest: Guest): void {
    if (guest.greeting) guest.greeting.isSilent = true;
    if (guest.asked.size < greetersPerGuest) this.#greet(guest);
    else if (!guest.isDeferred) this.#end(guest, turnedAway("not-admitted"));
  }

  /** Any greeter that was asked about a newcomer may begin while no other has: its person approved. */
  #takeUp(from: ClientId, clientId: ClientId): void {
    const guest = this.#guests.get(clientId);
    const greeter = guest && this.#greeterAsked(guest, from);
    if (!guest?.greeting || !greeter || guest.greeting.hasStarted) return;
    if (guest.greeting.greeter.listener === greeter.listener) return;
    guest.greeting.greeter = greeter;
    guest.greeting.stepsFromGuest = 0;
    guest.listener(pendingAt(guest));
  }

  #onTimeUp(guest: Guest): void {
    this.#end(guest, turnedAway(guest.greeting?.hasStarted ? "incorrect-password" : "not-admitted"));
  }

  #fromGuest(guest: Guest, to: ClientId, signal: RelayedSignal): SignallingErrorCode | undefined {
    const { greeting } = guest;
    // A newcomer only answers: the side that begins a run learns from the answer whether its password was right.
    if (signal.type !== "hs2" && signal.type !== "hs4") return "not-in-room";
    if (greeting?.greeter.member.clientId !== to) return "unknown-member";
    if (greeting.stepsFromGuest >= stepsPerGreeter) return "rate-limited";
    greeting.stepsFromGuest += 1;
    greeting.greeter.listener({ type: "signal", from: guest.request.identity.clientId, signal });
    return undefined;
  }

  #guestOf(greeter: ClientId, clientId: ClientId): Guest | undefined {
    const guest = this.#guests.get(clientId);
    return guest?.greeting?.greeter.member.clientId === greeter ? guest : undefined;
  }

  /**
   * Once a greeter has started, not to be admitted is to have failed: a guess looks like any other silence. So it is once
   * a person was asked, or their attention could be held for nothing.
   */
  #end(guest: Guest, news?: RoomEvent, outcome: "failed" | "abandoned" = "abandoned"): void {
    if (this.#guests.get(guest.request.identity.clientId) !== guest) return;
    this.#remove(guest, guest.greeting?.hasStarted || guest.isDeferred ? "failed" : outcome);
    if (news) guest.listener(news);
    this.serve();
  }

  #remove(guest: Guest, outcome: "admitted" | "failed" | "abandoned"): void {
    this.#guests.delete(guest.request.identity.clientId);
    guest.cancelDeadline();
    if (outcome === "failed") this.#members.delete(guest.request.identity.clientId);
    this.#stopGreeting(guest, outcome);
  }

  #stopGreeting(guest: Guest, outcome: "admitted" | "failed" | "abandoned"): void {
    guest.greeting?.cancelPatience();
    guest.greeting?.attempt.end(outcome);
    guest.greeting = undefined;
  }

  /** Tries again once a test of a password no longer counts. */
  #wakeLater(): void {
    const { clock, budgets, room } = this.#environment;
    const at = budgets.freesAt(room);
    if (at === undefined) return;
    this.#cancelWake?.();
    this.#cancelWake = clock.after(Math.max(0, at - clock.elapsedMs()), () => this.serve());
  }

  #isAskedAgain(): boolean {
    return this.#serving === "again";
  }
}

function pendingAt({ greeting, isDeferred }: Guest): RoomEvent {
  return {
    type: "pending",
    ...(greeting && { greeter: greeting.greeter.member }),
    ...(isDeferred && { approval: true }),
  };
}

function turnedAway(reason: RefusalReason): RoomEvent {
  return { type: "turned-away", reason };
}
