import { createHmac, randomBytes } from "node:crypto";
import { type ClientId, decodeValue, type RoomMember, type RoomTag } from "@warren/protocol";
import type { Logger } from "pino";
import type { CancelTimer, Clock } from "../clock.ts";
import { AdmissionBudgets } from "../limits/admission-budgets.ts";
import type { Incarnation, ResumeClaim } from "../resume-token.ts";
import { MemoryRelay, type MemoryRelayOptions } from "./memory-relay.ts";
import { type Act, type NodeMessage, nodeIdSchema, nodeMessageSchema } from "./node-message.ts";
import { nodeLeaseMs, RedisBus } from "./redis-bus.ts";
import type {
  Entry,
  Knock,
  Relay,
  RelayedSignal,
  RelayState,
  RoomEvent,
  RoomListener,
  Seat,
  SeatAnswer,
  SeatRequest,
} from "./relay.ts";

const beatEveryMs = 1_000;
const renewRoomsEveryBeats = 5;
/** Nodes compare their records every this many beats, in case the last message was lost. */
const checkEveryBeats = 30;
const checkAfterMs = 100;
/** After an outage, leases are unreliable for this long: live nodes must first renew theirs. */
const judgeAfterMs = nodeLeaseMs + beatEveryMs;
/** How long other nodes may take to reconnect to Redis and claim their rooms again. */
const forgetsForMs = 3_000;
/** After a beat this slow, leases may have expired while Redis did not respond. */
const slowBeatMs = 1_000;
/** How long seats of clients of a dead node are kept; with the lease and a beat, the seats end within 30 s. */
const keptForDeadNodeMs = 20_000;
/** How long members may take to follow a room that moved. */
const followWithinMs = 20_000;
/** The time limit for a home's answer. There is no retry, which would add to the load of an overloaded home. */
const answerWithinMs = 10_000;
/** How often, and after which pause, to look up a room again that its home has just released. */
const placeTries = 100;
const placeAgainMs = 50;

/** The dependencies of a relay over one Redis. */
export interface RedisRelayOptions extends Omit<MemoryRelayOptions, "onEnded" | "budgets"> {
  readonly url: string;
  /** The guess limits of private addresses are multiplied by this. */
  readonly privateAddressFactor: number;
  /** The same for each node. Addresses and keys of guessers are hashed with it before Redis stores them. */
  readonly secret: string;
  readonly log: Logger;
  /** Called for each unreadable message. */
  readonly onBadMessage?: () => void;
}

type SeatedEvent = Extract<RoomEvent, { type: "admitted" }>;
type RemoteEvent = Extract<NodeMessage, { type: "event" }>["event"];
type RemoteEntry = Omit<Entry, "seat">;
type EnterAnswer = Extract<NodeMessage, { type: "seated" | "pending" | "refused" | "elsewhere" }>;

/** A member's view of its room, kept on both sides of a visit to repair lost events. */
class RoomView {
  #own: { readonly order: number; readonly incarnation: Incarnation } | undefined;
  readonly members = new Map<ClientId, RoomMember>();

  /** Absent until the client has joined. */
  get entry(): RemoteEntry | undefined {
    return this.#own && { ...this.#own, members: [...this.members.values()] };
  }

  enter({ order, incarnation, members }: RemoteEntry): void {
    this.#own = { order, incarnation };
    this.members.clear();
    for (const member of members) this.members.set(member.clientId, member);
  }

  follow(event: RoomEvent | RemoteEvent): void {
    if (event.type === "member-joined") this.members.set(event.member.clientId, event.member);
    else if (event.type === "member-left") this.members.delete(event.clientId);
    else if (event.type === "admitted") this.enter(event);
  }
}

/** A local client's place in a room, which may live on any node. */
class Visit implements Seat, Knock {
  /** Unique for each node it asks. */
  id = newId();
  readonly request: SeatRequest;
  readonly listener: RoomListener;
  readonly view = new RoomView();
  /** The node that the room lives on. */
  home: string | undefined;
  /** Its place, if the room lives here. */
  place: Seat | Knock | undefined;
  /** The number of events received from the room's home. */
  number = 0;
  status: "moving" | "placed" | "lost" | "over" = "moving";
  /** Its end, if it ended while moving. */
  farewell: Act | undefined;
  cancelFollow: CancelTimer | undefined;
  readonly #act: (visit: Visit, act: Act) => void;

  constructor(request: SeatRequest, listener: RoomListener, act: (visit: Visit, act: Act) => void) {
    this.request = request;
    this.listener = listener;
    this.#act = act;
  }

  send(to: ClientId, signal: RelayedSignal): void {
    this.#act(this, { type: "signal", to, signal });
  }

  admit(clientId: ClientId): void {
    this.#act(this, { type: "admit", clientId });
  }

  reject(clientId: ClientId, reason: "incorrect-password" | "not-admitted"): void {
    this.#act(this, { type: "reject", clientId, reason });
  }

  defer(clientId: ClientId): void {
    this.#act(this, { type: "defer", clientId });
  }

  leave(): void {
    this.#act(this, { type: "leave" });
  }

  drop(): void {
    this.#act(this, { type: "drop" });
  }

  cancel(): void {
    this.#act(this, { type: "leave" });
  }
}

/** A remote client's place in a room that lives here. */
interface Visitor {
  readonly node: string;
  readonly room: RoomTag;
  readonly view: RoomView;
  place: Seat | Knock | undefined;
  /** The number of events sent to it. */
  number: number;
}

/**
 * Rooms shared by several nodes. A room lives in the memory of one node, its home; Redis stores which, and carries
 * messages between the home and the nodes of other members. When a home dies, the next node that asks becomes the home,
 * and the remaining members return to it with their order. While Redis is unavailable, each room continues among the
 * clients of its home.
 */
export class RedisRelay implements Relay {
  readonly #node = newId();
  readonly #bus: RedisBus;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onBadMessage: () => void;
  readonly #budgets: AdmissionBudgets;
  readonly #local: MemoryRelay;
  /** Rooms that are moving into this node's memory. */
  readonly #opening = new Map<RoomTag, number>();
  readonly #visits = new Map<string, Visit>();
  readonly #visitors = new Map<string, Visitor>();
  readonly #asking = new Map<string, (answer: EnterAnswer) => void>();
  readonly #rounds = new Map<number, { readonly waiting: Set<string>; readonly done: () => void }>();
  /** Ends each pause before its time. */
  readonly #pauses = new Set<() => void>();
  #round = 0;
  #beats = 0;
  #isBeating = false;
  #beatsAgain = false;
  #judgesFrom = 0;
  #wasUp = false;
  #rememberedFrom = 0;
  #onFirstUp: (() => void) | undefined;
  #cancelBeat: CancelTimer;
  #cancelCheck: CancelTimer | undefined;
  #isClosed = false;

  constructor({ url, secret, log, onBadMessage = () => {}, ...options }: RedisRelayOptions) {
    this.#clock = options.clock;
    this.#log = log;
    this.#onBadMessage = onBadMessage;
    this.#budgets = new AdmissionBudgets(options, options.clock, {
      pseudonymOf: (name) => createHmac("sha256", secret).update(name).digest("base64url").slice(0, 22),
      add: (room, guess) => this.#bus.addGuess(room, guess),
      remove: (room, guess) => this.#bus.removeGuess(room, guess),
    });
    const budgets = this.#budgets;
    this.#local = new MemoryRelay({ ...options, budgets, onEnded: (room) => this.#bus.release(room) });
    this.#bus = new RedisBus(
      { url, node: this.#node, clock: this.#clock, log },
      { onMessage: (text) => this.#onMessage(text), onUp: () => this.#onUp() },
    );
    this.#cancelBeat = this.#clock.after(beatEveryMs, this.#onBeat);
  }

  /** Whether Redis answers. */
  get isUp(): boolean {
    return this.#bus.isUp;
  }

  get state(): RelayState {
    return { ...this.#local.state, redisServers: 1, redisServersUp: this.isUp ? 1 : 0 };
  }

  async enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer> {
    const visit = new Visit(request, listener, this.#act);
    const answer = await this.#place(visit, request.claim, request.mayOpenRoom);
    if (answer.status === "refused") {
      this.#end(visit);
      return answer;
    }
    this.#arrive(visit);
    return answer.status === "pending" ? { ...answer, knock: visit } : { ...answer, seat: visit };
  }

  /** Asks all nodes that it shares rooms with whether messages were lost. Resolves when all have answered. */
  check(isBack = false): Promise<void> {
    const visits = new Map<string, [string, number][]>();
    for (const { node } of this.#visitors.values()) visits.set(node, []);
    for (const { id, home, number, status } of this.#visits.values()) {
      if (home === undefined || home === this.#node || status === "lost") continue;
      const there = visits.get(home) ?? [];
      visits.set(home, there);
      there.push([id, number]);
    }
    const round = ++this.#round;
    const answered = new Promise<void>((resolve) => {
      const done = () => {
        this.#rounds.delete(round);
        resolve();
      };
      if (visits.size === 0) done();
      else this.#rounds.set(round, { waiting: new Set(visits.keys()), done });
    });
    for (const [node, there] of visits) this.#send(node, { type: "check", round, isBack, visits: there });
    return answered;
  }

  /** Checks once, however many visits a lost message has put out of sync. */
  #checkSoon(): void {
    this.#cancelCheck ??= this.#clock.after(checkAfterMs, () => {
      this.#cancelCheck = undefined;
      void this.check();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat();
    this.#cancelCheck?.();
    const peers = this.#peers();
    for (const { cancelFollow } of this.#visits.values()) cancelFollow?.();
    this.#onFirstUp?.();
    for (const end of [...this.#pauses]) end();
    for (const [visit, answer] of [...this.#asking])
      answer({ type: "refused", visit, reason: "unavailable" });
    for (const { done } of [...this.#rounds.values()]) done();
    this.#visits.clear();
    this.#visitors.clear();
    this.#local.close();
    await this.#bus.close(peers, this.#written({ type: "bye" }));
  }

  /** Finds the room, or becomes its home, and asks for a seat there. */
  async #place(
    visit: Visit,
    claim: ResumeClaim | undefined,
    mayOpenRoom: () => boolean,
  ): Promise<SeatAnswer> {
    const { room } = visit.request;
    this.#opening.set(room, (this.#opening.get(room) ?? 0) + 1);
    try {
      for (let tries = 0; tries < placeTries; tries++) {
        const home = await this.#homeOf(room, mayOpenRoom);
        if (this.#isClosed) return unavailable;
        // The client left meanwhile and may have joined through another node: ask for nothing.
        if (visit.farewell?.type === "leave") return unavailable;
        if (home === undefined) return { status: "refused", reason: "rate-limited" };
        const answer = await this.#askAt(home, visit, claim);
        if (answer) return answer;
        await this.#pause(placeAgainMs);
      }
      return unavailable;
    } catch (error) {
      this.#log.debug({ err: error }, "redis does not answer");
      return unavailable;
    } finally {
      const left = (this.#opening.get(room) ?? 1) - 1;
      if (left > 0) this.#opening.set(room, left);
      else this.#opening.delete(room);
    }
  }

  /** @returns undefined if it may not be opened */
  async #homeOf(room: RoomTag, mayOpenRoom: () => boolean): Promise<string | undefined> {
    if (this.#local.has(room)) return this.#node;
    try {
      let found = await this.#bus.claim(room, false, this.#judges);
      const forgottenMs = this.#rememberedFrom - this.#clock.elapsedMs();
      if (found.how === "free" && forgottenMs > 0) {
        await this.#pause(forgottenMs);
        found = await this.#bus.claim(room, false, this.#judges);
      }
      if (found.how === "orphaned") {
        this.#budgets.restore(room, found.guesses);
        this.#local.reopen(room);
      }
      if (found.how !== "free") return found.home;
    } catch (error) {
      // Without Redis, rooms live here; conflicts are resolved once it is back.
      if (this.#bus.isUp) throw error;
      return mayOpenRoom() ? this.#node : undefined;
    }
    if (!mayOpenRoom()) return undefined;
    const claimed = await this.#bus.claim(room, true, this.#judges);
    this.#budgets.restore(room, claimed.guesses);
    return claimed.home;
  }

  /** @returns undefined if the room does not live there */
  async #askAt(home: string, visit: Visit, claim: ResumeClaim | undefined): Promise<SeatAnswer | undefined> {
    this.#visits.delete(visit.id);
    visit.id = newId();
    visit.home = home;
    visit.number = 0;
    this.#visits.set(visit.id, visit);
    if (home === this.#node) return this.#askHere(visit, claim);
    if (!this.#bus.isUp) return unavailable;
    const { room, identity, address, locked, maxMembers } = visit.request;
    const answer = await this.#ask(home, {
      type: "enter",
      visit: visit.id,
      ...{ room, identity, address, locked, maxMembers, claim, follows: visit.view.entry !== undefined },
    });
    if (answer.type === "elsewhere") return undefined;
    if (answer.type === "refused")
      return { status: "refused", reason: answer.reason, retryAfterMs: answer.retryAfterMs };
    if (answer.type === "pending") return { status: "pending", knock: visit };
    const { order, incarnation, members } = answer;
    return { status: "seated", seat: visit, order, incarnation, members };
  }

  #askHere(visit: Visit, claim: ResumeClaim | undefined): SeatAnswer {
    const follows = visit.view.entry !== undefined;
    const request = { ...visit.request, claim, follows, mayOpenRoom: () => true };
    const answer = this.#local.enterAtOnce(request, (event) => this.#onEvent(visit, event));
    if (answer.status === "pending") visit.place = answer.knock;
    else if (answer.status === "seated") {
      visit.place = answer.seat;
      this.#onSeated(visit, answer);
    }
    return answer;
  }

  #ask(home: string, message: Extract<NodeMessage, { type: "enter" }>): Promise<EnterAnswer> {
    const { visit } = message;
    return new Promise((resolve) => {
      const cancel = this.#clock.after(answerWithinMs, () => {
        // It may have been seated, with only the answer lost.
        this.#send(home, { type: "act", visit, act: { type: "leave" } });
        this.#asking.get(visit)?.({ type: "refused", visit, reason: "unavailable" });
      });
      this.#asking.set(visit, (answer) => {
        cancel();
        this.#asking.delete(visit);
        resolve(answer);
      });
      this.#send(home, message);
    });
  }

  /** Records that a visit was seated or is pending. */
  #arrive(visit: Visit): void {
    if (visit.status === "moving") visit.status = "placed";
    if (visit.farewell) this.#act(visit, visit.farewell);
  }

  readonly #act = (visit: Visit, act: Act): void => {
    const isFarewell = act.type === "leave" || act.type === "drop";
    if (visit.status === "over") return;
    if (visit.status !== "placed") {
      if (isFarewell) visit.farewell = act;
      if (isFarewell && visit.status === "lost") this.#end(visit);
      return;
    }
    if (visit.place) perform(visit.place, act);
    else if (visit.home !== undefined) this.#send(visit.home, { type: "act", visit: visit.id, act });
    if (isFarewell) this.#end(visit);
  };

  #end(visit: Visit): void {
    visit.status = "over";
    visit.cancelFollow?.();
    this.#visits.delete(visit.id);
  }

  /** Handles an event in a local client's room. */
  #onEvent(visit: Visit, event: RoomEvent): void {
    if (visit.status === "over") return;
    visit.view.follow(event);
    if (event.type === "turned-away" || event.type === "replaced") this.#end(visit);
    if (event.type === "admitted") {
      if (visit.home === this.#node) visit.place = event.seat;
      visit.listener({ ...event, seat: visit });
    } else visit.listener(event);
  }

  /** The room no longer lives where the visit was: the visit follows it, or restores it here. */
  async #move(visit: Visit): Promise<void> {
    if (visit.status !== "placed" && visit.status !== "lost") return;
    visit.status = "moving";
    visit.place = undefined;
    const before = visit.view.entry;
    const { claim, identity, locked } = visit.request;
    const member = before && {
      incarnation: before.incarnation,
      order: before.order,
      // From an earlier room.
      issuedAt: 0,
      isFresh: true,
      isProven: identity.isProven,
      isLocked: locked,
    };
    const answer = await this.#place(visit, member ?? claim, () => true);
    if (answer.status === "refused" && answer.reason === "unavailable") {
      if (visit.farewell) this.#end(visit);
      else visit.status = "lost";
      return;
    }
    if (answer.status === "refused") {
      const { reason, retryAfterMs } = answer;
      this.#onEvent(visit, { type: "turned-away", reason, retryAfterMs });
    } else if (before && (answer.status === "pending" || answer.order !== before.order)) {
      // The seat there is not this client's: it must join again.
      visit.farewell = { type: "leave" };
      this.#arrive(visit);
      visit.listener({ type: "turned-away", reason: "room-gone" });
    } else this.#arrive(visit);
  }

  /**
   * Records the seat of a visit. Called before the next event of the room, so that a client receives the changes in a room
   * that moved in order.
   */
  #onSeated(visit: Visit, now: RemoteEntry): void {
    const before = visit.view.entry;
    visit.view.enter(now);
    if (before?.order === now.order) this.#awaitFollowers(visit, this.#compare(visit, now, before));
  }

  /** Reports new members to a client. @returns the members that are missing */
  #compare(visit: Visit, now: RemoteEntry, before: RemoteEntry): RoomMember[] {
    for (const member of now.members) {
      const known = before.members.find(({ clientId }) => clientId === member.clientId);
      if (known?.order !== member.order) visit.listener({ type: "member-joined", member, resumed: false });
    }
    const present = new Set(now.members.map(({ clientId }) => clientId));
    return before.members.filter(({ clientId }) => !present.has(clientId));
  }

  #awaitFollowers(visit: Visit, followers: readonly RoomMember[]): void {
    if (followers.length === 0) return;
    visit.cancelFollow?.();
    visit.cancelFollow = this.#clock.after(followWithinMs, () => {
      for (const { clientId } of followers) {
        if (!visit.view.members.has(clientId)) visit.listener({ type: "member-left", clientId });
      }
    });
  }

  /** Resolves after `durationMs`, or when the relay closes. */
  #pause(durationMs: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        this.#pauses.delete(end);
        resolve();
      };
      const cancel = this.#clock.after(durationMs, end);
      this.#pauses.add(end);
    });
  }

  /**
   * Resolves when Redis first answers, after `withinMs`, or when the relay closes. A node that accepts clients earlier
   * is isolated.
   */
  whenUp(withinMs: number): Promise<void> {
    if (this.isUp || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(withinMs, resolve);
      this.#onFirstUp = () => {
        cancel();
        resolve();
      };
    });
  }

  #onUp(): void {
    if (this.#wasUp) {
      this.#rememberedFrom = this.#clock.elapsedMs() + forgetsForMs;
      this.#budgets.share();
    }
    this.#wasUp = true;
    this.#onFirstUp?.();
    this.#believeLater();
    this.#beats = 0;
    void this.#beat();
  }

  readonly #onBeat = (): void => {
    this.#cancelBeat = this.#clock.after(beatEveryMs, this.#onBeat);
    void this.#beat();
  };

  /** Renews this node's leases, and finds dead nodes. */
  async #beat(): Promise<void> {
    if (this.#isClosed || !this.#bus.isUp) return;
    if (this.#isBeating) {
      this.#beatsAgain = true;
      return;
    }
    this.#isBeating = true;
    this.#beatsAgain = false;
    const beat = this.#beats++;
    const startedAt = performance.now();
    try {
      await this.#bus.beat();
      const moved = beat % renewRoomsEveryBeats === 0 ? await this.#bus.renew(this.#local.rooms) : [];
      const dead = await this.#bus.deadAmong([...this.#peers()], this.#judges);
      if (performance.now() - startedAt > slowBeatMs) this.#believeLater();
      for (const room of moved) this.#release(room);
      if (this.#judges) for (const node of dead) this.#onGone(node, keptForDeadNodeMs);
      for (const visit of [...this.#visits.values()]) if (visit.status === "lost") void this.#move(visit);
      if (beat % checkEveryBeats === 0) void this.check(beat === 0);
    } catch (error) {
      this.#log.debug({ err: error }, "redis does not answer");
    }
    this.#isBeating = false;
    if (this.#beatsAgain) await this.#beat();
  }

  /** Whether the leases in Redis are reliable again after an outage. */
  get #judges(): boolean {
    return this.#clock.elapsedMs() >= this.#judgesFrom;
  }

  #believeLater(): void {
    this.#judgesFrom = this.#clock.elapsedMs() + judgeAfterMs;
  }

  #peers(): Set<string> {
    const peers = new Set<string>();
    for (const { node } of this.#visitors.values()) peers.add(node);
    for (const { home } of this.#visits.values()) if (home !== undefined) peers.add(home);
    peers.delete(this.#node);
    return peers;
  }

  /** A node died or is stopping: its clients dropped, and its rooms need another home. */
  #onGone(node: string, keptMs?: number): void {
    for (const [id, visitor] of [...this.#visitors]) {
      if (visitor.node === node) this.#dismiss(id, visitor, keptMs);
    }
    for (const visit of [...this.#visits.values()]) {
      if (visit.home !== node) continue;
      const answer = this.#asking.get(visit.id);
      if (answer) answer({ type: "elsewhere", visit: visit.id });
      else void this.#move(visit);
    }
  }

  #dismiss(id: string, { place }: Visitor, keptMs?: number): void {
    this.#visitors.delete(id);
    if (place && "drop" in place) place.drop(keptMs);
    else place?.cancel();
  }

  /** The room lives both here and elsewhere: all its local members move there. */
  #release(room: RoomTag): void {
    this.#local.forget(room);
    for (const [id, visitor] of [...this.#visitors]) {
      if (visitor.room !== room) continue;
      this.#visitors.delete(id);
      this.#send(visitor.node, { type: "elsewhere", visit: id });
    }
    for (const visit of [...this.#visits.values()]) {
      if (visit.request.room === room && visit.home === this.#node) void this.#move(visit);
    }
  }

  #send(node: string, message: NodeMessage): void {
    this.#bus.publish(node, this.#written(message));
  }

  #written(message: NodeMessage): string {
    // Signals are text here and parsed JSON in messages, so that the receiver validates them.
    const json = JSON.stringify(message, (key, value: unknown) =>
      key === "signal" && isRelayed(value) ? JSON.parse(value.json) : value,
    );
    return `${this.#node} ${json}`;
  }

  #onMessage(text: string): void {
    if (this.#isClosed) return;
    const from = decodeValue(nodeIdSchema, text.slice(0, 22));
    const message = decodeValue(nodeMessageSchema, parse(text.slice(22)));
    if (from.ok && message.ok) this.#receive(from.value, message.value);
    else this.#onBadMessage();
  }

  #receive(from: string, message: NodeMessage): void {
    switch (message.type) {
      case "enter":
        this.#onEnter(from, message);
        return;
      case "elsewhere":
      case "seated":
      case "pending":
      case "refused": {
        const visit = this.#visits.get(message.visit);
        if (visit?.home !== from) return;
        const answer = this.#asking.get(message.visit);
        if (answer && message.type === "seated") this.#onSeated(visit, message);
        if (answer) answer(message);
        else if (message.type === "elsewhere") void this.#move(visit);
        return;
      }
      case "act": {
        const visitor = this.#visitors.get(message.visit);
        if (visitor?.node !== from) return;
        if (message.act.type === "leave" || message.act.type === "drop") this.#visitors.delete(message.visit);
        if (visitor.place) perform(visitor.place, message.act);
        return;
      }
      case "event": {
        const visit = this.#visits.get(message.visit);
        if (visit?.home !== from) return;
        visit.number += 1;
        if (visit.number === message.number) this.#onRemoteEvent(visit, message.event);
        else this.#checkSoon();
        return;
      }
      case "check":
        this.#onCheck(from, message);
        return;
      case "checked":
        this.#onChecked(from, message);
        return;
      case "bye":
        this.#onGone(from);
        return;
    }
  }

  #onRemoteEvent(visit: Visit, event: RemoteEvent): void {
    this.#onEvent(visit, event.type === "admitted" ? { ...event, seat: visit } : event);
  }

  /** A remote client asks for a seat in a room that Redis assigns to this node. */
  #onEnter(node: string, { visit, room, ...rest }: Extract<NodeMessage, { type: "enter" }>): void {
    if (!this.#local.has(room)) {
      if (!this.#opening.has(room)) this.#bus.release(room);
      this.#send(node, { type: "elsewhere", visit });
      return;
    }
    const visitor: Visitor = { node, room, view: new RoomView(), place: undefined, number: 0 };
    this.#visitors.set(visit, visitor);
    const request = { ...rest, room, claim: rest.claim, mayOpenRoom: () => true };
    const answer = this.#local.enterAtOnce(request, (event) => this.#sendEvent(visit, visitor, event));
    if (answer.status === "refused") {
      this.#visitors.delete(visit);
      this.#send(node, { type: "refused", visit, reason: answer.reason, retryAfterMs: answer.retryAfterMs });
    } else if (answer.status === "pending") {
      visitor.place ??= answer.knock;
      this.#send(node, { type: "pending", visit });
    } else {
      const { seat, order, incarnation, members } = answer;
      visitor.place = seat;
      visitor.view.enter(answer);
      this.#send(node, { type: "seated", visit, order, incarnation, members: [...members] });
    }
  }

  #sendEvent(visit: string, visitor: Visitor, event: RoomEvent): void {
    visitor.view.follow(event);
    visitor.number += 1;
    const { number } = visitor;
    if (event.type === "admitted") visitor.place = event.seat;
    if (event.type === "turned-away" || event.type === "replaced") this.#visitors.delete(visit);
    this.#send(visitor.node, { type: "event", visit, number, event: withoutSeat(event) });
  }

  #onCheck(from: string, { round, isBack, visits }: Extract<NodeMessage, { type: "check" }>): void {
    if (isBack) void this.check();
    const named = new Map(visits);
    for (const [id, visitor] of [...this.#visitors]) {
      if (visitor.node === from && visitor.place && !named.has(id)) this.#dismiss(id, visitor);
    }
    const over: string[] = [];
    const behind: Extract<NodeMessage, { type: "checked" }>["behind"] = [];
    for (const [visit, number] of visits) {
      const visitor = this.#visitors.get(visit);
      if (visitor?.node !== from) over.push(visit);
      else if (number < visitor.number)
        behind.push({ visit, number: visitor.number, entry: toEntry(visitor.view) });
    }
    this.#send(from, { type: "checked", round, over, behind });
  }

  #onChecked(from: string, { round, over, behind }: Extract<NodeMessage, { type: "checked" }>): void {
    for (const id of over) {
      const visit = this.#visits.get(id);
      if (visit?.home === from) void this.#move(visit);
    }
    for (const { visit: id, number, entry } of behind) {
      const visit = this.#visits.get(id);
      if (visit?.home !== from || visit.number >= number) continue;
      visit.number = number;
      if (entry) this.#catchUp(visit, entry);
    }
    const asked = this.#rounds.get(round);
    asked?.waiting.delete(from);
    if (asked?.waiting.size === 0) asked.done();
  }

  /** Sends a client the events that it missed because a message was lost. */
  #catchUp(visit: Visit, now: RemoteEntry): void {
    const before = visit.view.entry;
    if (!before) {
      this.#onEvent(visit, { type: "admitted", seat: visit, ...now });
      return;
    }
    const gone = this.#compare(visit, now, before);
    visit.view.enter(now);
    for (const { clientId } of gone) visit.listener({ type: "member-left", clientId });
  }
}

const unavailable = { status: "refused", reason: "unavailable" } as const;

function newId(): string {
  return randomBytes(16).toString("base64url");
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isRelayed(value: unknown): value is RelayedSignal {
  return typeof value === "object" && value !== null && "json" in value && typeof value.json === "string";
}

function toEntry({ entry }: RoomView) {
  return entry && { ...entry, members: [...entry.members] };
}

function withoutSeat(event: RoomEvent): RemoteEvent {
  if (event.type !== "admitted") return event;
  const { order, incarnation, members }: SeatedEvent = event;
  return { type: "admitted", order, incarnation, members: [...members] };
}

function perform(place: Seat | Knock, act: Act): void {
  if (act.type === "signal") place.send(act.to, act.signal);
  else if ("cancel" in place) {
    // Only members of a room admit others.
    if (act.type === "leave" || act.type === "drop") place.cancel();
  } else if (act.type === "admit") place.admit(act.clientId);
  else if (act.type === "reject") place.reject(act.clientId, act.reason);
  else if (act.type === "defer") place.defer(act.clientId);
  else if (act.type === "leave") place.leave();
  else place.drop();
}
