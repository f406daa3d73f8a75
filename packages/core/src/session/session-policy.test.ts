import { WarrenError } from "@warren/protocol";
import { describePicture } from "@warren/protocol/testing/describe-picture";
import { check } from "@warren/protocol/testing/fuzz";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptLimitMs, backoffMs, freshMs, lastingMs, reconnectAttempts } from "./attempt-policy.ts";
import {
  advanceSession,
  failureEvent,
  isOpen,
  type KnownFacts,
  newSession,
  type SessionEffect,
  type SessionEvent,
  type SessionHolding,
  type SessionMemory,
  type SessionState,
  sessionEvents,
  sessionStateSpecs,
  sessionStates,
  sessionTable,
  shownStatus,
} from "./session-policy.ts";

const noFacts: KnownFacts = { precedes: false, fresh: false, stale: false, unready: false };
const sessionIn = (state: SessionState, known: Partial<SessionMemory> = {}): SessionMemory => ({
  ...newSession,
  state,
  ...known,
});
const step = (memory: SessionMemory, event: SessionEvent, facts: Partial<KnownFacts> = {}) =>
  advanceSession(memory, event, { ...noFacts, ...facts });

describe("a session", () => {
  it("has a rule for every event in every state", () => {
    expect(Object.keys(sessionTable).sort()).toEqual([...sessionEvents].sort());
    for (const event of sessionEvents)
      expect(Object.keys(sessionTable[event]).sort(), event).toEqual([...sessionStates].sort());
  });

  it("leaves closed for no event", () => {
    for (const event of sessionEvents) expect(sessionTable[event].closed.to).toBeUndefined();
  });

  it.each(["incorrect-password", "handshake-failed", "approval-needed", "not-verifiable"] as const)(
    "is not retried by itself after %s",
    (code) => {
      expect(failureEvent(new WarrenError(code))).toBe("refused");
      for (const state of ["connecting", "answering", "connected"] as const)
        expect(step(sessionIn(state, { hasMet: true }), "refused").memory.state).toBe("offline");
    },
  );

  it("starts at once on a wake, unless an attempt younger than 3 s is running", () => {
    expect(step(sessionIn("backingOff"), "wake").memory.state).toBe("queued");
    expect(step(sessionIn("connecting"), "wake").memory.state).toBe("queued");
    expect(step(sessionIn("connecting"), "wake", { fresh: true }).memory.state).toBe("connecting");
  });

  it("is shown as reconnecting for ten failures in a row, then as disconnected", () => {
    const failed = (failures: number) =>
      shownStatus(step(sessionIn("connecting", { hasMet: true, failures }), "fails").memory);
    expect(failed(reconnectAttempts - 1)).toBe("reconnecting");
    expect(failed(reconnectAttempts)).toBe("disconnected");
  });

  it("ends for good with the connection to a peer that has left the room", () => {
    for (const state of ["open", "connected", "interrupted"] as const)
      for (const event of ["breaks", "fails", "refused", "peer-ends"] as const) {
        const { memory, effects } = step(sessionIn(state, { isAway: true }), event);
        expect([memory.state, effects]).toEqual(["closed", ["report-gone", "close-links"]]);
      }
    expect(step(sessionIn("connected", { isAway: true }), "peer-rejoins").memory.isAway).toBe(false);
  });
});

describePicture<SessionState>({
  title: "a session",
  states: sessionStates,
  events: sessionEvents.filter((event) => sessionStates.some((state) => sessionTable[event][state].to)),
  leadsTo: (from, event) => {
    const rule = sessionTable[event as SessionEvent][from];
    return [rule.to, ...Object.values(rule.when ?? {}).map(({ to }) => to)];
  },
});

/** One connection between the two, once both descriptions have arrived. */
interface Link {
  readonly id: number;
  /** Still held by these sides. */
  readonly holders: Set<Side>;
  readonly profiles: Set<Side>;
}

type Signal = { readonly type: "invite" | "answer"; readonly id: number };

/** States in which nothing has to happen. */
const restful: readonly SessionState[] = ["new", "idle", "connected", "offline", "closed"];

/** One side's session, with timers, signals and connections as far as the state machine distinguishes them. */
class Side {
  memory = newSession;
  timers = new Map<SessionHolding, { readonly at: number; readonly run: () => void }>();
  outbox: Signal[] = [];
  /** Our attempt, or the one that we answer. */
  attempt: { readonly id: number; readonly at: number } | null = null;
  invited: { id: number; at: number } | null = null;
  link: Link | null = null;
  lostSince: number | null = null;
  readonly isPolite: boolean;
  readonly world: World;

  constructor(isPolite: boolean, world: World) {
    this.isPolite = isPolite;
    this.world = world;
  }

  get peer(): Side {
    return this === this.world.ann ? this.world.ben : this.world.ann;
  }

  take(event: SessionEvent, waitMs = 0): void {
    const { now } = this.world;
    const step = advanceSession(this.memory, event, {
      precedes: !this.isPolite,
      fresh: this.attempt !== null && now - this.attempt.at < freshMs,
      stale: this.invited !== null && now - this.invited.at >= attemptLimitMs,
      unready: this.link?.profiles.has(this.peer) !== true,
    });
    this.memory = step.memory;
    for (const held of step.ends) {
      if (held === "connection") this.dropConnection();
      else this.timers.delete(held);
    }
    for (const effect of step.effects) {
      if (this.memory !== step.memory) return;
      this.perform(effect, waitMs);
    }
    if (!restful.includes(this.memory.state) && this.timers.size === 0)
      throw new Error(`${this.memory.state} waits for nothing after ${event}`);
  }

  start(held: SessionHolding, delayMs: number, event: SessionEvent): void {
    const run = () => {
      this.timers.delete(held);
      this.take(event);
    };
    this.timers.set(held, { at: this.world.now + delayMs, run });
  }

  perform(effect: SessionEffect, waitMs: number): void {
    const { world } = this;
    const effects: Readonly<Record<SessionEffect, () => void>> = {
      "start-wait": () => this.start("wait", waitMs, "wait-ends"),
      "start-backoff": () => this.start("wait", backoffMs(this.memory.failures, 0.5), "wait-ends"),
      "start-limit": () => {
        if (!this.timers.has("limit")) this.start("limit", attemptLimitMs, "limit-ends");
      },
      "stop-limit": () => this.timers.delete("limit"),
      "start-lasting": () => this.start("lasting", lastingMs, "has-lasted"),
      "queue-own": () => this.start("turn", world.queueMs, "turn-comes"),
      "queue-answer": () => this.start("turn", world.queueMs, "turn-comes"),
      "renew-invitation": () => {},
      "start-own": () => {
        this.attempt = { id: ++world.attempts, at: world.now };
        this.outbox.push({ type: "invite", id: this.attempt.id });
      },
      "start-answer": () => {
        this.attempt = { id: this.invited?.id ?? 0, at: world.now };
        this.outbox.push({ type: "answer", id: this.attempt.id });
      },
      decline: () => {},
      "restart-ice": () => {},
      "close-links": () => {},
      "report-gone": () => {},
    };
    effects[effect]();
  }

  dropConnection(): void {
    const { link, peer } = this;
    this.attempt = null;
    this.link = null;
    this.lostSince = null;
    if (!link?.holders.delete(this) || this.world.isCut) return;
    // The datagram that says so may be lost.
    if (this.world.isClosingHeard && peer.link === link) peer.take("breaks", 300);
  }

  receive({ type, id }: Signal): void {
    const { peer } = this;
    if (type === "invite") {
      // Of one run, only the first message starts anything.
      if (this.invited !== null && this.invited.id >= id) return;
      this.invited = { id, at: this.world.now };
      this.take("peer-invites");
    } else if (this.memory.state === "connecting" && this.attempt?.id === id) {
      if (this.world.isCut || peer.memory.state !== "answering" || peer.attempt?.id !== id) return;
      const link: Link = { id, holders: new Set([this, peer]), profiles: new Set() };
      for (const side of [this, peer]) {
        side.link = link;
        side.take("opens");
      }
    }
  }

  /** The page is loaded again, without a word to anybody. */
  reload(): void {
    this.link?.holders.delete(this);
    this.memory = newSession;
    this.timers.clear();
    this.outbox = [];
    this.attempt = this.invited = this.link = this.lostSince = null;
  }

  /** Meets the peer in the room. */
  meet(waitMs: number): void {
    if (this.memory.state === "closed") this.reload();
    if (this.memory.state === "new") {
      this.take("listen");
      this.take("connect", waitMs);
    } else this.take("peer-rejoins", waitMs);
  }

  /** What the connection does by itself, a moment later. */
  notice(): void {
    const { link, peer, world } = this;
    if (link === null) return;
    const isLost = world.isCut || !link.holders.has(peer);
    if (!isLost) {
      this.lostSince = null;
      if (peer.memory.state !== "closed" && !link.profiles.has(peer)) {
        link.profiles.add(peer);
        this.take("profile-arrives");
      }
      if (this.memory.state === "interrupted") this.take("recovers");
      return;
    }
    this.lostSince ??= world.now;
    if (world.now - this.lostSince >= 2_000) this.take("interrupted");
  }
}

class World {
  now = 0;
  attempts = 0;
  isCut = false;
  isClosingHeard = true;
  queueMs = 0;
  readonly ann: Side = new Side(false, this);
  readonly ben: Side = new Side(true, this);

  get rests(): boolean {
    return this.sides().every(
      ({ memory, timers, link }) =>
        memory.state !== "open" && timers.size === 0 && (link === null || link.holders.size === 2),
    );
  }

  sides(): readonly [Side, Side] {
    return [this.ann, this.ben];
  }

  /** @param isReliable whether signals arrive, each at once; then time ends when nothing more is to happen. */
  advance(durationMs: number, isReliable: boolean): void {
    const untilMs = this.now + durationMs;
    for (let steps = 0; this.now < untilMs && !(isReliable && this.rests); steps++) {
      if (steps > 2_000) throw new Error("does not come to rest");
      const due = Math.min(
        this.now + 1_000,
        untilMs,
        ...this.sides().flatMap(({ timers }) => [...timers.values()].map(({ at }) => at)),
      );
      this.now = Math.max(this.now, due);
      for (const side of this.sides())
        for (const [held, { at, run }] of [...side.timers])
          if (at <= this.now && side.timers.get(held)?.run === run) run();
      if (isReliable)
        for (const side of this.sides()) while (side.outbox.length > 0) this.deliver(side, 0, 1);
      for (const side of this.sides()) side.notice();
    }
  }

  deliver(from: Side, at: number, copies: number): void {
    const [signal] = from.outbox.length === 0 ? [] : from.outbox.splice(at % from.outbox.length, 1);
    for (let n = 0; signal && n < copies; n++) from.peer.receive(signal);
  }

  returns(side: Side): void {
    for (const one of [side, side.peer]) one.meet(one.isPolite ? 2_000 : 0);
  }
}

type Command = readonly [name: string, run: (world: World) => void];

const bySide = (name: string, run: (side: Side, world: World) => void): fc.Arbitrary<Command> =>
  fc
    .boolean()
    .map((isAnn) => [
      `${isAnn ? "ann" : "ben"}: ${name}`,
      (world) => run(isAnn ? world.ann : world.ben, world),
    ]);
const events = (...names: SessionEvent[]) =>
  names.map((event) => ({ weight: 1, arbitrary: bySide(event, (side) => side.take(event)) }));

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.nat(3), fc.constantFrom(1, 1, 1, 2, 0))
      .chain(([at, copies]) =>
        bySide(`deliver ${at} x${copies}`, (side, world) => world.deliver(side, at, copies)),
      ),
  },
  {
    weight: 8,
    arbitrary: fc
      .constantFrom(10, 300, 2_000, 5_000, 12_000)
      .map((ms): Command => [`${ms} ms`, (world) => world.advance(ms, false)]),
  },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (isCut): Command => [
        isCut ? "cut" : "heal",
        (world) => {
          world.isCut = isCut;
        },
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isHeard): Command => [
        isHeard ? "closing is heard" : "closing is lost",
        (world) => {
          world.isClosingHeard = isHeard;
        },
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 700, 11_000).map(
      (ms): Command => [
        `turns after ${ms} ms`,
        (world) => {
          world.queueMs = ms;
        },
      ],
    ),
  },
  { weight: 3, arbitrary: bySide("its link to the server is back", (side, world) => world.returns(side)) },
  {
    weight: 2,
    arbitrary: bySide("reloads", (side, world) => {
      side.reload();
      world.returns(side);
    }),
  },
  { weight: 1, arbitrary: bySide("is lost by the server", (side) => side.peer.take("peer-leaves")) },
  {
    weight: 1,
    arbitrary: bySide("ends the session", (side) => {
      if (!isOpen(side.memory.state)) return;
      side.peer.take("peer-ends");
      side.take("close");
    }),
  },
  ...events("wake", "retry", "refused", "fails", "breaks"),
);

describe("two sessions, over a wire that loses, repeats, reorders and reconnects", () => {
  it("meet in the end over one connection, and wait for nothing that does not come", () => {
    let met = 0;
    check(
      fc.property(
        fc.array(commands, { maxLength: 30 }),
        fc.boolean(),
        fc.boolean(),
        (steps, isMet, isBack) => {
          const world = new World();
          const { ann, ben } = world;
          world.returns(ann);
          // By chance alone, few would be connected before something happens.
          if (isMet) world.advance(5_000, true);
          for (const [, run] of steps) run(world);
          const story = steps.map(([name]) => name).join("; ");
          world.isCut = false;
          world.queueMs = 0;
          world.isClosingHeard = true;
          for (const side of world.sides()) side.outbox = [];
          for (const side of world.sides())
            if (isBack || side.memory.isAway || side.memory.state === "closed") world.returns(side);
          world.advance(90_000, true);
          const pair = [ann.memory.state, ben.memory.state];
          // Refused at both ends: nothing starts before there is news.
          if (!isBack && pair.every((state) => state === "offline")) return;
          met++;
          expect(pair, story).toEqual(["connected", "connected"]);
          expect(ann.link, story).toBe(ben.link);
          expect([ann.memory.failures, ben.memory.failures, ann.timers.size, ben.timers.size], story).toEqual(
            [0, 0, 0, 0],
          );
        },
      ),
      5_000,
    );
    expect(met).toBeGreaterThan(4_000);
  });

  it("keep only what their states allow", () => {
    for (const { keeps, enters } of Object.values(sessionStateSpecs)) {
      // What a state begins, it has not kept.
      if (enters.includes("start-lasting")) expect(keeps).not.toContain("lasting");
      if (enters.some((effect) => effect.startsWith("queue-"))) expect(keeps).not.toContain("turn");
      if (enters.some((effect) => /^start-(own|answer)$/.test(effect)))
        expect(keeps).not.toContain("connection");
    }
  });
});
