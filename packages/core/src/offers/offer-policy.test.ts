import { type PeerMessageOf, WarrenError } from "@warren/protocol";
import { describePicture } from "@warren/protocol/testing/describe-picture";
import { check } from "@warren/protocol/testing/fuzz";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorAnswer } from "../messages/wire-error.ts";
import { randomUuid } from "../shared/ids.ts";
import {
  isTurnedDown,
  live,
  type Offer,
  type OfferSide,
  type OfferState,
  offerNow,
  offerStates,
  reloadedOffer,
} from "../transfer/offer-state.ts";
import {
  type OfferEffect,
  offerEventOf,
  offerMessages,
  offerRequests,
  offerTables,
  preparationEvent,
  type Rule,
  receiverEvents,
  ruleFor,
  senderEvents,
  storedOffer,
  transferEvents,
} from "./offer-policy.ts";

/** The other side is connected, and nothing else holds. */
const met = () => false;

const rows = [
  ...senderEvents.map((event) => ["sender", event, offerTables.sender[event]] as const),
  ...receiverEvents.map((event) => ["receiver", event, offerTables.receiver[event]] as const),
];

/** Effects that move bytes, or prepare for it. */
const moves: readonly OfferEffect[] = [
  "open-source",
  "ask-for-source",
  "start-transfer",
  "prepare-and-accept",
  "prepare-and-resume",
  "prepare-and-request",
  "check-file",
];
const senderOnly: readonly OfferEffect[] = [
  "open-source",
  "ask-for-source",
  "lose-source",
  "start-transfer",
  "send-needs-source",
  "send-same-file",
];
const receiverOnly: readonly OfferEffect[] = [
  ...moves.filter((effect) => !senderOnly.includes(effect)),
  ...([
    "wait-for-space",
    "send-acknowledged",
    "ask-whether-offered",
    "send-accepted",
    "send-request",
  ] as const),
];

describe.each(rows)("at the %s, %s", (side, event, row) => {
  const rules = Object.entries(row) as [OfferState, Rule][];
  const all = rules.flatMap(([state, rule]) =>
    [rule, ...Object.values(rule.when ?? {})].map((rule) => [state, rule] as const),
  );

  it("has a rule in every state", () => {
    expect(Object.keys(row).sort()).toEqual([...offerStates].sort());
  });

  it("has only effects of its own side", () => {
    const foreign = side === "sender" ? receiverOnly : senderOnly;
    for (const [, { effects = [] }] of all)
      for (const effect of effects) expect(foreign).not.toContain(effect);
  });

  it("never changes a complete file, unless somebody requests it again", () => {
    const { to } = row.complete;
    if (to === undefined || to === "complete") return;
    expect(event).toMatch(/^transfer-(opens|queued|runs|lacks-space)$/);
  });

  it("moves nothing that a person turned down, unless a person requests it again", () => {
    for (const state of ["declined", "withdrawn", "givenUp"] as const) {
      const effects = all.flatMap(([at, rule]) => (at === state ? (rule.effects ?? []) : []));
      const moving = effects.filter((effect) => moves.includes(effect));
      if (moving.length === 0) continue;
      // At the sender, the receiver's acceptance is that person's decision.
      const byPerson =
        side === "receiver"
          ? ["accept", "resume", "ask-again", "request"]
          : ["peer-is-ready", "peer-requests", "source-ready"];
      expect(byPerson).toContain(event);
      if (side === "sender") expect(state).not.toBe("withdrawn");
    }
  });

  it("ends the transfer wherever a person or the other side stops it", () => {
    for (const [state, { to, effects = [] }] of all) {
      const stops =
        to !== undefined && ["pausedHere", "pausedThere", "declined", "withdrawn", "givenUp"].includes(to);
      if (stops && event !== "peer-forgot")
        expect(effects, `in ${state}`).toContainEqual(expect.stringMatching(/^(stop|drop)-transfer$/));
    }
  });
});

it("deletes what has arrived where a person turns down a file that arrives, and keeps it where one pauses", () => {
  for (const state of live) {
    for (const event of ["decline", "cancel", "peer-cancels"] as const)
      expect(ruleFor("receiver", event, state, met).effects, event).toContain("drop-transfer");
    for (const event of ["pause", "peer-pauses", "peer-needs-source"] as const)
      expect(ruleFor("receiver", event, state, met).effects, event).toContain("stop-transfer");
  }
});

/** Messages about an offer that an end may send before it knows what the other decided. */
const fromSender = ["peer-offers", "peer-resumes", "peer-pauses", "peer-needs-source"] as const;
const fromReceiver = [
  ...(["peer-acknowledges", "peer-accepts", "peer-is-ready"] as const),
  ...(["peer-requests", "peer-pauses", "peer-needs-space"] as const),
] as const;

describe("a message that crossed a decision is answered with it", () => {
  it.each([
    ["declined", "send-declined", [...fromSender, "transfer-unexpected"]],
    ["givenUp", "send-cancel", [...fromSender, "transfer-unexpected"]],
    ["failed", "send-error", ["peer-offers", "peer-pauses", "peer-needs-source"]],
    ["pausedHere", "send-pause", ["peer-resumes", "peer-connects", "transfer-unexpected"]],
    ["needsSpace", "send-needs-space", ["peer-resumes", "peer-connects"]],
    ["queued", "send-accepted", ["peer-offers", "peer-resumes"]],
  ] as const)("at the receiver: %s by %s", (state, answer, events) => {
    for (const event of events)
      expect(ruleFor("receiver", event, state, met).effects, event).toContain(answer);
  });

  it.each([
    ["withdrawn", "send-cancel", [...fromReceiver, "source-ready"]],
    [
      "pausedHere",
      "send-pause",
      ["peer-accepts", "peer-is-ready", "peer-requests", "peer-connects", "source-ready"],
    ],
    ["needsSource", "send-needs-source", ["peer-accepts", "peer-connects"]],
    ["complete", "send-already-complete", ["peer-is-ready"]],
  ] as const)("at the sender: %s by %s", (state, answer, events) => {
    for (const event of events) expect(ruleFor("sender", event, state, met).effects, event).toContain(answer);
  });
});

type MessageEffect = keyof typeof offerMessages | keyof typeof offerRequests;
const offered = {
  id: randomUuid(),
  fid: randomUuid(),
  root: "0".repeat(64),
  error: { code: "root-verification-failed", values: {} },
} as const;
const envelope = { client: randomUuid(), target: randomUuid(), createdAt: 0, id: randomUuid() };

/** The message of an effect as it arrives; null if it is about more than the offer. */
function arriving(effect: MessageEffect) {
  const message = { ...offerMessages, ...offerRequests }[effect](offered);
  if (message === null || message.type === "same-file") return null;
  return { ...envelope, ...message } as Parameters<typeof offerEventOf>[1];
}

describe("a message is an event of its own end", () => {
  it.each([
    ["send-acknowledged", { sender: "peer-acknowledges" }],
    ["ask-whether-offered", { sender: "peer-acknowledges" }],
    ["send-accepted", { sender: "peer-accepts" }],
    ["prepare-and-accept", { sender: "peer-is-ready" }],
    ["prepare-and-resume", { sender: "peer-is-ready" }],
    ["prepare-and-request", { sender: "peer-requests" }],
    ["send-request", { sender: "peer-requests" }],
    ["send-declined", { sender: "peer-declines" }],
    ["send-needs-space", { sender: "peer-needs-space" }],
    ["send-resume", { receiver: "peer-resumes" }],
    ["send-needs-source", { receiver: "peer-needs-source" }],
    ["send-pause", { sender: "peer-pauses", receiver: "peer-pauses" }],
    ["send-cancel", { sender: "peer-cancels", receiver: "peer-cancels" }],
    ["send-already-complete", { sender: "peer-is-done", receiver: "peer-is-done" }],
    ["send-error", { sender: "peer-fails", receiver: "peer-fails" }],
  ] as const)("%s: %o", (effect, events) => {
    const message = arriving(effect) ?? expect.fail("nothing is sent");
    for (const [side, event] of Object.entries(events))
      expect(offerEventOf(side as OfferSide, message)).toBe(event);
  });

  it("of a sender that has no such offer, or reasons that only the other end has", () => {
    const error = { ...envelope, ...errorAnswer(envelope.id, new WarrenError("check-message-not-found")) };
    expect(offerEventOf("receiver", error as PeerMessageOf<"error">)).toBe("peer-forgot");
    const pause = { ...envelope, type: "pause-file", fid: offered.fid } as const;
    expect(offerEventOf("sender", { ...pause, reason: "source" })).toBe("peer-pauses");
    expect(offerEventOf("receiver", { ...pause, reason: "storage" })).toBe("peer-pauses");
  });

  it("at both ends, where a transfer reaches a state", () => {
    const known: readonly string[] = [...senderEvents, ...receiverEvents];
    for (const event of Object.values(transferEvents)) expect(known).toContain(event);
    for (const state of live) expect(transferEvents[state]).toBeDefined();
  });

  it.each([
    ["storage-full", false, "prepare-lacks-space"],
    ["not-enough-space", true, "prepare-lacks-space"],
    ["not-enough-space", false, "prepare-failed"],
    ["cache-exists", true, "prepare-failed"],
  ] as const)("%s with a part here: %s is %s", (code, hasBegun, event) => {
    expect(preparationEvent(new WarrenError(code).describe(), hasBegun)).toBe(event);
  });
});

describe("a failure is told", () => {
  it.each([
    ["receiver", "prepare-failed", "offered", "not-enough-space", "send-needs-space"],
    ["receiver", "peer-offers", "failed", "cache-exists", "send-acknowledged"],
    ["receiver", "transfer-fails", "running", "root-verification-failed", "send-error"],
    ["sender", "source-failed", "accepted", "source-changed", "send-error"],
    ["sender", "peer-connects", "failed", "cache-exists", "send-error"],
  ] as const)("by the %s, on %s in %s, for %s: %s", (side, event, state, code, effect) => {
    const { effects = [] } = ruleFor(side, event, state, met, code);
    expect(effects.filter((effect) => effect.startsWith("send-"))).toEqual([effect]);
  });
});

describe("what depends on a fact", () => {
  it.each([
    ["sender", "peer-connects", "offered", "undelivered", undefined, ["send-resume"], []],
    ["sender", "peer-connects", "withdrawn", "offeredSince", undefined, ["send-cancel"], []],
    ["receiver", "peer-connects", "withdrawn", "askedAgain", undefined, [], ["send-request"]],
    ["receiver", "peer-forgot", "offered", "asked", "withdrawn", [], []],
  ] as const)("at the %s, %s in %s: %s", (side, event, state, fact, to, effects, effectsThen) => {
    const rule = ruleFor(side, event, state, met);
    expect([rule.to, rule.effects ?? []]).toEqual([undefined, effects]);
    const then = ruleFor(side, event, state, (other) => other === fact);
    expect([then.to, then.effects ?? []]).toEqual([to, effectsThen]);
  });

  it.each(["source-failed", "transfer-fails"] as const)(
    "at the sender, %s: other offers of the file are told if it is its fault, even if this one has ended",
    (event) => {
      for (const state of ["accepted", "running", "withdrawn", "complete"] as const) {
        const effectsOf = (code: "source-changed" | "webrtc-blocked") =>
          ruleFor("sender", event, state, met, code).effects ?? [];
        expect(effectsOf("source-changed"), state).toContain("lose-source");
        expect(effectsOf("webrtc-blocked"), state).not.toContain("lose-source");
      }
    },
  );
});

describe("the state after a reload", () => {
  it.each(["sender", "receiver"] as const)(
    "at the %s claims no transfer, and keeps what a person decided",
    (side) => {
      for (const state of offerStates) {
        const after = reloadedOffer({ state } as Offer, side).state;
        expect(live).not.toContain(after);
        const isDecided = [
          "offered",
          "pausedHere",
          "complete",
          "declined",
          "withdrawn",
          "givenUp",
          "failed",
        ].includes(state);
        expect(after).toBe(isDecided || after === "needsSpace" ? state : "accepted");
      }
    },
  );
});

describePicture<OfferState>({
  title: "an offer",
  states: offerStates,
  leadsTo: (from, event) =>
    rows
      .filter(([, other]) => other === event)
      .flatMap(([, , row]) => [row[from], ...Object.values(row[from].when ?? {})])
      .map(({ to }) => to),
});

/** A message of the model: the event it becomes at the other end, and whether it says that the offer arrived. */
type Wire = { readonly event: string; readonly delivers: boolean };

/** One end of an offer, modelling files, storage and transfers as far as the state machine distinguishes them. */
class End {
  /** What is stored. */
  offer: Offer["state"] | null;
  transfer: "none" | "opening" | "preparing" | "ready" | "running" = "none";
  /** Unanswered requests to files or storage. */
  tasks: (() => void)[] = [];
  outbox: Wire[] = [];
  /** Receiver: a person wants the bytes. */
  consents = false;
  /** Sender: the file can be read. */
  hasSource = true;
  hasSpace = true;
  wantsSpace = false;
  /** Sender: the receiver acknowledged the offer. */
  delivered = false;
  /** Receiver: it asked whether the offer still stands. */
  hasAsked = false;
  /** Its transfer broke off within the last minute, and no person has decided about it since. */
  hasBroken = false;
  readonly side: OfferSide;
  readonly world: World;

  constructor(side: OfferSide, world: World) {
    this.side = side;
    this.world = world;
    this.offer = side === "sender" ? "offered" : null;
  }

  get state(): OfferState | null {
    if (this.offer === null) return null;
    const { transfer } = this;
    const now = { state: transfer === "running" ? transfer : "opening" } as const;
    return offerNow({ state: this.offer } as Offer, transfer === "none" ? undefined : now).state;
  }

  take(event: string): void {
    if (this.state === null) return;
    const facts = { away: !this.world.connected, undelivered: !this.delivered, asked: this.hasAsked };
    const rule = ruleFor(
      this.side,
      event as never,
      this.state,
      (fact) => fact in facts && facts[fact as keyof typeof facts],
    );
    if (rule.to !== undefined) this.offer = storedOffer(rule.to).state;
    for (const effect of rule.effects ?? []) this.perform(effect);
  }

  send(effect: MessageEffect): void {
    const message = arriving(effect);
    const other = this.side === "sender" ? "receiver" : "sender";
    if (message === null) return;
    const delivers = message.type === "check-message" || message.type === "error";
    this.sendEvent(offerEventOf(other, message), delivers);
  }

  sendEvent(event: string, delivers = false): void {
    if (this.world.connected) this.outbox.push({ event, delivers });
  }

  perform(effect: OfferEffect): void {
    const { world } = this;
    const openSource = (then: string) =>
      this.tasks.push(() => this.take(this.hasSource ? then : "source-missing"));
    const prepare = (effect: MessageEffect) => {
      const reply = () => this.send(effect);
      if (this.transfer === "ready" || this.transfer === "running") {
        reply();
        return;
      }
      const wasStarted = this.state === "needsSpace" || world.started;
      this.transfer = "preparing";
      this.tasks.push(() => {
        if (this.transfer === "ready" || this.transfer === "running") reply();
        else if (this.transfer !== "preparing") return;
        else if (this.hasSpace) {
          this.transfer = "ready";
          this.take("transfer-opens");
          reply();
        } else {
          this.transfer = "none";
          this.take(wasStarted ? "prepare-lacks-space" : "prepare-failed");
        }
      });
    };
    const effects: Readonly<Partial<Record<OfferEffect, () => void>>> = {
      "open-source": () => openSource("source-ready"),
      "ask-for-source": () => openSource("source-ready-to-resume"),
      "lose-source": () => {},
      "start-transfer": () => {
        if (this.transfer === "running" || this.transfer === "opening") return;
        this.transfer = "opening";
        this.take("transfer-opens");
      },
      "prepare-and-accept": () => prepare("prepare-and-accept"),
      "prepare-and-resume": () => prepare("prepare-and-resume"),
      "prepare-and-request": () => prepare("prepare-and-request"),
      "stop-transfer": () => {
        this.transfer = "none";
      },
      "drop-transfer": () => {
        this.transfer = "none";
      },
      "wait-for-space": () => {
        this.wantsSpace = true;
      },
      free: () => {},
      "ask-whether-offered": () => {
        this.hasAsked = true;
        this.send("ask-whether-offered");
      },
      "send-same-file": () => {
        if (world.isFound) this.sendEvent("found-here");
      },
      "check-file": () => this.take(world.isWhole ? "file-whole" : "file-lacking"),
    };
    const run = effects[effect] ?? (() => this.send(effect as MessageEffect));
    run();
  }

  /** A message from the other side arrives. */
  receive({ event, delivers }: Wire): void {
    if (delivers) this.delivered = true;
    if (event === "offer") {
      this.offer ??= "offered";
      this.take("peer-offers");
    } else this.take(event);
  }

  /** Its transfer ends by itself: it is resumed once, and then fails. */
  breakOff(): void {
    this.transfer = "none";
    if (this.hasBroken) this.take("transfer-fails");
    else {
      this.take("transfer-interrupted");
      this.take("transfer-breaks");
    }
    this.hasBroken = true;
  }

  person(event: string): void {
    if (["accept", "resume", "ask-again", "request"].includes(event)) this.consents = this.state !== null;
    // Neither changes a complete file.
    if (["decline", "cancel"].includes(event) && this.state !== "complete") this.consents = false;
    this.hasBroken = false;
    this.take(event);
  }
}

/** Both ends, the connection between them, and the state of the world that neither end knows. */
class World {
  connected = false;
  /** Whether the receiver has any bytes of the file. */
  started = false;
  isWhole = false;
  /** The receiver has confirmed the file, and the sender does not know yet. */
  isConfirmed = false;
  /** The sender found out that the receiver has the same file. */
  isFound = false;
  readonly sender = new End("sender", this);
  readonly receiver = new End("receiver", this);

  ends(): readonly [End, End] {
    return [this.sender, this.receiver];
  }

  disconnect(): void {
    this.connected = false;
    this.isConfirmed = false;
    for (const end of this.ends()) {
      end.outbox = [];
      if (end.transfer === "none") continue;
      end.transfer = "none";
      end.take("transfer-interrupted");
    }
  }

  connect(): void {
    if (this.connected) return;
    this.connected = true;
    const { sender, receiver } = this;
    if (!sender.delivered) sender.sendEvent("offer");
    sender.take("peer-connects");
    receiver.take("peer-connects");
  }

  reload(end: End, keepsSource: boolean): void {
    // The page is gone before it could note that its transfer was interrupted.
    end.transfer = "none";
    end.tasks = [];
    this.disconnect();
    if (end.side === "sender") end.hasSource &&= keepsSource;
    if (end.offer !== null) end.offer = reloadedOffer({ state: end.offer } as Offer, end.side).state;
    if (end.side === "sender" && !end.hasSource) end.take("source-lost");
    end.wantsSpace = end.state === "needsSpace";
  }

  /** The next step of the transfer, if any. @returns whether there was one. */
  moveBytes(): boolean {
    const { sender, receiver } = this;
    if (!this.connected) return false;
    if (this.isConfirmed) {
      this.isConfirmed = false;
      if (sender.transfer === "none") return false;
      sender.transfer = "none";
      sender.take("transfer-completes");
      return true;
    }
    if (sender.transfer === "opening" && receiver.transfer === "none") return this.#refuse();
    if (sender.transfer === "opening" && receiver.transfer === "ready") {
      expect(receiver.consents).toBe(true);
      this.started = true;
      for (const end of this.ends()) {
        end.transfer = "running";
        end.take("transfer-runs");
      }
      return true;
    }
    if (sender.transfer === "running" && receiver.transfer === "running") {
      expect(receiver.consents).toBe(true);
      this.isWhole = true;
      receiver.transfer = "none";
      receiver.take("transfer-completes");
      this.isConfirmed = true;
      return true;
    }
    // One end has stopped. If its reason is not on the way, the other end fails.
    for (const [end, other] of [
      [sender, receiver],
      [receiver, sender],
    ] as const) {
      const isAlone = end.transfer === "running" && other.transfer !== "running";
      if (!isAlone || other.outbox.length > 0) continue;
      end.breakOff();
      return true;
    }
    return false;
  }

  #refuse(): boolean {
    if (this.receiver.outbox.length > 0) return false;
    this.receiver.take("transfer-unexpected");
    if (this.receiver.outbox.length > 0) return true;
    this.sender.transfer = "none";
    this.sender.take("transfer-fails");
    return true;
  }

  deliver(from: End, at: number, copies: number): void {
    if (from.outbox.length === 0) return;
    const [message] = from.outbox.splice(at % from.outbox.length, 1);
    const target = from === this.sender ? this.receiver : this.sender;
    for (let n = 0; message && n < copies; n++) target.receive(message);
  }

  /** Does the first piece of pending work. @returns whether there was any. */
  step(): boolean {
    const { sender, receiver } = this;
    const task = sender.tasks.shift() ?? receiver.tasks.shift();
    if (task) task();
    else if (sender.outbox.length > 0) this.deliver(sender, 0, 1);
    else if (receiver.outbox.length > 0) this.deliver(receiver, 0, 1);
    else if (receiver.wantsSpace && receiver.hasSpace) {
      receiver.wantsSpace = false;
      receiver.take("space-freed");
    } else return this.moveBytes();
    return true;
  }

  /** Runs all pending work in order. @returns whether it finished. */
  rest(): boolean {
    for (let count = 0; count < 300; count++) if (!this.step()) return true;
    return false;
  }
}

type Command = (world: World) => void;

const senderPerson = ["pause", "cancel", "resume"] as const;
const receiverPerson = ["accept", "decline", "pause", "cancel", "resume", "ask-again"] as const;

const commands: fc.Arbitrary<readonly [string, Command]> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...senderPerson)
      .map((event) => [`sender: ${event}`, (world: World) => world.sender.person(event)] as const),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(...receiverPerson)
      .map((event) => [`receiver: ${event}`, (world: World) => world.receiver.person(event)] as const),
  },
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.boolean(), fc.nat(3), fc.constantFrom(1, 1, 1, 1, 2, 0))
      .map(
        ([bySender, at, copies]) =>
          [
            `deliver ${bySender ? "sender's" : "receiver's"} ${at} x${copies}`,
            (world: World) => world.deliver(bySender ? world.sender : world.receiver, at, copies),
          ] as const,
      ),
  },
  {
    weight: 8,
    arbitrary: fc
      .boolean()
      .map(
        (atSender) =>
          [
            `task of ${atSender ? "sender" : "receiver"}`,
            (world: World) => (atSender ? world.sender : world.receiver).tasks.shift()?.(),
          ] as const,
      ),
  },
  { weight: 6, arbitrary: fc.constant(["bytes", (world: World) => void world.moveBytes()] as const) },
  {
    weight: 2,
    arbitrary: fc.constant([
      "the confirmation is lost",
      (world: World) => {
        world.isConfirmed = false;
      },
    ] as const),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.boolean(), fc.boolean()).map(
      ([atSender, isFault]) =>
        [
          `${isFault ? "a fault" : "a stall"} at ${atSender ? "sender" : "receiver"}`,
          (world: World) => {
            const end = atSender ? world.sender : world.receiver;
            if (end.transfer === "none") return;
            end.hasBroken ||= isFault;
            end.breakOff();
          },
        ] as const,
    ),
  },
  { weight: 25, arbitrary: fc.constant(["step", (world: World) => void world.step()] as const) },
  { weight: 3, arbitrary: fc.constant(["rest", (world: World) => void world.rest()] as const) },
  { weight: 2, arbitrary: fc.constant(["disconnect", (world: World) => world.disconnect()] as const) },
  { weight: 5, arbitrary: fc.constant(["connect", (world: World) => world.connect()] as const) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.boolean(), fc.boolean())
      .map(
        ([atSender, keepsSource]) =>
          [
            `reload ${atSender ? "sender" : "receiver"}${keepsSource ? "" : ", the file is lost"}`,
            (world: World) => world.reload(atSender ? world.sender : world.receiver, keepsSource),
          ] as const,
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant([
      "the same file is found at the receiver",
      (world: World) => {
        const { connected, sender, receiver } = world;
        if (!connected || sender.state !== "offered" || receiver.state !== "offered") return;
        world.isFound = true;
        sender.sendEvent("found-here");
        sender.take("peer-has-it");
      },
    ] as const),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (hasSpace) =>
        [
          hasSpace ? "space" : "no space",
          (world: World) => {
            world.receiver.hasSpace = hasSpace;
          },
        ] as const,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant([
      "the file is chosen again",
      (world: World) => {
        world.sender.hasSource = true;
        if (world.sender.state === "needsSource") world.sender.person("resume");
      },
    ] as const),
  },
);

/** The pairs of states in which both ends agree and no work is pending. */
function agree({
  sender: { state: sender },
  receiver: { state: receiver },
  isFound,
  isWhole,
}: World): boolean {
  if (sender === null) return false;
  if (sender === receiver)
    return !["opening", "queued", "queuedThere", "running", "accepted", "needsSpace"].includes(sender);
  // Not sent: a person at each end turned it down, or it failed before.
  const isOver = (state: OfferState | null) => state === "failed" || (state !== null && isTurnedDown(state));
  if (isOver(sender) && isOver(receiver)) return true;
  // The receiver had it, and asked for it again: a person there turned that down or paused it, or it failed.
  if ((isFound || isWhole) && sender === "complete")
    return receiver !== null && (isOver(receiver) || receiver === "pausedHere");
  // Undecided at the receiver, who learns of an obstacle on accepting.
  if (receiver === "offered") return sender === "pausedHere" || sender === "needsSource";
  if (sender === "pausedHere") return receiver === "pausedThere";
  if (receiver === "pausedHere") return sender === "pausedThere";
  return false;
}

describe("two ends of an offer, over a wire that loses, repeats, reorders and reconnects", () => {
  it("agree in the end, do not hang, and move no bytes without acceptance", () => {
    check(
      fc.property(fc.array(commands, { maxLength: 40 }), fc.option(fc.nat(12)), (steps, accepted) => {
        const world = new World();
        world.connect();
        // By chance alone, most offers would never be accepted.
        if (accepted !== null) {
          world.rest();
          world.receiver.person("accept");
          for (let count = 0; count < accepted; count++) world.step();
        }
        for (const [, step] of steps) step(world);
        world.receiver.hasSpace = true;
        world.sender.hasSource = true;
        for (let meeting = 0; meeting < 3; meeting++) {
          world.disconnect();
          world.connect();
          expect(world.rest(), "comes to rest").toBe(true);
        }
        if (world.receiver.consents) expect(world.receiver.state, "an acceptance lasts").not.toBe("offered");
        const pair = `${world.sender.state} and ${world.receiver.state}`;
        expect(
          agree(world),
          `${pair} ${accepted} steps after accepting and ${steps.map(([name]) => name).join("; ")}`,
        ).toBe(true);
      }),
      8_000,
    );
  });
});
