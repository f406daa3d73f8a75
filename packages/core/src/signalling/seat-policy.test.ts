import { WarrenError } from "@warren/protocol";
import { describePicture } from "@warren/protocol/testing/describe-picture";
import { check } from "@warren/protocol/testing/fuzz";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  advanceSeat,
  attemptEvent,
  lossEvent,
  newSeat,
  type SeatEvent,
  type SeatHolding,
  type SeatState,
  seatBackoffMs,
  seatEvents,
  seatStateSpecs,
  seatStates,
  seatTable,
} from "./seat-policy.ts";

describe("a seat", () => {
  it("has a rule for every event in every state, and leaves closed for none", () => {
    expect(Object.keys(seatTable).sort()).toEqual([...seatEvents].sort());
    for (const event of seatEvents) {
      expect(Object.keys(seatTable[event]).sort(), event).toEqual([...seatStates].sort());
      expect(seatTable[event].closed.to, event).toBeUndefined();
    }
  });

  it("is shown as held exactly while the room sees us", () => {
    const shown = seatStates.filter((state) => seatStateSpecs[state].status === "online");
    expect(shown).toEqual(["held", "moving", "crossing"]);
  });
});

describePicture<SeatState>({
  title: "a seat",
  states: seatStates,
  events: seatEvents.filter((event) => seatStates.some((state) => seatTable[event][state].to)),
  leadsTo: (from, event) => [seatTable[event as SeatEvent][from].to],
});

/** A connection of the client to the service, seen from both ends. */
interface Line {
  readonly id: number;
  /** What is on its way, in both directions. It may be lost only with the line. */
  readonly toServer: "ask"[];
  readonly toClient: ("seated" | "refused" | "drain")[];
  isCut: boolean;
}

/** Our end: a seat with its connections and its wait. */
class Client {
  memory = newSeat;
  current: Line | null = null;
  next: Line | null = null;
  waitsUntil: number | null = null;
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  take(event: SeatEvent, waitMs = 0): void {
    const step = advanceSeat(this.memory, event);
    this.memory = step.memory;
    for (const held of step.ends) this.end(held);
    for (const effect of step.effects) {
      if (this.memory !== step.memory) return;
      if (effect === "start-wait") this.waitsUntil = this.world.now + waitMs;
      else if (effect === "ask") this.next = this.world.open();
      else if (this.current?.isCut) this.lose(this.current);
    }
    const { state } = this.memory;
    const isWaiting = state !== "backingOff" || this.waitsUntil !== null;
    const asks = !["asking", "moving", "crossing"].includes(state) || this.next !== null;
    const holds = !["held", "moving"].includes(state) || this.current !== null;
    if (!isWaiting || !asks || !holds) throw new Error(`${state} waits for nothing after ${event}`);
  }

  end(held: SeatHolding): void {
    if (held === "wait") this.waitsUntil = null;
    else if (held === "attempt") this.next = this.world.close(this.next);
    else this.current = this.world.close(this.current);
  }

  /** A line ended, as a timeout or the service says. */
  lose(line: Line, isRefused = false): void {
    const { current, next } = this;
    const error = new WarrenError(isRefused ? "signalling-replaced" : "signalling-closed");
    if (line === next) {
      this.take(attemptEvent(this.memory, error, !isRefused), this.backoffMs());
      // A connection that carries the seat is not given up for an attempt.
      if (current !== null && this.current !== current) throw new Error("gave up its seat");
    } else if (line === current) {
      this.take(lossEvent(error), this.backoffMs());
      if (isRefused && next === null && this.memory.state !== "closed") throw new Error("asks in vain");
      if (next !== null && this.next !== next) throw new Error("gave up its attempt");
    }
  }

  receive(line: Line): void {
    const message = line.toClient.shift();
    if (message === "refused") this.lose(line, true);
    else if (message === "drain" && line === this.current) this.take("drained", 2_000);
    else if (message === "seated" && line === this.next) {
      this.world.close(this.current);
      this.current = line;
      this.next = null;
      this.take("takes-seat");
    }
  }

  backoffMs(): number {
    return seatBackoffMs(this.memory, 1);
  }
}

/** The service: it gives the seat to whoever asked last, and closes the line that held it. */
class World {
  now = 0;
  isUp = true;
  /** Whether it refuses for good: another page of ours has the seat. */
  refuses = false;
  lines: Line[] = [];
  holder: Line | null = null;
  #count = 0;
  readonly client = new Client(this);

  open(): Line {
    const line: Line = { id: ++this.#count, toServer: ["ask"], toClient: [], isCut: !this.isUp };
    this.lines.push(line);
    return line;
  }

  close(line: Line | null): null {
    if (line !== null) this.lines = this.lines.filter((other) => other !== line);
    return null;
  }

  /** The service reads one message of a line. */
  serve(line: Line): void {
    if (line.isCut || line.toServer.shift() === undefined) return;
    const earlier = this.holder;
    if (this.refuses) line.toClient.push("refused");
    else {
      this.holder = line;
      line.toClient.push("seated");
      if (earlier !== null) earlier.isCut = true;
    }
  }

  advance(ms: number): void {
    this.now += ms;
    const { client } = this;
    if (client.waitsUntil !== null && client.waitsUntil <= this.now) {
      client.waitsUntil = null;
      client.take("wait-ends");
    }
    // Silence is noticed: after 35 s on a connection, after 10 s on an attempt.
    if (ms >= 10_000) for (const line of [...this.lines]) if (line.isCut) client.lose(line);
  }

  /** Does all that is under way, in order. */
  rest(): void {
    for (let count = 0; count < 50; count++)
      for (const line of [...this.lines]) {
        this.serve(line);
        if (!line.isCut) this.client.receive(line);
      }
  }
}

type Command = readonly [name: string, run: (world: World) => void];

const onLine = (name: string, run: (line: Line, world: World) => void): fc.Arbitrary<Command> =>
  fc.nat(2).map((at) => [
    `${name} ${at}`,
    (world) => {
      const line = world.lines[at % Math.max(1, world.lines.length)];
      if (line !== undefined) run(line, world);
    },
  ]);
const always = (name: string, run: (world: World) => void): fc.Arbitrary<Command> =>
  fc.constant([name, run] as const);

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: onLine("the service reads", (line, world) => world.serve(line)) },
  {
    weight: 8,
    arbitrary: onLine("the client reads", (line, world) => !line.isCut && world.client.receive(line)),
  },
  { weight: 4, arbitrary: onLine("the line is cut", (line) => Object.assign(line, { isCut: true })) },
  {
    weight: 4,
    arbitrary: onLine("its end is noticed", (line, world) => line.isCut && world.client.lose(line)),
  },
  {
    weight: 2,
    arbitrary: always(
      "drain",
      ({ holder }) => holder !== null && !holder.isCut && holder.toClient.push("drain"),
    ),
  },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(500, 2_000, 12_000)
      .map((ms): Command => [`${ms} ms`, (world) => world.advance(ms)]),
  },
  { weight: 2, arbitrary: always("wake", (world) => world.client.take("wake")) },
  {
    weight: 1,
    arbitrary: always("another page takes the seat", (world) => {
      world.refuses = true;
      world.holder?.toClient.push("refused");
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .boolean()
      .map((isUp): Command => [isUp ? "up" : "down", (world) => Object.assign(world, { isUp })]),
  },
  { weight: 4, arbitrary: always("rest", (world) => world.rest()) },
);

const quiet: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: onLine("the service reads", (line, world) => world.serve(line)) },
  {
    weight: 3,
    arbitrary: onLine("the client reads", (line, world) => !line.isCut && world.client.receive(line)),
  },
  {
    weight: 1,
    arbitrary: onLine("its end is noticed", (line, world) => line.isCut && world.client.lose(line)),
  },
  { weight: 2, arbitrary: always("2 s", (world) => world.advance(2_000)) },
  { weight: 1, arbitrary: always("wake", (world) => world.client.take("wake")) },
);

describe("a seat and its service, over lines that break, and messages that cross", () => {
  it("end with one line that both take for the seat's, unless it was refused for good", () => {
    let seated = 0;
    check(
      fc.property(fc.array(commands, { maxLength: 40 }), (steps) => {
        const world = new World();
        const { client } = world;
        client.take("start");
        for (const [, run] of steps) run(world);
        const story = steps.map(([name]) => name).join("; ");
        world.isUp = true;
        for (let round = 0; round < 8; round++) {
          world.rest();
          world.advance(35_000);
        }
        world.rest();
        if (world.refuses && client.memory.state === "closed") {
          expect(world.lines, story).toEqual([]);
          return;
        }
        seated++;
        expect(client.memory, story).toEqual({ state: "held", failures: 0, wasHeld: true });
        expect(client.current, story).toBe(world.holder);
        expect(world.lines, story).toEqual([client.current]);
        expect(client.waitsUntil, story).toBeNull();
      }),
      6_000,
    );
    expect(seated).toBeGreaterThan(1_500);
  });

  it("move when the service asks for it, without a moment in which the seat is not held", () => {
    check(
      fc.property(fc.array(quiet, { maxLength: 20 }), (steps) => {
        const world = new World();
        const { client } = world;
        client.take("start");
        world.rest();
        const first = client.current;
        first?.toClient.push("drain");
        for (const [name, run] of steps) {
          run(world);
          expect(seatStateSpecs[client.memory.state].status, name).toBe("online");
        }
        for (let round = 0; round < 2; round++) {
          world.rest();
          world.advance(2_000);
        }
        world.rest();
        expect(client.memory.state).toBe("held");
        expect(client.current?.id).toBeGreaterThan(first?.id ?? 0);
      }),
      1_000,
    );
  });
});
