import type { ClientId, PeerMessage, PeerMessageOf } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { Ringing, ringMs } from "./ringing.ts";

const [mara, jun, ida] = ["a", "b", "c"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`) as [
  ClientId,
  ClientId,
  ClientId,
];

/** A client that cannot be called. */
const deaf: ClientId = "dddddddd-0000-4000-8000-000000000000";

type RingMessage = PeerMessageOf<"ring" | "ring-answer" | "ring-end">;

/** Phones that ring each other; messages arrive at once unless a phone is unreachable. */
class Phones {
  readonly clock = new FakeClock();
  readonly unreachable = new Set<ClientId>();
  readonly log: string[] = [];
  /** The calls that are over: at whom, how it ended, with whom, who called, and for how long. */
  readonly over: string[] = [];
  /** Messages on their way, while they are held back. */
  held: (() => void)[] | null = null;
  readonly #phones = new Map<ClientId, Ringing>();

  of(own: ClientId): Ringing {
    const known = this.#phones.get(own);
    if (known) return known;
    const phone = new Ringing({
      clock: this.clock,
      rings: (peer) => peer !== deaf,
      send: (to, message) => this.#deliver(own, to, message),
    });
    phone.on("answered", (from, answer) => this.log.push(`${own[0]}: ${from[0]} ${answer}`));
    phone.on("missed", ({ from }) => this.log.push(`${own[0]}: missed ${from[0]}`));
    phone.on("hung-up", (partner) => this.log.push(`${own[0]}: ${partner[0]} hung up`));
    phone.on("over", ({ caller, other, outcome, durationMs }) => {
      const sides = `${other?.[0] ?? "all"} by ${(caller ?? own)[0]}`;
      this.over.push(`${own[0]}: ${outcome} ${sides}${durationMs > 0 ? ` ${durationMs}` : ""}`);
    });
    this.#phones.set(own, phone);
    return phone;
  }

  #deliver(from: ClientId, to: ClientId, message: OutgoingMessage): void {
    if (this.unreachable.has(to) || this.unreachable.has(from)) throw new Error("unreachable");
    const envelope = { id: "", client: from, target: to, createdAt: 0 };
    const arrive = () => this.of(to).receive(from, { ...envelope, ...message } as PeerMessage as RingMessage);
    if (this.held) this.held.push(arrive);
    else arrive();
  }

  release(): void {
    const arrivals = this.held ?? [];
    this.held = null;
    for (const arrive of arrivals) arrive();
  }
}

let phones: Phones;
const toOne = { video: false, toRoom: false };
const toAll = { video: true, toRoom: true };
const stateOf = (own: ClientId) => phones.of(own).store.getState();
const callersOf = (own: ClientId) => stateOf(own).incoming.map(({ from }) => from);

beforeEach(() => {
  phones = new Phones();
});

describe("a call to one", () => {
  it("rings at the other, and joins both once accepted", () => {
    phones.of(mara).ring([jun], { video: true, toRoom: false });
    expect(stateOf(jun).incoming).toMatchObject([{ from: mara, video: true, toRoom: false }]);
    expect(phones.of(jun).join(mara)).toMatchObject({ from: mara });
    expect([stateOf(mara), stateOf(jun)]).toEqual([
      { incoming: [], outgoing: null, partner: jun },
      { incoming: [], outgoing: null, partner: mara },
    ]);
    expect(phones.log).toEqual(["a: b join"]);
  });

  it.each([mara, jun])("ends for both when one of them hangs up: %s", (who) => {
    phones.of(mara).ring([jun], toOne);
    phones.of(jun).join(mara);
    phones.of(who).hangUp();
    expect([stateOf(mara).partner, stateOf(jun).partner]).toEqual([null, null]);
    expect(phones.log).toEqual(["a: b join", who === mara ? "b: a hung up" : "a: b hung up"]);
  });

  it("tells the caller that it was declined", () => {
    phones.of(mara).ring([jun], toOne);
    phones.of(jun).decline(mara);
    expect([stateOf(mara), stateOf(jun)]).toMatchObject([
      { outgoing: null, partner: null },
      { incoming: [] },
    ]);
    expect(phones.log).toEqual(["a: b decline"]);
  });

  it("stops ringing on both sides when nobody answers, and when it is withdrawn", async () => {
    phones.of(mara).ring([jun], toOne);
    await phones.clock.advance(ringMs);
    expect([stateOf(mara).outgoing, callersOf(jun)]).toEqual([null, []]);
    expect(phones.log.toSorted()).toEqual(["a: b none", "b: missed a"]);
    phones.of(mara).ring([jun], toOne);
    phones.of(mara).hangUp();
    expect([stateOf(mara).outgoing, callersOf(jun)]).toEqual([null, []]);
  });

  it("stops ringing by itself where the end of the ring is lost", async () => {
    phones.of(mara).ring([jun], toOne);
    phones.unreachable.add(mara);
    await phones.clock.advance(ringMs);
    expect(callersOf(jun)).toEqual([]);
  });

  it.each([
    ["at the same moment", true],
    ["one after the other", false],
  ])("needs no further press where both call each other %s", (_when, isHeld) => {
    phones.held = isHeld ? [] : null;
    phones.of(mara).ring([jun], toOne);
    phones.of(jun).ring([mara], toOne);
    phones.release();
    expect([stateOf(mara), stateOf(jun)]).toEqual([
      { incoming: [], outgoing: null, partner: jun },
      { incoming: [], outgoing: null, partner: mara },
    ]);
    phones.of(jun).hangUp();
    expect(stateOf(mara).partner).toBeNull();
  });

  it("rings again at a peer that returns, as the same call", () => {
    phones.of(mara).ring([jun], toOne);
    phones.of(mara).peerReady(jun);
    expect(callersOf(jun)).toEqual([mara]);
    phones.of(jun).decline(mara);
    phones.of(mara).peerReady(jun);
    expect(callersOf(jun)).toEqual([]);
  });

  it("is missed by one who accepts it when the caller cannot be reached", () => {
    phones.of(mara).ring([jun], toOne);
    phones.unreachable.add(mara);
    expect(phones.of(jun).join(mara)).toBeNull();
    expect(stateOf(jun)).toEqual({ incoming: [], outgoing: null, partner: null });
    expect(phones.log).toEqual(["b: missed a"]);
  });

  it("does not reach a client that cannot be called", () => {
    phones.of(mara).ring([deaf], toOne);
    expect([stateOf(mara).outgoing, callersOf(deaf)]).toEqual([null, []]);
    expect(phones.log).toEqual(["a: d none"]);
  });

  it("ends with the membership of either", () => {
    phones.of(mara).ring([jun, ida], toAll);
    phones.of(mara).peerLeft(jun);
    expect(stateOf(mara).outgoing?.waiting).toEqual([ida]);
    phones.of(ida).peerLeft(mara);
    expect(callersOf(ida)).toEqual([]);
    phones.of(mara).ring([jun], toOne);
    phones.of(jun).join(mara);
    phones.of(jun).peerLeft(mara);
    expect(stateOf(jun).partner).toBeNull();
    phones.of(mara).close();
    expect(stateOf(mara)).toEqual({ incoming: [], outgoing: null, partner: null });
  });
});

describe("a call to everyone", () => {
  it("goes on ringing at the others once one has joined, and has no partner", () => {
    phones.of(mara).ring([jun, ida], toAll);
    phones.of(jun).join(mara);
    expect(stateOf(mara)).toMatchObject({ outgoing: { waiting: [ida] }, partner: null });
    phones.of(ida).decline(mara);
    expect(stateOf(mara)).toMatchObject({ outgoing: null, partner: null });
    expect(phones.log).toEqual(["a: b join", "a: c decline"]);
  });
});

describe("a call that is over", () => {
  const over = () => phones.over.toSorted();

  it.each([mara, jun])("ended for both after the same time, whoever hangs up: %s", async (who) => {
    phones.of(mara).ring([jun], toOne);
    await phones.clock.advance(10_000);
    phones.of(jun).join(mara);
    await phones.clock.advance(150_000);
    phones.of(who).hangUp();
    expect(over()).toEqual(["a: ended b by a 150000", "b: ended a by a 150000"]);
  });

  it("ended also where a membership does", async () => {
    phones.of(mara).ring([jun], toOne);
    phones.of(jun).join(mara);
    await phones.clock.advance(1_000);
    phones.of(mara).close();
    phones.of(jun).peerLeft(mara);
    expect(over()).toEqual(["a: ended b by a 1000", "b: ended a by a 1000"]);
  });

  it("is one call where both called", async () => {
    phones.of(mara).ring([jun], toOne);
    phones.of(jun).ring([mara], toOne);
    await phones.clock.advance(1_000);
    phones.of(jun).hangUp();
    expect(over()).toEqual(["a: ended b by a 1000", "b: ended a by a 1000"]);
  });

  it.each<[string, string, () => unknown]>([
    ["declined", "declined", () => phones.of(jun).decline(mara)],
    ["not answered", "unanswered", () => phones.clock.advance(ringMs)],
    ["taken back", "unanswered", () => phones.of(mara).hangUp()],
  ])("was %s", async (_what, outcome, end) => {
    phones.of(mara).ring([jun], toOne);
    await end();
    expect(over()).toEqual([`a: ${outcome} b by a`, `b: ${outcome} a by a`]);
  });

  it("was not answered where one of the two leaves, or cannot be called", () => {
    phones.of(mara).ring([jun], toOne);
    phones.of(jun).close();
    phones.of(mara).peerLeft(jun);
    phones.of(mara).ring([deaf], toOne);
    expect(over()).toEqual(["a: unanswered b by a", "a: unanswered d by a", "b: unanswered a by a"]);
  });

  it("was not answered by everyone only if nobody joined", () => {
    phones.of(mara).ring([jun, ida], toAll);
    phones.of(jun).decline(mara);
    phones.of(ida).join(mara);
    expect(over()).toEqual(["b: declined all by a"]);
    phones.of(mara).ring([jun, ida], toAll);
    phones.of(jun).join(mara);
    phones.of(mara).hangUp();
    expect(over()).toEqual(["b: declined all by a", "c: unanswered all by a"]);
    phones.of(mara).ring([jun], toAll);
    phones.of(jun).decline(mara);
    expect(over().filter((line) => line.startsWith("a"))).toEqual(["a: unanswered all by a"]);
  });
});

describe("what a peer may send", () => {
  const wire = (message: Partial<RingMessage>) =>
    ({ client: mara, target: jun, createdAt: 0, ...message }) as RingMessage;

  it("rings four times a minute", async () => {
    for (let ring = 0; ring < 9; ring++) {
      phones.of(mara).ring([jun], toOne);
      phones.of(jun).decline(mara);
    }
    expect(phones.log.filter((line) => line === "a: b decline")).toHaveLength(4);
    await phones.clock.advance(60_000);
    phones.of(mara).ring([jun], toOne);
    expect(callersOf(jun)).toEqual([mara]);
  });

  it("replaces its ring by a newer one, and ends neither with the id of another", () => {
    phones.of(jun).receive(mara, wire({ type: "ring", id: "ring-0001", video: false }));
    phones.of(jun).receive(mara, wire({ type: "ring", id: "ring-0002", video: true }));
    expect(stateOf(jun).incoming).toMatchObject([{ id: "ring-0002", video: true }]);
    phones.of(jun).receive(mara, wire({ type: "ring-end", id: "ring-0001" }));
    expect(callersOf(jun)).toEqual([mara]);
  });

  it("answers only a ring to it", () => {
    phones.of(jun).ring([ida], toOne);
    const { outgoing } = stateOf(jun);
    phones.of(jun).receive(mara, wire({ type: "ring-answer", id: outgoing?.id ?? "", answer: "join" }));
    phones.of(jun).receive(ida, wire({ type: "ring-answer", id: "ring-0001", answer: "join" }));
    phones.of(jun).receive(mara, wire({ type: "ring-end", id: outgoing?.id ?? "" }));
    expect(stateOf(jun)).toMatchObject({ outgoing: { waiting: [ida] }, partner: null });
  });
});
