import {
  type ClientId,
  type RoomMember,
  type SealedSignal,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import {
  child,
  type Database,
  type DatabaseReference,
  get,
  goOffline,
  goOnline,
  onChildAdded,
  onDisconnect,
  onValue,
  ref,
  remove,
  serverTimestamp,
  set,
  update,
} from "firebase/database";
import type { CancelTimer, Clock } from "../../ports/clock.ts";
import type { Environment } from "../../ports/environment.ts";
import type {
  SeatRequest,
  SignallingClient,
  SignallingClientStatus,
  SignalSender,
} from "../../ports/signalling.ts";
import type { Unsubscribe } from "../../shared/emitter.ts";
import { randomUuid } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import { MemberRoster } from "../member-roster.ts";
import { Seat } from "../seat.ts";
import { SignalOutbox } from "../signal-outbox.ts";
import { SignalSenders } from "../signal-senders.ts";
import { askForAdmission, Greeter } from "./firebase-admission.ts";
import {
  freeSeats,
  type Member,
  membersOf,
  postLetter,
  readLetter,
  seatsOf,
  sortSeats,
} from "./firebase-records.ts";

/** How long the database may take to answer. */
const answerMs = 10_000;
/** A third of the time after which others may take a seat. */
const renewalMs = 60_000;
/** How long giving up the seat may take before the connection is closed. */
const farewellMs = 2_000;
/** How many times to try for a seat when others take seats at the same moment. */
const entryAttempts = 8;

interface FirebaseClientDeps {
  readonly seat: SeatRequest;
  readonly clock: Clock;
  /** A number in [0, 1), for the jitter of reconnects. */
  readonly random: () => number;
  /** Our account. */
  readonly uid: string;
  /** Already online. */
  readonly database: Database;
  readonly environment: Environment;
  readonly log: Log;
}

/** A seat in a room of the database, taken again after each break of the connection (seat-policy.ts). */
export class FirebaseSignallingClient implements SignallingClient {
  /** A database provides no TURN credentials; relays can be entered in the settings. */
  readonly relays = [];
  /** Resolves once it no longer needs the database. `keepsSeat`: a later page of ours has our seat. */
  readonly ended: Promise<{ readonly keepsSeat: boolean }>;
  #settleEnded: (end: { readonly keepsSeat: boolean }) => void = () => {};
  readonly #deps: FirebaseClientDeps;
  readonly #seat: Seat;
  readonly #roster = new MemberRoster();
  readonly #senders = new SignalSenders((to, signal) => this.#sendSignal(to, signal));
  readonly #outbox: SignalOutbox;
  #order = 0;
  /** The folders of the room, and of the other kind of room (locked or open) with the same name. */
  readonly #room: DatabaseReference;
  readonly #otherRoom: DatabaseReference;
  readonly #visit = randomUuid();
  readonly #greeter: Greeter;
  #members: ReadonlyMap<string, Member> = new Map();
  /** The paths below the room that are removed with us; null without a seat. */
  #held: Record<string, null> | null = null;
  /** The database's time in ms since the epoch, minus elapsed time; our own clock may change. */
  #aheadMs: number;
  #isConnected = false;
  /** Whether a later page of ours has our seat. */
  #keepsSeat = false;
  /** Functions that remove the listeners of our seat. */
  readonly #stopFollowing: (() => void)[] = [];
  /** Functions that remove the listeners of this client. */
  readonly #closers: (() => void)[] = [];

  constructor(deps: FirebaseClientDeps) {
    const { seat, database, clock, uid, random } = deps;
    this.#deps = deps;
    this.#outbox = new SignalOutbox(clock);
    this.#seat = new Seat({
      clock,
      random,
      effects: { ask: () => this.#ask(), probe: () => {} },
      ends: { connection: () => this.#unfollow(), attempt: () => {} },
    });
    this.#seat.on("status", ({ status }) => status === "closed" && void this.#end());
    this.ended = new Promise((resolve) => {
      this.#settleEnded = resolve;
    });
    const [own, other] = seat.locked ? ["locked", "open"] : ["open", "locked"];
    this.#room = ref(database, `rooms/${seat.roomTag}/${own}`);
    this.#otherRoom = ref(database, `rooms/${seat.roomTag}/${other}`);
    this.#aheadMs = clock.now() - clock.elapsedMs();
    this.#greeter = new Greeter({ seat, uid, room: this.#room, clock });
    this.#closers.push(
      onValue(ref(database, ".info/serverTimeOffset"), (ahead) => {
        this.#aheadMs = clock.now() + Number(ahead.val() ?? 0) - clock.elapsedMs();
      }),
    );
  }

  get self(): RoomMember {
    return { clientId: this.#deps.seat.clientId, order: this.#order };
  }

  listenForJoin(callback: (member: RoomMember, resumed: boolean) => void): Unsubscribe {
    return this.#roster.listenForJoin(callback);
  }

  listenForLeave(callback: (clientId: ClientId) => void): Unsubscribe {
    return this.#roster.listenForLeave(callback);
  }

  listenForStatus(callback: (status: SignallingClientStatus) => void): Unsubscribe {
    return this.#seat.listenForStatus(callback);
  }

  createSender(targetId: ClientId): SignalSender {
    return this.#senders.create(targetId);
  }

  /** Takes the seat for the first time. */
  async connect(): Promise<void> {
    const { seat, clock, environment, database } = this.#deps;
    await this.#seat.start(seat.calledOff);
    this.#closers.push(
      environment.on("wake", () => void this.#renew()),
      clock.every(renewalMs, () => void this.#renew()),
      onValue(ref(database, ".info/connected"), (snapshot) => this.#noteConnection(snapshot.val() === true)),
    );
  }

  destroy(): void {
    const wasClosed = this.#seat.state === "closed";
    this.#seat.leave();
    this.#roster.clear();
    if (!wasClosed) void this.#end();
  }

  /** A database keeps no seat for a closed page, which returns as a new member. */
  vanish(): void {
    this.destroy();
  }

  get #hasEnded(): boolean {
    return this.#seat.state === "closed";
  }

  #ask(): void {
    this.#enter().then(
      () => this.#entered(),
      (thrown: unknown) =>
        // Not before it is connected.
        this.#seat.attemptFailed(
          toWarrenError(thrown, "signalling-unreachable"),
          false,
          this.#isConnected ? 0 : Number.POSITIVE_INFINITY,
        ),
    );
  }

  #entered(): void {
    if (this.#hasEnded) return;
    this.#seat.take("takes-seat");
    for (let next = this.#outbox.next(); next !== null; next = this.#outbox.next())
      this.#sendSignal(next.to, next.signal);
  }

  /** Takes a seat: the one that our account holds, or a free one, which others may take at the same moment. */
  async #enter(): Promise<void> {
    const { seat, random } = this.#deps;
    for (let attempt = 0; attempt < entryAttempts && !this.#hasEnded; attempt += 1) {
      const { held, own, isElsewhere } = await this.#readSeat();
      if (isElsewhere) throw new WarrenError(seat.locked ? "room-is-open" : "password-required");
      const isOurs = own !== null && held.get(own.seat)?.uid === this.#deps.uid;
      if (seat.locked && held.size > 0 && !isOurs)
        await askForAdmission({ seat, uid: this.#deps.uid, clock: this.#deps.clock, room: this.#room });
      const free = freeSeats(held);
      const number = isOurs ? own.seat : free[Math.floor(random() * free.length)];
      if (number === undefined) throw new WarrenError("room-full");
      const isSame = isOurs && own.id === seat.clientId;
      if (await this.#take(number, isSame ? own.order : null)) return this.#follow(isSame);
    }
    throw new WarrenError("signalling-unreachable");
  }

  /** Reads the members of the room, and removes those that are gone. */
  async #readSeat() {
    const { uid, clock } = this.#deps;
    const read = async (folder: DatabaseReference) => {
      const seats = seatsOf((await get(child(folder, "seats"))).val());
      const { held, left } = sortSeats(seats, clock.elapsedMs() + this.#aheadMs);
      // Another client may be faster.
      for (const [seat, gone] of left) await update(folder, holdings(seat, gone.uid)).catch(() => {});
      return held;
    };
    const [held, elsewhere, own] = await this.#answered(
      Promise.all([read(this.#room), read(this.#otherRoom), get(child(this.#room, `members/${uid}`))]),
    );
    return {
      held,
      own: membersOf({ [uid]: own.val() }).get(uid) ?? null,
      isElsewhere: elsewhere.size > 0,
    };
  }

  /** @returns false if another client was faster. */
  async #take(number: string, order: number | null): Promise<boolean> {
    const { seat, uid } = this.#deps;
    const held = { ...holdings(number, uid), [`door/${uid}`]: null };
    const taken = update(this.#room, {
      ...held,
      [`seats/${number}`]: { uid, at: serverTimestamp() },
      [`members/${uid}`]: {
        id: seat.clientId,
        order: order ?? serverTimestamp(),
        seat: number,
        visit: this.#visit,
      },
    });
    // Sent directly after it, so that the seat is removed if the connection breaks now.
    onDisconnect(this.#room)
      .update(held)
      .catch(() => {});
    try {
      await this.#answered(taken);
    } catch (thrown) {
      if (isRefusal(thrown)) return false;
      throw thrown;
    }
    this.#held = held;
    if (this.#hasEnded) await update(this.#room, held).catch(() => {});
    return !this.#hasEnded;
  }

  /** Listens to the records that a seat may read. Resolves when the other members are known. */
  async #follow(resumed: boolean): Promise<void> {
    const { uid, seat } = this.#deps;
    let isFirst = true;
    const known = new Promise<void>((resolve, reject) => {
      const read = (members: ReadonlyMap<string, Member>) => {
        const own = members.get(uid);
        if (own?.visit === this.#visit) {
          this.#readMembers(own, members, isFirst && resumed);
          isFirst = false;
          resolve();
        } else if (own !== undefined) this.#replaced();
        // Another account has a member with our id.
        else if ([...members.values()].some(({ id }) => id === seat.clientId)) {
          reject(new WarrenError("signalling-replaced"));
        } else if (this.#seat.isHeld) this.#reenter();
      };
      this.#stopFollowing.push(
        onValue(
          child(this.#room, "members"),
          (snapshot) => read(membersOf(snapshot.val())),
          (refused) => {
            reject(refused);
            if (this.#seat.isHeld) this.#reenter();
          },
        ),
      );
    });
    await this.#answered(known);
    // Only now, because the list of members identifies the writer of a letter.
    this.#stopFollowing.push(
      onChildAdded(child(this.#room, `inboxes/${uid}`), (letter) => {
        void remove(letter.ref).catch(() => {});
        this.#readLetter(letter.val());
      }),
    );
    if (seat.locked) this.#stopFollowing.push(this.#greeter.start());
  }

  #readMembers(own: Member, members: ReadonlyMap<string, Member>, resumed: boolean): void {
    const before = new Map([...this.#members.values()].map((member) => [member.id, member]));
    this.#order = own.order;
    this.#members = members;
    const others = [...members.values()].filter((member) => member !== own);
    const present = new Set(others.map(({ id }) => id));
    for (const id of before.keys()) {
      if (present.has(id) || id === own.id) continue;
      this.#senders.forget(id);
      this.#roster.remove(id);
    }
    for (const { id, order, visit } of others) {
      const earlier = before.get(id);
      if (earlier?.visit === visit && earlier.order === order) continue;
      this.#roster.add({ clientId: id, order }, resumed || earlier?.order === order);
    }
    this.#greeter.setMembers(members);
  }

  #readLetter(value: unknown): void {
    const letter = readLetter(value);
    if (letter === null) return;
    const member = this.#members.get(letter.uid);
    if (member === undefined) this.#greeter.deliver(letter.uid, letter.signal);
    else this.#senders.deliver(member.id, letter.signal);
  }

  #sendSignal(to: ClientId, signal: SealedSignal): void {
    if (!this.#seat.isHeld) {
      this.#outbox.add({ type: "signal", to, signal });
      return;
    }
    const [uid] = [...this.#members].find(([, { id }]) => id === to) ?? [];
    if (uid !== undefined) postLetter(this.#room, { from: this.#deps.uid, to: uid, signal });
  }

  #noteConnection(isConnected: boolean): void {
    const isBack = isConnected && !this.#isConnected;
    this.#isConnected = isConnected;
    if (!isConnected) this.#seat.take("connection-lost", { waitMs: Number.POSITIVE_INFINITY });
    else if (isBack && !this.#seat.isHeld) this.#seat.take("wake");
  }

  #unfollow(): void {
    for (const stop of this.#stopFollowing.splice(0)) stop();
  }

  /** The database no longer has our seat, although it answers. */
  #reenter(): void {
    this.#seat.take("connection-lost");
  }

  #replaced(): void {
    this.#keepsSeat = true;
    this.#seat.take("connection-refused", { error: new WarrenError("signalling-replaced") });
  }

  /** Renews our seat, which also tests the connection, and removes members that are gone. */
  async #renew(): Promise<void> {
    const { uid, database } = this.#deps;
    const seat = this.#members.get(uid)?.seat;
    if (this.#seat.isHeld && seat !== undefined) {
      const renewed = set(child(this.#room, `seats/${seat}`), { uid, at: serverTimestamp() });
      const outcome = await this.#answered(renewed).then(
        () => "renewed",
        (thrown: unknown) => (isRefusal(thrown) ? "refused" : "silent"),
      );
      if (outcome === "renewed") return void this.#readSeat().catch(() => {});
      if (outcome === "refused") return this.#reenter();
    }
    if (this.#hasEnded || this.#seat.state === "asking") return;
    // The SDK waits up to five minutes between attempts, and forever on a connection that died silently.
    goOffline(database);
    goOnline(database);
  }

  /** Rejects with `signalling-unreachable` if the database takes too long, because it never answers while offline. */
  async #answered<T>(answer: Promise<T>): Promise<T> {
    let cancel: CancelTimer = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      cancel = this.#deps.clock.after(answerMs, () => reject(new WarrenError("signalling-unreachable")));
    });
    return Promise.race([answer, late]).finally(cancel);
  }

  /** Stops everything, and gives up the seat unless a later page of ours has it. */
  async #end(): Promise<void> {
    for (const stop of this.#closers.splice(0)) stop();
    this.#senders.close();
    if (this.#held !== null && !this.#keepsSeat) {
      let cancel: CancelTimer = () => {};
      const late = new Promise<void>((resolve) => {
        cancel = this.#deps.clock.after(farewellMs, resolve);
      });
      await Promise.race([update(this.#room, this.#held).catch(() => {}), late]);
      cancel();
    }
    this.#settleEnded({ keepsSeat: this.#keepsSeat });
  }
}

/** Everything of an account in a room, as an update that removes it. */
function holdings(seat: string, uid: string): Record<string, null> {
  return { [`seats/${seat}`]: null, [`members/${uid}`]: null, [`inboxes/${uid}`]: null };
}

/** Whether the rules of the database refused a write. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof Error && /permission.denied/i.test(thrown.message);
}
