import { type ClientId, type SealedSignal, toWarrenError, WarrenError } from "@warren/protocol";
import {
  child,
  type DatabaseReference,
  onChildAdded,
  onDisconnect,
  onValue,
  remove,
  serverTimestamp,
  set,
  update,
} from "firebase/database";
import type { CancelTimer, Clock } from "../../ports/clock.ts";
import type { SeatRequest, SignalSender } from "../../ports/signalling.ts";
import { Countdown } from "../../shared/countdown.ts";
import { SignalSenders } from "../signal-senders.ts";
import {
  type Knock,
  knocksOf,
  type Member,
  type Outcome,
  postLetter,
  readLetter,
  seatsOf,
} from "./firebase-records.ts";

/** How long to wait for a member, and for a person: as a server does. */
const admissionMs = 25_000;
const approvalMs = 65_000;
/** How long a member may take to greet a newcomer before the next one does. */
const nextGreeterMs = 5_000;
/** How many members are asked one after another, and how many newcomers a member greets at once. */
const greetersMax = 3;
const greetedMax = 8;

interface AdmissionDeps {
  readonly seat: SeatRequest;
  /** Our account. */
  readonly uid: string;
  readonly room: DatabaseReference;
  readonly clock: Clock;
}

/**
 * Waits for admission to a locked room: until a member has verified that we know the password, or nobody is left in it.
 * @throws WarrenError `incorrect-password`, `not-admitted`, `connect-timeout` or `connection-closed`.
 */
export async function askForAdmission({ seat, uid, room, clock }: AdmissionDeps): Promise<void> {
  const door = child(room, `door/${uid}`);
  const limit = new Countdown(clock);
  const stops: (() => void)[] = [() => limit.stop()];
  let greeter: { readonly uid: string; readonly id: ClientId } | null = null;
  let proof: SignalSender | null = null;
  const senders = new SignalSenders((_to, signal) => {
    if (greeter !== null) postLetter(room, { from: uid, to: greeter.uid, signal });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const wait = (ms: number) => limit.start(ms, () => reject(new WarrenError("connect-timeout")));
      wait(admissionMs);
      set(door, { id: seat.clientId, at: serverTimestamp() }).catch(reject);
      onDisconnect(door)
        .remove()
        .catch(() => {});
      const callOff = () => reject(new WarrenError("connection-closed"));
      seat.calledOff?.addEventListener("abort", callOff, { once: true });
      if (seat.calledOff?.aborted) callOff();
      const prove = (next: { uid: string; id: ClientId }) => {
        greeter = next;
        proof?.close();
        const sender = senders.createGuest(next.id);
        proof = sender;
        // A replaced greeter is no failure.
        seat.prove(sender).catch((thrown: unknown) => proof === sender && reject(thrown));
      };
      const read = (knock: Knock | undefined) => {
        if (knock === undefined) return;
        const { outcome, greeterId } = knock;
        if (outcome === "admitted") return resolve();
        if (outcome === "incorrect-password" || outcome === "not-admitted")
          return reject(new WarrenError(outcome));
        if (outcome === "asking") wait(approvalMs);
        seat.onWaiting?.(knock.greeter === undefined || outcome === "asking");
        if (knock.greeter !== undefined && greeterId !== undefined && knock.greeter !== greeter?.uid)
          prove({ uid: knock.greeter, id: greeterId });
      };
      stops.push(
        onValue(door, (entry) => read(knocksOf({ [uid]: entry.val() }).get(uid)), reject),
        onValue(child(room, "seats"), (seats) => seatsOf(seats.val()).size === 0 && resolve(), reject),
        onChildAdded(child(room, `inboxes/${uid}`), (entry) => {
          void remove(entry.ref).catch(() => {});
          const letter = readLetter(entry.val());
          if (letter !== null && letter.uid === greeter?.uid)
            senders.deliverToGuests(greeter.id, letter.signal);
        }),
      );
    });
  } catch (thrown) {
    remove(door).catch(() => {});
    throw toWarrenError(thrown, "signalling-unreachable");
  } finally {
    for (const stop of stops) stop();
    senders.close();
    seat.onWaiting?.(false);
  }
}

/** A newcomer that we greet, or that an earlier member should greet first. */
interface Newcomer {
  readonly id: ClientId;
  readonly sender: SignalSender | null;
  readonly cancel: CancelTimer;
}

/** Lets newcomers to a locked room prove that they know its password: to the earliest member, or else to the next. */
export class Greeter {
  readonly #deps: AdmissionDeps;
  readonly #senders: SignalSenders;
  readonly #newcomers = new Map<string, Newcomer>();
  #members: ReadonlyMap<string, Member> = new Map();
  #knocks: ReadonlyMap<string, Knock> = new Map();

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
    const { room, uid } = deps;
    this.#senders = new SignalSenders((id, signal) => {
      const [to] = [...this.#newcomers].find(([, newcomer]) => newcomer.id === id) ?? [];
      if (to !== undefined) postLetter(room, { from: uid, to, signal });
    });
  }

  /** Listens for newcomers. Returns a function to stop. */
  start(): () => void {
    const stop = onValue(child(this.#deps.room, "door"), (door) => {
      this.#knocks = knocksOf(door.val());
      for (const uid of [...this.#newcomers.keys()])
        if (!this.#isOurs(this.#knocks.get(uid))) this.#forget(uid);
      this.#greetNext();
    });
    return () => {
      stop();
      for (const uid of [...this.#newcomers.keys()]) this.#forget(uid);
    };
  }

  /** The members of the room, earlier ones first. */
  setMembers(members: ReadonlyMap<string, Member>): void {
    this.#members = members;
    this.#greetNext();
  }

  /** Delivers a signal of a newcomer that we greet. */
  deliver(uid: string, signal: SealedSignal): void {
    const newcomer = this.#newcomers.get(uid);
    if (newcomer?.sender) this.#senders.deliverToGuests(newcomer.id, signal);
  }

  #greetNext(): void {
    const { uid: own } = this.#deps;
    const place = [...this.#members.keys()].indexOf(own);
    if (place < 0 || place >= greetersMax) return;
    for (const [uid, knock] of this.#knocks) {
      const { id } = knock;
      if (!this.#isOurs(knock) || this.#newcomers.has(uid) || this.#newcomers.size >= greetedMax) continue;
      // One newcomer per id, and none whose id is in the room.
      const ids = [...this.#newcomers.values(), ...this.#members.values()].map((known) => known.id);
      if (ids.includes(id)) continue;
      const cancel = this.#deps.clock.after(place * nextGreeterMs, () => void this.#greet(uid, id));
      this.#newcomers.set(uid, { id, sender: null, cancel });
    }
  }

  /** Whether a newcomer is waiting and no other present member greets it. */
  #isOurs(knock: Knock | undefined): boolean {
    if (knock === undefined) return false;
    const { greeter, outcome } = knock;
    const isTaken = greeter !== undefined && greeter !== this.#deps.uid && this.#members.has(greeter);
    return !isTaken && (outcome === undefined || outcome === "asking");
  }

  async #greet(uid: string, id: ClientId): Promise<void> {
    const { seat, uid: own, room } = this.#deps;
    const entry = child(room, `door/${uid}`);
    const sender = this.#senders.createGuest(id);
    const newcomer = { id, sender, cancel: () => {} };
    this.#newcomers.set(uid, newcomer);
    const isCurrent = () => this.#newcomers.get(uid) === newcomer;
    const write = (outcome?: Outcome) =>
      update(entry, { greeter: own, greeterId: seat.clientId, ...(outcome && { outcome }) });
    // Refused if an earlier member greets it; our signals are then not delivered.
    const taken = write().catch(() => this.#forget(uid));
    const outcome = await seat
      .greet(sender, () => void (isCurrent() && write("asking").catch(() => {})))
      .then(
        (): Outcome => "admitted",
        (thrown: unknown): Outcome =>
          toWarrenError(thrown).code === "approval-needed" ? "not-admitted" : "incorrect-password",
      );
    await taken;
    if (isCurrent()) await write(outcome).catch(() => {});
    this.#forget(uid, newcomer);
    this.#greetNext();
  }

  #forget(uid: string, only = this.#newcomers.get(uid)): void {
    if (only === undefined || this.#newcomers.get(uid) !== only) return;
    only.cancel();
    only.sender?.close();
    this.#newcomers.delete(uid);
  }
}
