import { createHmac } from "node:crypto";
import { decodeValue, type RoomTag } from "@warren/protocol";
import type { Logger } from "pino";
import { type CancelTimer, type Clock, sleep } from "../clock.ts";
import { AdmissionBudgets } from "../limits/admission-budgets.ts";
import { MemoryRelay, type MemoryRelayOptions } from "./memory-relay.ts";
import { type NodeMessage, nodeIdSchema, nodeMessageSchema } from "./node-message.ts";
import { nodeLeaseMs, RedisBus } from "./redis-bus.ts";
import type { Relay, RelayedSignal, RelayState, RoomListener, SeatAnswer, SeatRequest } from "./relay.ts";
import { Visitors } from "./visitors.ts";
import { newId, Visits } from "./visits.ts";

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

/**
 * Rooms shared by several nodes. A room lives in the memory of one node, its home; Redis stores which, and carries
 * messages between the home (which knows them as visitors) and the nodes of other members (their visits). When a home dies, the next node that asks becomes the home,
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
  readonly #visits: Visits;
  readonly #visitors: Visitors;
  readonly #rounds = new Map<number, { readonly waiting: Set<string>; readonly done: () => void }>();
  readonly #closing = new AbortController();
  #round = 0;
  #beats = 0;
  #beating: Promise<void> | undefined;
  #beatsAgain = false;
  #judgesFrom = 0;
  #wasUp = false;
  #rememberedFrom = 0;
  #onFirstUp: (() => void) | undefined;
  #cancelBeat: CancelTimer;
  #cancelCheck: CancelTimer | undefined;

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
    const send = this.#send;
    this.#visits = new Visits({
      node: this.#node,
      clock: this.#clock,
      log,
      local: this.#local,
      closed: this.#closing.signal,
      isUp: () => this.#bus.isUp,
      homeOf: (room, mayOpenRoom) => this.#homeOf(room, mayOpenRoom),
      send,
      checkSoon: () => this.#checkSoon(),
    });
    this.#visitors = new Visitors({
      local: this.#local,
      isOpening: (room) => this.#visits.isOpening(room),
      release: (room) => this.#bus.release(room),
      send,
    });
    this.#cancelBeat = this.#clock.after(beatEveryMs, this.#onBeat);
  }

  /** Whether Redis answers. */
  get isUp(): boolean {
    return this.#bus.isUp;
  }

  get state(): RelayState {
    return { ...this.#local.state, redisServers: 1, redisServersUp: this.isUp ? 1 : 0 };
  }

  enter(request: SeatRequest, listener: RoomListener): Promise<SeatAnswer> {
    return this.#visits.enter(request, listener);
  }

  /** Asks all nodes that it shares rooms with whether messages were lost. Resolves when all have answered. */
  check(isBack = false): Promise<void> {
    const visits = new Map<string, [string, number][]>();
    for (const node of this.#visitors.nodes()) visits.set(node, []);
    for (const { home, id, number } of this.#visits.remote()) {
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
    this.#cancelBeat();
    this.#cancelCheck?.();
    const peers = this.#peers();
    this.#closing.abort();
    this.#onFirstUp?.();
    for (const { done } of [...this.#rounds.values()]) done();
    this.#visits.close();
    this.#visitors.close();
    this.#local.close();
    await this.#bus.close(peers, this.#written({ type: "bye" }));
  }

  /** @returns undefined if it may not be opened */
  async #homeOf(room: RoomTag, mayOpenRoom: () => boolean): Promise<string | undefined> {
    if (this.#local.has(room)) return this.#node;
    try {
      let found = await this.#bus.claim(room, false, this.#judges);
      const forgottenMs = this.#rememberedFrom - this.#clock.elapsedMs();
      if (found.how === "free" && forgottenMs > 0) {
        await sleep(this.#clock, forgottenMs, this.#closing.signal);
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

  /**
   * Resolves when Redis first answers, after `withinMs`, or when the relay closes. A node that accepts clients earlier
   * is isolated.
   */
  whenUp(withinMs: number): Promise<void> {
    if (this.isUp || this.#closing.signal.aborted) return Promise.resolve();
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
    void this.beat();
  }

  readonly #onBeat = (): void => {
    this.#cancelBeat = this.#clock.after(beatEveryMs, this.#onBeat);
    void this.beat();
  };

  /** Renews this node's leases, and finds dead nodes. Resolves when no beat is under way. */
  beat(): Promise<void> {
    if (this.#closing.signal.aborted || !this.#bus.isUp) return Promise.resolve();
    this.#beatsAgain = this.#beating !== undefined;
    this.#beating ??= this.#beatOn().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #beatOn(): Promise<void> {
    do {
      this.#beatsAgain = false;
      await this.#beatOnce(this.#beats++);
    } while (this.#beatsAgain && this.#bus.isUp);
  }

  async #beatOnce(beat: number): Promise<void> {
    const startedAt = this.#clock.elapsedMs();
    try {
      await this.#bus.beat();
      const moved = beat % renewRoomsEveryBeats === 0 ? await this.#bus.renew(this.#local.rooms) : [];
      const dead = await this.#bus.deadAmong([...this.#peers()], this.#judges);
      if (this.#clock.elapsedMs() - startedAt > slowBeatMs) this.#believeLater();
      for (const room of moved) this.#release(room);
      if (this.#judges) for (const node of dead) this.#onGone(node, keptForDeadNodeMs);
      this.#visits.retryLost();
      if (beat % checkEveryBeats === 0) void this.check(beat === 0);
    } catch (error) {
      this.#log.debug({ err: error }, "redis does not answer");
    }
  }

  /** Whether the leases in Redis are reliable again after an outage. */
  get #judges(): boolean {
    return this.#clock.elapsedMs() >= this.#judgesFrom;
  }

  #believeLater(): void {
    this.#judgesFrom = this.#clock.elapsedMs() + judgeAfterMs;
  }

  #peers(): Set<string> {
    return new Set([...this.#visitors.nodes(), ...this.#visits.homes()]);
  }

  /** A node died or is stopping: its clients dropped, and its rooms need another home. */
  #onGone(node: string, keptMs?: number): void {
    this.#visitors.nodeGone(node, keptMs);
    this.#visits.homeGone(node);
  }

  /** The room lives both here and elsewhere: all its local members move there. */
  #release(room: RoomTag): void {
    this.#local.forget(room);
    this.#visitors.released(room);
    this.#visits.released(room);
  }

  readonly #send = (node: string, message: NodeMessage): void => {
    this.#bus.publish(node, this.#written(message));
  };

  #written(message: NodeMessage): string {
    // Signals are text here and parsed JSON in messages, so that the receiver validates them.
    const json = JSON.stringify(message, (key, value: unknown) =>
      key === "signal" && isRelayed(value) ? JSON.parse(value.json) : value,
    );
    return `${this.#node} ${json}`;
  }

  #onMessage(text: string): void {
    if (this.#closing.signal.aborted) return;
    const from = decodeValue(nodeIdSchema, text.slice(0, 22));
    const message = decodeValue(nodeMessageSchema, parse(text.slice(22)));
    if (from.ok && message.ok) this.#receive(from.value, message.value);
    else this.#onBadMessage();
  }

  #receive(from: string, message: NodeMessage): void {
    switch (message.type) {
      case "enter":
        this.#visitors.enter(from, message);
        break;
      case "act":
        this.#visitors.acted(from, message);
        break;
      case "check":
        if (message.isBack) void this.check();
        this.#visitors.check(from, message);
        break;
      case "elsewhere":
      case "seated":
      case "pending":
      case "refused":
        this.#visits.answered(from, message);
        break;
      case "event":
        this.#visits.happened(from, message);
        break;
      case "checked":
        this.#visits.checked(from, message);
        this.#roundAnswered(from, message.round);
        break;
      case "bye":
        this.#onGone(from);
    }
  }

  #roundAnswered(from: string, round: number): void {
    const asked = this.#rounds.get(round);
    asked?.waiting.delete(from);
    if (asked?.waiting.size === 0) asked.done();
  }
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
