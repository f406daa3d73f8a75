import type { ClientId, RoomMember, RoomTag, SealedSignal, SignallingErrorCode } from "@warren/protocol";
import type { CancelTimer, Clock } from "../clock.ts";
import type { AdmissionBudgets, Attempt } from "../limits/admission-budgets.ts";
import type { RefusalReason, RoomEvent, RoomListener, SeatAnswer, SeatRequest } from "../relay/relay.ts";

/** How long a newcomer may stand at the door. */
const patienceMs = 20_000;
/** How long a greeter may take to begin before the next one is asked. */
const greeterPatienceMs = 5_000;
const greetersPerGuest = 3;
/** Messages of the handshake that a newcomer may send to one greeter. */
const stepsPerGreeter = 4;

/** A member that is present and can greet. */
export interface Greeter {
  readonly member: RoomMember;
  readonly listener: RoomListener;
}

/** What a lobby needs from its room. */
export interface LobbySurroundings {
  readonly room: RoomTag;
  readonly clock: Clock;
  readonly budgets: AdmissionBudgets;
  /** Who is present, longest connected first. */
  readonly greeters: () => readonly Greeter[];
  /** Gives a seat to whom a greeter let in. */
  readonly seat: (request: SeatRequest, listener: RoomListener) => void;
}

/** One greeter's time with one guest. */
interface Greeting {
  readonly greeter: Greeter;
  readonly attempt: Attempt;
  cancelPatience: CancelTimer;
  /** The greeter has sent `hs1`: from here on it is up to the guest. */
  hasBegun: boolean;
  /** The greeter let its time pass; another one takes over when there is one. */
  isSilent: boolean;
  stepsFromGuest: number;
}

interface Guest {
  readonly request: SeatRequest;
  readonly listener: RoomListener;
  readonly cancelDeadline: CancelTimer;
  readonly asked: Set<RoomListener>;
  greeting: Greeting | undefined;
}

/** Where newcomers to a locked room wait until a member that greets them has found that they know the password. */
export class Lobby {
  readonly #surroundings: LobbySurroundings;
  /** In the order of their coming. */
  readonly #guests = new Map<ClientId, Guest>();
  #cancelWake: CancelTimer | undefined;
  #serving: "no" | "yes" | "again" = "no";

  constructor(surroundings: LobbySurroundings) {
    this.#surroundings = surroundings;
  }

  /** Lets a client wait; of two with the same id the later one may only when it has proven the id. */
  enter(request: SeatRequest, listener: RoomListener): SeatAnswer {
    const { clock, budgets, room } = this.#surroundings;
    const { clientId, isProven } = request.identity;
    const earlier = this.#guests.get(clientId);
    if (earlier && !isProven) {
      const reason = earlier.request.identity.isProven ? "identity" : "already-in-room";
      return { status: "refused", reason };
    }
    this.drop(clientId);
    if (budgets.isBarred(room, request.address)) return { status: "refused", reason: "too-many-attempts" };
    const cancelDeadline = clock.after(patienceMs, () => this.#onTimeUp(guest));
    const guest: Guest = { request, listener, cancelDeadline, asked: new Set(), greeting: undefined };
    this.#guests.set(clientId, guest);
    this.#greet(guest);
    if (!guest.greeting) listener({ type: "pending" });
    return {
      status: "pending",
      knock: {
        send: (to, signal) => this.#fromGuest(guest, to, signal),
        cancel: () => this.#end(guest),
      },
    };
  }

  /** Finds greeters for those who wait for one: a member is present, or others have gone. */
  serve(): void {
    if (this.#serving !== "no") {
      this.#serving = "again";
      return;
    }
    do {
      this.#serving = "yes";
      for (const guest of this.#guests.values()) {
        if (!guest.greeting || (guest.greeting.isSilent && !guest.greeting.hasBegun)) this.#greet(guest);
      }
      // Set by what the loop does.
    } while (this.#isAskedAgain());
    this.#serving = "no";
  }

  /** A greeter's signal to its guest. @returns why it was not handed on, if it was not. */
  fromGreeter(from: ClientId, to: ClientId, signal: SealedSignal): SignallingErrorCode | undefined {
    const guest = this.#guestOf(from, to);
    if (!guest?.greeting) return "unknown-member";
    if (signal.type === "hs1") {
      guest.greeting.hasBegun = true;
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
    this.#surroundings.seat(guest.request, guest.listener);
    this.serve();
    return true;
  }

  /** @returns false when `from` is not the greeter of that client. */
  reject(from: ClientId, clientId: ClientId): boolean {
    const guest = this.#guestOf(from, clientId);
    if (!guest) return false;
    this.#end(guest, turnedAway("incorrect-password"), "failed");
    return true;
  }

  /** A member is no longer present on this socket: who had it as greeter needs another one. */
  greeterGone(listener: RoomListener): void {
    for (const guest of this.#guests.values()) {
      if (guest.greeting?.greeter.listener !== listener) continue;
      this.#stopGreeting(guest, "abandoned");
      if (guest.asked.size >= greetersPerGuest) this.#end(guest, turnedAway("not-admitted"));
      else guest.listener({ type: "pending" });
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
    const { room, clock, budgets, greeters } = this.#surroundings;
    const { address, identity } = guest.request;
    const greeter = greeters().find(({ listener }) => !guest.asked.has(listener));
    if (!greeter) return;
    if (budgets.isBarred(room, address)) {
      this.#end(guest, turnedAway("too-many-attempts"));
      return;
    }
    const hadGreeter = guest.greeting !== undefined;
    this.#stopGreeting(guest, "abandoned");
    const attempt = budgets.reserve(room, address);
    if (!attempt) {
      this.#wakeLater();
      if (hadGreeter) guest.listener({ type: "pending" });
      return;
    }
    guest.asked.add(greeter.listener);
    const cancelPatience = clock.after(greeterPatienceMs, () => this.#onSilence(guest));
    guest.greeting = {
      greeter,
      attempt,
      cancelPatience,
      hasBegun: false,
      isSilent: false,
      stepsFromGuest: 0,
    };
    guest.listener({ type: "pending", greeter: greeter.member });
    greeter.listener({ type: "knock", clientId: identity.clientId });
  }

  #onSilence(guest: Guest): void {
    if (guest.greeting) guest.greeting.isSilent = true;
    if (guest.asked.size >= greetersPerGuest) this.#end(guest, turnedAway("not-admitted"));
    else this.#greet(guest);
  }

  #onTimeUp(guest: Guest): void {
    this.#end(guest, turnedAway(guest.greeting?.hasBegun ? "incorrect-password" : "not-admitted"));
  }

  #fromGuest(guest: Guest, to: ClientId, signal: SealedSignal): SignallingErrorCode | undefined {
    const { greeting } = guest;
    // A newcomer only answers: whoever begins a run learns from the answer whether its password was right.
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

  /** Once a greeter has begun, not to be admitted is to have failed: a guess looks like any other silence. */
  #end(guest: Guest, news?: RoomEvent, outcome: "failed" | "abandoned" = "abandoned"): void {
    if (this.#guests.get(guest.request.identity.clientId) !== guest) return;
    this.#remove(guest, guest.greeting?.hasBegun ? "failed" : outcome);
    if (news) guest.listener(news);
    this.serve();
  }

  #remove(guest: Guest, outcome: "admitted" | "failed" | "abandoned"): void {
    this.#guests.delete(guest.request.identity.clientId);
    guest.cancelDeadline();
    this.#stopGreeting(guest, outcome);
  }

  #stopGreeting(guest: Guest, outcome: "admitted" | "failed" | "abandoned"): void {
    guest.greeting?.cancelPatience();
    guest.greeting?.attempt.end(outcome);
    guest.greeting = undefined;
  }

  /** Tries again once a test of a password no longer counts. */
  #wakeLater(): void {
    const { clock, budgets, room } = this.#surroundings;
    const at = budgets.freesAt(room);
    if (at === undefined) return;
    this.#cancelWake?.();
    this.#cancelWake = clock.after(Math.max(0, at - clock.now()), () => this.serve());
  }

  #isAskedAgain(): boolean {
    return this.#serving === "again";
  }
}

function turnedAway(reason: RefusalReason): RoomEvent {
  return { type: "turned-away", reason };
}
