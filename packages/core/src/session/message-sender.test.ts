import { messageRates, type PeerMessage, unreadMax } from "@warren/protocol";
import { check } from "@warren/protocol/testing/fuzz";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { MessageBudgets } from "./message-budget.ts";
import { MessageChannel, type OutgoingMessage } from "./message-channel.ts";

const annId = "00000000-0000-4000-8000-00000000000a";
const benId = "00000000-0000-4000-8000-00000000000b";

const small: OutgoingMessage = { type: "resume-file", fid: "some-file" };
const large = (characters: number): OutgoingMessage => ({
  type: "send-clipboard",
  data: "x".repeat(characters),
});

/** One end of a channel whose bytes leave, and whose messages arrive, when a test lets them. */
class Wire extends EventTarget {
  readyState: RTCDataChannelState = "open";
  isBufferFull = false;
  readonly #buffer: string[] = [];
  readonly #underWay: string[] = [];
  /** Whether the browser shows that bytes have left only once more are sent. */
  isReportingLate = false;
  #unshown = 0;
  other: Wire | null = null;

  get bufferedAmount(): number {
    return this.#buffer.reduce((sum, { length }) => sum + length, this.#unshown);
  }

  /** The frames that have not arrived. */
  get pending(): number {
    return this.#buffer.length + this.#underWay.length;
  }

  send(frame: string): void {
    if (this.readyState !== "open" || this.isBufferFull) throw new DOMException("", "OperationError");
    this.#buffer.push(frame);
    this.isReportingLate = false;
    this.#unshown = 0;
  }

  /** All bytes leave the buffer. */
  leave(): void {
    if (this.#buffer.length === 0) return;
    if (this.isReportingLate) this.#unshown = this.bufferedAmount;
    this.#underWay.push(...this.#buffer.splice(0));
    if (!this.isReportingLate) this.dispatchEvent(new Event("bufferedamountlow"));
  }

  /** All that has left arrives at once. */
  arrive(): void {
    for (const data of this.#underWay.splice(0))
      this.other?.dispatchEvent(new MessageEvent("message", { data }));
  }

  close(): void {
    this.readyState = "closed";
  }
}

/** A client with its page, which answers as the app does. */
class Side {
  readonly #clock: FakeClock;
  readonly #id: string;
  readonly #peerId: string;
  #budgets: MessageBudgets;
  wire = new Wire();
  channel: MessageChannel;
  /** Whether it answers at all. */
  isAnswering = true;
  readonly received: PeerMessage[] = [];
  readonly violations: string[] = [];
  timesClosed = 0;

  constructor(clock: FakeClock, id: string, peerId: string) {
    this.#clock = clock;
    this.#id = id;
    this.#peerId = peerId;
    this.#budgets = new MessageBudgets(clock);
    this.channel = this.connect();
  }

  /** Opens a channel, which is to be tied to that of the other side. */
  connect(): MessageChannel {
    this.channel?.close();
    this.wire = new Wire();
    this.received.length = 0;
    const parties = { selfId: this.#id, peerId: this.#peerId };
    const { wire } = this;
    const channel = new MessageChannel(
      wire as unknown as RTCDataChannel,
      parties,
      this.#clock,
      this.#budgets.of(this.#peerId),
    );
    channel.on("violation", (issue) => this.violations.push(issue));
    channel.on("closed", () => this.timesClosed++);
    channel.on("message", (message) => {
      this.received.push(message);
      if (!this.isAnswering) return;
      const { id, type } = message;
      if (type === "check-message" && message.pending)
        channel.send({ type: "error", id, error: "unknown", code: "check-message-not-found" });
      else if (type === "send-clipboard") channel.send({ type: "check-message", id });
    });
    this.channel = channel;
    return channel;
  }

  /** The page is opened again, and knows nothing of what it sent and read before. */
  reload(): void {
    this.#budgets = new MessageBudgets(this.#clock);
  }

  /** How many it received of a type. */
  countOf(type: PeerMessage["type"]): number {
    return this.received.filter((message) => message.type === type).length;
  }
}

class Pair {
  readonly clock = new FakeClock();
  readonly ann = new Side(this.clock, annId, benId);
  readonly ben = new Side(this.clock, benId, annId);

  constructor() {
    this.#tie();
  }

  reconnect(): void {
    this.ann.connect();
    this.ben.connect();
    this.#tie();
  }

  /** Advances time while the network lets everything through. */
  flow(durationMs: number): void {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 20) {
      for (const { wire } of [this.ann, this.ben]) {
        wire.leave();
        wire.arrive();
      }
      this.clock.tick(20);
    }
  }

  #tie(): void {
    this.ann.wire.other = this.ben.wire;
    this.ben.wire.other = this.ann.wire;
  }
}

describe("messages", () => {
  let pair: Pair;

  beforeEach(() => {
    pair = new Pair();
  });

  it("are held back once 500 are unread, and continue as they are read", () => {
    const { ann, ben } = pair;
    for (let i = 0; i < 1_200; i++) ann.channel.send(small);
    expect(ann.wire.pending).toBe(unreadMax.frames);
    pair.flow(1_200 / (messageRates.frames.perSecond / 1_000));
    expect(ben.countOf("resume-file")).toBe(1_200);
    expect(ben.violations).toEqual([]);
  });

  it("in turn leave when the peer can read them at once, and others do not wait behind them", async () => {
    const { ann, ben } = pair;
    for (let i = 0; i < 12; i++) void ann.channel.sendInTurn(large(200_000));
    pair.flow(1_000);
    expect(ben.countOf("send-clipboard")).toBe(10);
    ann.channel.send(small);
    pair.flow(100);
    expect(ben.countOf("resume-file")).toBe(1);
    pair.flow(3_000);
    expect(ben.countOf("send-clipboard")).toBe(11);
  });

  it("in turn are reported as sent when their bytes have left", async () => {
    let isSent = false;
    void pair.ann.channel.sendInTurn(large(1)).then(() => {
      isSent = true;
    });
    pair.clock.tick(10_000);
    await Promise.resolve();
    expect(isSent).toBe(false);
    pair.ann.wire.leave();
    await expect.poll(() => isSent).toBe(true);
  });

  it("in turn are reported as not sent when the channel closes first", async () => {
    const sending = Promise.allSettled([large(1), large(2)].map((text) => pair.ann.channel.sendInTurn(text)));
    pair.ann.channel.close();
    expect((await sending).map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(pair.clock.timerCount).toBe(0);
  });

  it("that the browser's full buffer refuses are sent later, in order", () => {
    const { ann, ben } = pair;
    ann.wire.isBufferFull = true;
    ann.channel.send({ ...small, id: "message-1" });
    void ann.channel.sendInTurn({ ...large(1), id: "message-3" });
    ann.wire.isBufferFull = false;
    ann.channel.send({ ...small, id: "message-2" });
    pair.flow(1_000);
    const shown = ben.received.filter(({ type }) => type !== "check-message").map(({ id }) => id);
    expect(shown).toEqual(["message-1", "message-2", "message-3"]);
    ann.wire.isBufferFull = true;
    void ann.channel.sendInTurn({ ...large(1), id: "message-4" });
    ann.wire.isBufferFull = false;
    pair.flow(1_020);
    expect(ben.received.at(-1)?.id).toBe("message-4");
  });

  it("in turn leave although the browser does not show that earlier ones have left", () => {
    const { ann, ben } = pair;
    ann.channel.send(small);
    ann.wire.isReportingLate = true;
    pair.flow(20);
    void ann.channel.sendInTurn({ ...large(1), id: "message-2" });
    pair.flow(100);
    expect(ben.received.at(-1)?.id).toBe("message-2");
  });

  it("that give the peer credit leave although we have none, so that two that send much never wait for each other", () => {
    for (const side of [pair.ann, pair.ben]) for (let i = 0; i < 2_000; i++) side.channel.send(small);
    pair.flow(45_000);
    for (const side of [pair.ann, pair.ben]) {
      expect(side.countOf("resume-file")).toBe(2_000);
      expect(side.violations).toEqual([]);
    }
  });

  it("end the channel if they wait for a minute and the peer reads nothing", () => {
    const { ann, ben } = pair;
    ben.isAnswering = false;
    // And a question, which it does not answer.
    for (let i = 1; i < unreadMax.frames; i++) ann.channel.send(small);
    pair.flow(120_000);
    expect(ann.timesClosed).toBe(0);
    ann.channel.send(small);
    pair.flow(59_000);
    expect(ann.timesClosed).toBe(0);
    pair.flow(2_000);
    expect([ann.timesClosed, ann.channel.isOpen, pair.clock.timerCount]).toEqual([1, false, 0]);
  });

  it("end the channel if too many wait, which an honest peer cannot cause", () => {
    const { ann } = pair;
    for (let i = 0; i <= 5_000 && ann.channel.isOpen; i++) ann.channel.send(small);
    expect(ann.timesClosed).toBe(1);
  });

  it("with which a connection ends wait for nothing", () => {
    const { ann, ben } = pair;
    for (let i = 0; i < 600; i++) ann.channel.send(small);
    ann.channel.send({ type: "end" });
    pair.flow(20_000);
    expect(ben.countOf("end")).toBe(1);
  });
});

describe("a client that only keeps to the documented rates", () => {
  it("is not refused when the network holds up a minute of it", () => {
    const { ben, ann } = new Pair();
    const { burst, perSecond } = messageRates.frames;
    const frame = JSON.stringify({ ...small, id: "message-1", client: annId, target: benId, createdAt: 1 });
    for (let i = 0; i < burst + 60 * perSecond; i++) ann.wire.send(frame);
    ann.wire.leave();
    ann.wire.arrive();
    expect(ben.violations.length).toBeGreaterThan(0);
    expect(ben.violations.length).toBeLessThan(20);
  });
});

describe("two honest clients", () => {
  const who = fc.constantFrom("ann" as const, "ben" as const);
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("send" as const),
        who,
        ...{ count: fc.integer({ min: 1, max: 1_500 }), characters: fc.constant(1) },
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("send" as const),
        who,
        ...{ count: fc.integer({ min: 1, max: 200 }), characters: fc.integer({ min: 1, max: 64 * 1024 }) },
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("send in turn" as const),
        who,
        sizes: fc.array(fc.integer({ min: 1, max: 200 * 1024 }), { minLength: 1, maxLength: 60 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom("wait" as const, "wait, bytes leaving" as const),
        who,
        forMs: fc.integer({ min: 1, max: 50_000 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("arrive" as const), who }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("flow" as const), forMs: fc.integer({ min: 20, max: 10_000 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom("reload" as const, "reconnect" as const), who }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("fill buffer" as const), who, isFull: fc.boolean() }),
    },
  );

  it("never violate the protocol, whatever the network does, and all they send arrives in order", () => {
    check(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const pair = new Pair();
        const { ann, ben, clock } = pair;
        const sent = { ann: [] as string[], ben: [] as string[] };
        // A peer that read nothing for too long is given up, and the app sends what matters again.
        const isOpen = () => ann.channel.isOpen && ben.channel.isOpen;
        let last = 0;
        const ids = (kind: string) => `${kind}-${String(++last).padStart(8, "0")}`;
        for (const action of steps) {
          if (action.do === "send")
            for (let i = 0; i < action.count && pair[action.who].channel.isOpen; i++) {
              const id = ids("now");
              sent[action.who].push(id);
              pair[action.who].channel.send({ type: "send-text", data: "x".repeat(action.characters), id });
            }
          else if (action.do === "send in turn")
            for (const size of action.sizes) {
              const id = ids("turn");
              sent[action.who].push(id);
              pair[action.who].channel.sendInTurn({ ...large(size), id }).catch(() => {});
            }
          else if (action.do === "wait") clock.tick(action.forMs);
          else if (action.do === "wait, bytes leaving")
            for (let passedMs = 0; passedMs < action.forMs; passedMs += 100) {
              pair[action.who].wire.leave();
              clock.tick(100);
            }
          else if (action.do === "arrive") pair[action.who].wire.arrive();
          else if (action.do === "flow") pair.flow(action.forMs);
          else if (action.do === "fill buffer") pair[action.who].wire.isBufferFull = action.isFull;
          else {
            if (action.do === "reload") pair[action.who].reload();
            pair.reconnect();
            sent.ann.length = 0;
            sent.ben.length = 0;
          }
          expect([...ann.violations, ...ben.violations]).toEqual([]);
          if (isOpen()) continue;
          pair.reconnect();
          sent.ann.length = 0;
          sent.ben.length = 0;
        }
        ann.wire.isBufferFull = false;
        ben.wire.isBufferFull = false;
        const isBusy = () => ann.wire.pending + ben.wire.pending + clock.timerCount > 0;
        for (let i = 0; i < 1_000 && isBusy(); i++) pair.flow(1_000);
        expect([...ann.violations, ...ben.violations]).toEqual([]);
        if (!isOpen()) return;
        for (const [kind, type] of Object.entries({ now: "send-text", turn: "send-clipboard" })) {
          const of = (list: string[]) => list.filter((id) => id.startsWith(kind));
          const arrived = ({ received }: Side) =>
            received.filter((message) => message.type === type).map(({ id }) => id);
          expect([arrived(ben), arrived(ann)]).toEqual([of(sent.ann), of(sent.ben)]);
        }
        expect(clock.timerCount).toBe(0);
      }),
      25,
    );
  });
});
