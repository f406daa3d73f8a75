import {
  type ClientId,
  type Rate,
  type RoomMember,
  type RoomTag,
  type SignallingErrorCode,
  TokenBucket,
} from "@warren/protocol";
import type { CancelTimer, Clock } from "../clock.ts";
import type { Identity } from "../identity.ts";
import type { AdmissionBudgets, Applicant, Attempt, Outcome } from "../limits/admission-budgets.ts";
import type {
  RefusalReason,
  RelayedSignal,
  RoomEvent,
  RoomListener,
  SeatAnswer,
  SeatRequest,
} from "../relay/relay.ts";

/** How long a newcomer may wait for admission. */
const admissionTimeoutMs = 20_000;
/** How long it may wait for a person's decision. */
const approvalTimeoutMs = 60_000;
/** How long a greeter may take to start before the next one is asked. */
const greeterTimeoutMs = 5_000;
/** How long a newcomer may take to answer, before others may use the test of a password that is held for it. */
const answerTimeoutMs = 5_000;
const greetersPerGuest = 3;
const membersRemembered = 1_000;
/** The most handshake messages from a newcomer to one greeter. */
const stepsPerGreeter = 4;
/** Knocks at one greeter, whose page answers each with a handshake; it may send 40 frames a second. */
const knockRate: Rate = { burst: 8, perSecond: 4 };

/** A connected member, which can greet. */
export interface Greeter {
  readonly member: RoomMember;
  readonly listener: RoomListener;
}

/** The dependencies of a lobby on its room. */
export interface LobbyEnvironment {
  readonly room: RoomTag;
  readonly clock: Clock;
  readonly budgets: AdmissionBudgets;
  /** Connected members, longest connected first. */
  readonly greeters: () => readonly Greeter[];
  /** Whether the client has a seat, live or kept. */
  readonly isMember: (clientId: ClientId) => boolean;
  /** Seats an admitted newcomer. */
  readonly seat: (request: SeatRequest, listener: RoomListener) => void;
}

/** One attempt of a greeter to admit a newcomer. */
interface Greeting {
  greeter: Greeter;
  readonly attempt: Attempt;
  /** Of the greeter to start, and then of the guest to answer. */
  cancelTimeout: CancelTimer;
  /** The run that the greeter began last with `hs1`, which the guest has to answer. */
  run: string | undefined;
  /** Whether the greeter did not start in time; another one takes over if there is one. */
  isSilent: boolean;
  stepsFromGuest: number;
}

interface Guest {
  readonly request: SeatRequest;
  readonly listener: RoomListener;
  cancelDeadline: CancelTimer;
  /** The greeters asked so far. */
  readonly asked: Set<RoomListener>;
  /** Whether a person has to approve it. */
  isDeferred: boolean;
  greeting: Greeting | undefined;
}

/** Newcomers to a locked room wait here until a greeter has verified that they know the password. */
export class Lobby {
  readonly #environment: LobbyEnvironment;
  /** In order of arrival. */
  readonly #guests = new Map<ClientId, Guest>();
  /** Keys that were in the room, oldest first. A key that fails the handshake is removed. */
  readonly #members = new Set<ClientId>();
  readonly #knocks = new WeakMap<RoomListener, TokenBucket>();
  /** Whether newcomers wait for a greeter that has none to spare: others may not overtake them. */
  #isQueueing = false;
  #wake: { readonly at: number; readonly cancel: CancelTimer } | undefined;
  #serving: "no" | "yes" | "again" = "no";

  constructor(environment: LobbyEnvironment) {
    this.#environment = environment;
  }

  /** Adds a waiting client. If one with the same id is waiting, it is replaced only by a client that has proven the id. */
  enter(request: SeatRequest, listener: RoomListener): SeatAnswer {
    const { clock, budgets, room } = this.#environment;
    const { clientId, isProven } = request.identity;
    const earlier = this.#guests.get(clientId);
    if (earlier && !isProven) {
      const reason = earlier.request.identity.isProven ? "identity" : "already-in-room";
      return { status: "refused", reason };
    }
    this.#drop(clientId, "cancelled");
    if (budgets.isBarred(room, this.#applicant(request)))
      return { status: "refused", reason: "too-many-attempts" };
    const cancelDeadline = clock.after(admissionTimeoutMs, () => this.#onTimeUp(guest));
    const guest: Guest = {
      request,
      listener,
      cancelDeadline,
      asked: new Set(),
      isDeferred: false,
      greeting: undefined,
    };
    this.#guests.set(clientId, guest);
    if (!this.#isQueueing) this.#greet(guest);
    if (!guest.greeting) listener({ type: "pending" });
    return {
      status: "pending",
      knock: {
        send: (to, signal) => {
          const code = this.#fromGuest(guest, to, signal);
          if (code) listener({ type: "error", code });
        },
        cancel: () => this.#end(guest, undefined, "cancelled"),
      },
    };
  }

  /** Finds greeters for newcomers without one, after a member joined or other newcomers left. */
  serve(): void {
    if (this.#serving !== "no") {
      this.#serving = "again";
      return;
    }
    do {
      this.#serving = "yes";
      this.#isQueueing = false;
      for (const guest of this.#waiting()) {
        // One may have ended with the greeter of an earlier one.
        if (this.#guests.get(guest.request.identity.clientId) !== guest) continue;
        this.#greet(guest);
        if (this.#isQueueing) break;
      }
      // Set inside the loop.
    } while (this.#isAskedAgain());
    this.#serving = "no";
  }

  /** Forwards a greeter's signal to its guest. @returns why it was refused, if it was. */
  fromGreeter(from: ClientId, to: ClientId, signal: RelayedSignal): SignallingErrorCode | undefined {
    if (signal.type === "hs1") this.#takeUp(from, to);
    const guest = this.#guestOf(from, to);
    if (!guest?.greeting) return "unknown-member";
    if (signal.type === "hs1") {
      guest.greeting.run = signal.run;
      guest.greeting.cancelTimeout();
      const { attempt } = guest.greeting;
      guest.greeting.cancelTimeout = this.#environment.clock.after(answerTimeoutMs, () => {
        attempt.release();
        this.serve();
      });
    }
    if (signal.type === "hs3" && !guest.greeting.attempt.test()) return "rate-limited";
    guest.listener({ type: "signal", from, signal });
    return undefined;
  }

  /** @returns false if `from` is not the client's greeter. */
  admit(from: ClientId, clientId: ClientId): boolean {
    const guest = this.#guestOf(from, clientId);
    if (!guest) return false;
    this.#remove(guest, "admitted");
    this.#environment.seat(guest.request, guest.listener);
    this.serve();
    return true;
  }

  /** @returns false if `from` is not the client's greeter. */
  reject(from: ClientId, clientId: ClientId, reason: "incorrect-password" | "not-admitted"): boolean {
    const guest = this.#guestOf(from, clientId);
    if (!guest) return false;
    if (reason === "not-admitted" && this.#nextGreeter(guest)) this.#onSilence(guest);
    else this.#end(guest, turnedAway(reason), reason === "not-admitted" ? "abandoned" : "failed");
    return true;
  }

  /**
   * A greeter asks a person about a newcomer: the newcomer is told and waits longer. Other greeters are asked too, and the
   * first one to start the handshake greets it.
   * @returns false if `from` was never asked to greet the client.
   */
  defer(from: ClientId, clientId: ClientId): boolean {
    const guest = this.#guests.get(clientId);
    if (!guest || !this.#greeterAsked(guest, from)) return false;
    if (!guest.isDeferred) {
      guest.cancelDeadline();
      guest.cancelDeadline = this.#environment.clock.after(approvalTimeoutMs, () => this.#onTimeUp(guest));
    }
    guest.isDeferred = true;
    guest.listener(pendingAt(guest));
    // Until the person has decided, nothing is tested.
    guest.greeting?.attempt.release();
    this.serve();
    return true;
  }

  /** A member's socket is gone: the newcomers that it greeted need another greeter. */
  greeterGone(listener: RoomListener): void {
    for (const guest of this.#guests.values()) {
      if (guest.greeting?.greeter.listener !== listener) continue;
      this.#stopGreeting(guest, "abandoned");
      if (guest.asked.size >= greetersPerGuest) this.#end(guest, turnedAway("not-admitted"));
      else guest.listener(pendingAt(guest));
    }
    this.serve();
  }

  /** A client has a seat: it no longer waits, and its key shows on its return that it knew the password. */
  seated({ clientId, isProven }: Identity): void {
    // First, because a client that stops waiting may lose its mark.
    this.#drop(clientId, "abandoned");
    if (!isProven) return;
    this.#members.delete(clientId);
    this.#members.add(clientId);
    const [oldest] = this.#members;
    if (this.#members.size > membersRemembered && oldest !== undefined) this.#members.delete(oldest);
  }

  /** Refuses all newcomers with a reason, or forgets them silently. */
  close(reason?: RefusalReason): void {
    for (const guest of [...this.#guests.values()]) {
      this.#remove(guest, "abandoned");
      if (reason) guest.listener(turnedAway(reason));
    }
    this.#wake?.cancel();
  }

  /** Newcomers that need a greeter, in order of arrival; those that failed or gave up before come last. */
  #waiting(): Guest[] {
    const { room, budgets } = this.#environment;
    const waiting = [...this.#guests.values()].filter(
      ({ greeting }) => !greeting || (greeting.isSilent && greeting.run === undefined),
    );
    if (waiting.length < 2) return waiting;
    return waiting
      .map((guest) => ({ guest, against: budgets.countAgainst(room, this.#applicant(guest.request)) }))
      .sort((one, other) => one.against - other.against)
      .map(({ guest }) => guest);
  }

  #knocksAt(listener: RoomListener): TokenBucket {
    const knocks = this.#knocks.get(listener) ?? new TokenBucket(knockRate, this.#environment.clock);
    this.#knocks.set(listener, knocks);
    return knocks;
  }

  /** Assigns the next greeter to a guest; without another one, it keeps its current one. */
  #greet(guest: Guest): void {
    const { room, clock, budgets } = this.#environment;
    const applicant = this.#applicant(guest.request);
    const greeter = this.#nextGreeter(guest);
    if (!greeter) return;
    if (budgets.isBarred(room, applicant)) {
      this.#end(guest, turnedAway("too-many-attempts"));
      return;
    }
    const knocks = this.#knocksAt(greeter.listener);
    if (knocks.left < 1) {
      this.#isQueueing = true;
      this.#wakeIn(knocks.waitMs());
      return;
    }
    const hadGreeter = guest.greeting !== undefined;
    this.#stopGreeting(guest, "abandoned");
    const attempt = budgets.reserve(room, applicant);
    if (!attempt) {
      // When the oldest test of a password expires.
      const freesAt = budgets.freesAt(room);
      if (freesAt !== undefined) this.#wakeIn(Math.max(0, freesAt - clock.elapsedMs()));
      if (hadGreeter) guest.listener(pendingAt(guest));
      return;
    }
    knocks.take();
    guest.asked.add(greeter.listener);
    const cancelTimeout = clock.after(greeterTimeoutMs, () => this.#onSilence(guest));
    guest.greeting = {
      greeter,
      attempt,
      cancelTimeout,
      run: undefined,
      isSilent: false,
      stepsFromGuest: 0,
    };
    guest.listener(pendingAt(guest));
    greeter.listener({ type: "knock", clientId: applicant.identity.clientId });
  }

  #drop(clientId: ClientId, outcome: Outcome): void {
    const guest = this.#guests.get(clientId);
    if (guest) this.#end(guest, { type: "replaced" }, outcome);
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

  /** A greeter whose person approved may start, if it was asked about the newcomer and no other has started. */
  #takeUp(from: ClientId, clientId: ClientId): void {
    const guest = this.#guests.get(clientId);
    const greeter = guest && this.#greeterAsked(guest, from);
    if (!guest?.greeting || !greeter || guest.greeting.run !== undefined) return;
    if (guest.greeting.greeter.listener === greeter.listener) return;
    guest.greeting.greeter = greeter;
    guest.greeting.stepsFromGuest = 0;
    guest.listener(pendingAt(guest));
  }

  #onTimeUp(guest: Guest): void {
    this.#end(guest, turnedAway(guest.greeting?.run !== undefined ? "incorrect-password" : "not-admitted"));
  }

  #fromGuest(guest: Guest, to: ClientId, signal: RelayedSignal): SignallingErrorCode | undefined {
    const { greeting } = guest;
    // Only the greeter may start a run: the initiator learns from the answer whether its password was correct.
    if (signal.type !== "hs2" && signal.type !== "hs4") return "not-in-room";
    if (greeting?.greeter.member.clientId !== to) return "unknown-member";
    if (greeting.stepsFromGuest >= stepsPerGreeter) return "rate-limited";
    greeting.stepsFromGuest += 1;
    // Any other message answers nothing: a test of a password would be held for a guest that has gone silent.
    if (signal.type === "hs2" && signal.run === greeting.run) greeting.cancelTimeout();
    greeting.greeter.listener({ type: "signal", from: guest.request.identity.clientId, signal });
    return undefined;
  }

  #guestOf(greeter: ClientId, clientId: ClientId): Guest | undefined {
    const guest = this.#guests.get(clientId);
    return guest?.greeting?.greeter.member.clientId === greeter ? guest : undefined;
  }

  /**
   * After a greeter started, a newcomer that is not admitted counts as failed, because a wrong guess is
   * indistinguishable from silence. The same after a person was asked, or newcomers could distract people at no cost.
   */
  #end(guest: Guest, news?: RoomEvent, outcome: Outcome = "abandoned"): void {
    if (this.#guests.get(guest.request.identity.clientId) !== guest) return;
    const hadGreeter = guest.greeting !== undefined;
    this.#remove(guest, guest.greeting?.run !== undefined || guest.isDeferred ? "failed" : outcome);
    if (news) guest.listener(news);
    if (hadGreeter) this.serve();
  }

  #remove(guest: Guest, outcome: Outcome): void {
    const { clientId } = guest.request.identity;
    this.#guests.delete(clientId);
    guest.cancelDeadline();
    if (outcome === "failed") this.#members.delete(clientId);
    this.#stopGreeting(guest, outcome);
    if (outcome !== "admitted" && !this.#environment.isMember(clientId)) this.#reportGone(guest);
  }

  /** Greeters stop greeting a newcomer that no longer waits, and asking a person about it. */
  #reportGone({ request, asked }: Guest): void {
    const { clientId } = request.identity;
    for (const { listener } of this.#environment.greeters())
      if (asked.has(listener)) listener({ type: "member-left", clientId });
  }

  #stopGreeting(guest: Guest, outcome: Outcome): void {
    guest.greeting?.cancelTimeout();
    guest.greeting?.attempt.end(outcome);
    guest.greeting = undefined;
  }

  /** Looks for greeters again after this time, or earlier if that is planned. */
  #wakeIn(delayMs: number): void {
    const { clock } = this.#environment;
    const at = clock.elapsedMs() + delayMs;
    if (this.#wake && this.#wake.at <= at) return;
    this.#wake?.cancel();
    const cancel = clock.after(delayMs, () => {
      this.#wake = undefined;
      this.serve();
    });
    this.#wake = { at, cancel };
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
