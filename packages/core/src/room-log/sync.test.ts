import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { repetitions } from "../handshake/testing/handshake-fixtures.ts";
import type { Entry } from "./entry.ts";
import { type Member, Members } from "./members.ts";
import { type LogCaps, logCaps, RoomLog } from "./room-log.ts";
import { Sync, type SyncEffect } from "./sync.ts";
import type { LoggedEntry } from "./timeline.ts";

/** All runs of the long suite, on a slow core beside other work. */
const longMs = 3_600_000;

const room = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";

/** What a newcomer is shown of what was said before, by who shows it: few and short, so that both bounds matter. */
const newcomers = { entries: 3, ms: 20_000 } as const;

/** An entry that a member passed on, and what both of them made of it. */
interface Given {
  readonly from: Node;
  readonly to: Node;
  readonly entry: Entry;
  /** When it is shown to the one who gave it. */
  readonly shownAt: number;
  readonly isMarkedEarlier: boolean;
}

/** What a page keeps over a reload. */
interface Stored {
  readonly entries: readonly LoggedEntry[];
  readonly members: readonly Member[];
  readonly floors: ReadonlyMap<string, number>;
}

/** A member whose signatures are a word that only the model writes: how they are verified is tested with the entry. */
class Node {
  readonly id: string;
  readonly showsNewcomers: boolean;
  readonly #world: World;
  log!: RoomLog;
  members!: Members;
  sync!: Sync;
  readonly peers = new Set<string>();
  /** What is on the way to others, by their ids. */
  readonly sent = new Map<string, SyncEffect[]>();
  snapshot: Stored | null = null;
  hasRolledBack = false;

  constructor(world: World, id: string, showsNewcomers: boolean) {
    this.#world = world;
    this.id = id;
    this.showsNewcomers = showsNewcomers;
    this.start({ entries: [], members: [], floors: new Map() });
  }

  start({ entries, members, floors }: Stored): void {
    this.members = new Members(members);
    this.log = new RoomLog(
      { selfId: this.id, isMet: (author) => this.members.isMet(author) },
      this.#world.caps,
    );
    for (const logged of entries) this.log.restore(logged);
    for (const [author, floor] of floors) this.log.keepFrom(author, floor);
    let ids = 0;
    this.sync = new Sync({
      selfId: this.id,
      log: this.log,
      members: this.members,
      isBarred: () => false,
      isUnstored: () => false,
      newId: () => `${this.id}-${this.#world.runs++}-${ids++}`,
      clock: this.#world.clock,
    });
  }

  stored(): Stored {
    const floors = new Map([...this.log.authors()].map((author) => [author, this.log.floorOf(author)]));
    return { entries: this.log.all(), members: this.members.list(), floors };
  }

  write(body: string): void {
    const before = this.log.last(this.id)?.entry;
    const n = (before?.n ?? 0) + 1;
    const time = this.#world.clock.now();
    const content = { n, ...(before && { prev: before.hash }), time, name: "Mara", kind: "text", body };
    const hash = `${this.id}#${n}#${body}`;
    const entry: Entry = { ...content, tag: room, author: this.id, hash, signature: `signed ${hash}` };
    this.#world.written.set(hash, entry);
    const opening = this.members.list().length === 0 ? true : undefined;
    if (opening) this.#world.openings.add(hash);
    const added = this.log.add(entry, { key: "key", via: this.id, arrivedAt: time, opening });
    if (added.outcome === "added") this.#world.send(this, this.sync.wrote(added.logged));
  }

  receive(from: string, effect: SyncEffect): void {
    if (effect.type === "heads") this.#world.send(this, this.sync.heads(from, effect.heads, effect.members));
    else if (effect.type === "request-entries") {
      const range = { from: effect.from, to: effect.until };
      this.#world.send(this, this.sync.requested(from, effect.id, effect.author, range));
      this.sync.answered(from);
    } else if (effect.type === "stored") this.sync.stored(from, effect);
    else {
      let added = 0;
      for (const wire of effect.entries) {
        const hash = `${effect.author}#${wire.n}#${wire.body}`;
        if (wire.signature !== `signed ${hash}`) continue;
        const entry: Entry = { ...wire, tag: room, author: effect.author, hash };
        const arrivedAt = this.#world.clock.now();
        const notBefore = this.sync.upToDateAt(effect.author);
        const { outcome } = this.log.add(entry, { key: "key", via: from, arrivedAt, notBefore });
        if (outcome === "added") {
          added++;
          this.#world.recordGiven(from, this, entry);
        }
        if (!this.#world.arrivedAt.has(hash)) this.#world.arrivedAt.set(hash, arrivedAt);
      }
      this.#world.send(this, this.sync.received(from, effect.id ?? "", effect, added));
    }
  }
}

/** Members whose connections come and go, and what is on the way between them. */
class World {
  readonly caps: LogCaps;
  readonly nodes: readonly Node[];
  readonly written = new Map<string, Entry>();
  readonly given: Given[] = [];
  /** The time from which a member shows a newcomer what was said before it came, by both. */
  readonly shownSince = new Map<string, number>();
  /** What was written by somebody who had met nobody. */
  readonly openings = new Set<string>();
  /** When somebody first met a member. */
  readonly firstMetAt = new Map<string, number>();
  /** When an entry first reached somebody else. */
  readonly arrivedAt = new Map<string, number>();
  #now = 1_000_000;
  runs = 0;
  sent = 0;
  readonly clock = { now: () => this.#now, elapsedMs: () => this.#now };

  /** @param showing whether each member shows newcomers what was said before; nobody does if it is empty */
  constructor(count: number, caps: LogCaps, showing: readonly boolean[] = []) {
    this.caps = caps;
    this.nodes = Array.from(
      { length: count },
      (_, index) => new Node(this, `member-${index}`, showing[index] === true),
    );
  }

  node(index: number): Node {
    const node = this.nodes[index % this.nodes.length];
    if (node === undefined) throw new Error("there is nobody");
    return node;
  }

  send(from: Node, effects: readonly SyncEffect[]): void {
    for (const effect of effects) {
      this.sent++;
      if (from.peers.has(effect.to)) wire(from, effect.to).push(effect);
    }
  }

  connect(one: Node, other: Node): void {
    if (one === other || one.peers.has(other.id)) return;
    for (const [self, peer] of [
      [one, other],
      [other, one],
    ] as const) {
      self.peers.add(peer.id);
      const isShown = self.showsNewcomers && !self.members.isMet(peer.id);
      const { entries, ms } = newcomers;
      const shownSince = isShown ? self.log.sinceOfLast(entries, this.#now - ms) : undefined;
      self.members.meet(peer.id, this.#now, undefined, shownSince);
      if (shownSince !== undefined) this.#recordShown(`${self.id}>${peer.id}`, shownSince);
      if (!this.firstMetAt.has(peer.id)) this.firstMetAt.set(peer.id, this.#now);
    }
    this.send(one, one.sync.connected(other.id));
    this.send(other, other.sync.connected(one.id));
  }

  recordGiven(by: string, to: Node, entry: Entry): void {
    const from = this.nodes.find(({ id }) => id === by);
    const held = from?.log.at(entry.author, entry.n).find((version) => version.entry.hash === entry.hash);
    if (from === undefined || held === undefined) return;
    const isMarkedEarlier = to.sync.isEarlier(by, entry);
    this.given.push({ from, to, entry, shownAt: held.shownAt, isMarkedEarlier });
  }

  /** Who forgot a member since takes it for a newcomer once more. */
  #recordShown(by: string, since: number): void {
    this.shownSince.set(by, Math.min(since, this.shownSince.get(by) ?? Number.POSITIVE_INFINITY));
  }

  /** What was on the way is lost. */
  disconnect(one: Node, other: Node): void {
    if (!one.peers.delete(other.id)) return;
    other.peers.delete(one.id);
    wire(one, other.id).length = 0;
    wire(other, one.id).length = 0;
    this.send(one, one.sync.disconnected(other.id));
    this.send(other, other.sync.disconnected(one.id));
  }

  leave(node: Node): void {
    for (const other of this.nodes) this.disconnect(node, other);
  }

  reload(node: Node, stored = node.stored()): void {
    this.leave(node);
    node.start(stored);
  }

  /** @param isRepeated whether the frame arrives once more later */
  deliver(from: Node, to: Node, isRepeated = false): boolean {
    const waiting = from.sent.get(to.id);
    const effect = isRepeated ? waiting?.[0] : waiting?.shift();
    if (effect !== undefined) to.receive(from.id, effect);
    return effect !== undefined;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const node of this.nodes) this.send(node, node.sync.tick());
  }

  /** All but those who are away meet, except those who are apart each other, until nothing more is said. */
  settle(away: readonly Node[] = [], apart: readonly Node[] = []): void {
    for (const node of away) this.leave(node);
    const here = this.nodes.filter((node) => !away.includes(node));
    for (const one of here)
      for (const other of here)
        if (apart.includes(one) && apart.includes(other)) this.disconnect(one, other);
        else this.connect(one, other);
    let quietMs = 0;
    const before = this.sent;
    while (quietMs < 70_000) {
      let isBusy = false;
      for (const one of this.nodes)
        for (const other of this.nodes) while (this.deliver(one, other)) isBusy = true;
      quietMs = isBusy ? 0 : quietMs + 2_000;
      this.pass(2_000);
      if (this.sent - before > 20_000) throw new Error("they never stop talking");
    }
  }
}

function wire(from: Node, to: string): SyncEffect[] {
  const known = from.sent.get(to) ?? [];
  from.sent.set(to, known);
  return known;
}

const who = fc.nat({ max: 5 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("writes" as const), one: who }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("connects" as const), one: who, other: who }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant("delivers" as const), one: who, other: who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("repeats" as const), one: who, other: who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("loses" as const), one: who, other: who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leaves" as const), one: who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("reloads" as const), one: who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("copies" as const), one: who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("restores" as const), one: who }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("forges" as const), one: who, other: who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("waits" as const), ms: fc.nat({ max: 15_000 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function run(world: World, steps: readonly Step[]): void {
  for (const [index, one] of steps.entries()) {
    if (one.does === "waits") {
      world.pass(one.ms);
      continue;
    }
    world.pass(1);
    const node = world.node(one.one);
    const other = "other" in one ? world.node(one.other) : node;
    if (one.does === "writes") node.write(`text ${index}`);
    else if (one.does === "connects") world.connect(node, other);
    else if (one.does === "delivers") world.deliver(node, other);
    else if (one.does === "repeats") world.deliver(node, other, true);
    else if (one.does === "loses") world.disconnect(node, other);
    else if (one.does === "leaves") world.leave(node);
    else if (one.does === "reloads") world.reload(node);
    else if (one.does === "copies") node.snapshot ??= node.stored();
    else if (one.does === "restores") {
      // A third version of an entry would be refused.
      if (node.snapshot === null || node.hasRolledBack) continue;
      node.hasRolledBack = true;
      world.reload(node, node.snapshot);
    } else {
      const [author, n] = [other.id, (other.log.last(other.id)?.entry.n ?? 0) + 1];
      const forged = {
        n,
        time: 0,
        name: "Mara",
        kind: "text",
        body: "forged",
        signature: `signed ${author}#${n}#other`,
      };
      node.receive(other.id, { type: "entries", to: node.id, author, key: "key", entries: [forged] });
    }
  }
}

/** Every author knows what those with whom it is connected have of it. */
function checkHeads({ nodes }: World): void {
  const wrong: string[] = [];
  for (const author of nodes)
    for (const id of author.peers) {
      const log = nodes.find((node) => node.id === id)?.log;
      const last = log?.last(author.id)?.entry;
      const head = author.sync.headOf(id, author.id);
      if (head?.hash !== last?.hash || (head?.count ?? 0) !== log?.countFrom(author.id, head?.from ?? 1))
        wrong.push(`${author.id} takes ${id} to have ${JSON.stringify(head)}`);
    }
  expect(wrong).toEqual([]);
}

/** All that is wrong is expected at once: it is looked at a million times. */
function checkEach(nodes: readonly Node[], world: World): void {
  const wrong: string[] = [];
  for (const node of nodes) {
    const all = node.log.all();
    if (node.sync.requests !== 0) wrong.push(`${node.id} still asks for ${node.sync.requests} ranges`);
    if (new Set(all.map(({ entry }) => entry.hash)).size !== all.length)
      wrong.push(`${node.id} has an entry twice`);
    const last = new Map<string, number>();
    for (const { entry } of all) {
      if (world.written.get(entry.hash)?.signature !== entry.signature)
        wrong.push(`${node.id} has ${entry.hash}, which nobody wrote`);
      if (entry.n < (last.get(entry.author) ?? 0)) wrong.push(`${node.id} has ${entry.hash} too late`);
      last.set(entry.author, entry.n);
    }
    // Whatever another one may give is here, unless it has gone for space.
    for (const other of nodes) {
      const since = other.members.givenSince(node.id);
      for (const { entry, shownAt } of other.log.all())
        if (
          (shownAt >= since ||
            entry.author === node.id ||
            (entry.author === other.id && world.openings.has(entry.hash))) &&
          entry.n >= node.log.floorOf(entry.author) &&
          !node.log.at(entry.author, entry.n).some((held) => held.entry.hash === entry.hash)
        )
          wrong.push(`${node.id} lacks ${entry.hash}, which ${other.id} has`);
    }
  }
  expect(wrong).toEqual([]);
}

test(
  "members who all met first end with the same log, in which each author's order holds",
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.array(step, { maxLength: 60 }), (count, steps) => {
        const world = new World(count, logCaps);
        world.settle();
        run(world, steps);
        // What the one who is away wrote comes through others.
        const [away, ...others] = world.nodes;
        world.settle(away && [away]);
        checkEach(others, world);
        world.settle();
        checkEach(world.nodes, world);
        checkHeads(world);
        const logs = world.nodes.map(({ log }) =>
          log
            .all()
            .map(({ entry }) => entry.hash)
            .sort(),
        );
        for (const log of logs) expect(log).toEqual(logs[0]);
        if (!world.nodes.some(({ hasRolledBack }) => hasRolledBack))
          expect(logs[0]).toHaveLength(world.written.size);
      }),
      { numRuns: repetitions(2_500, 50_000) },
    );
  },
  longMs,
);

test("of two who meet, one says the members, and the other one only whom that does not know as well", () => {
  const world = new World(5, logCaps);
  world.settle([world.node(4)]);
  const [low, high] = [world.node(0), world.node(1)];
  const said = [low, high].map((node) => vi.spyOn(node, "receive"));
  const membersSaid = () =>
    said.map(({ mock }) =>
      mock.calls.flatMap(([, effect]) => (effect.type === "heads" ? effect.members : [])),
    );
  world.disconnect(low, high);
  world.connect(low, high);
  world.settle([world.node(4)]);
  expect(membersSaid().map(({ length }) => length)).toEqual([0, 2]);

  world.disconnect(low, high);
  world.connect(high, world.node(4));
  for (const { mock } of said) mock.calls.length = 0;
  world.connect(low, high);
  for (let round = 0; round < 4; round++) {
    world.deliver(low, high);
    world.deliver(high, low);
  }
  expect(membersSaid().map((members) => members.map(({ client }) => client))).toEqual([
    ["member-4"],
    ["member-2", "member-3"],
  ]);
});

test("who stores a text says only that, unless more has changed in what it has of its author", () => {
  const world = new World(2, { ...logCaps, authorEntries: 4 });
  const [author, other] = [world.node(0), world.node(1)];
  world.settle();
  const said = vi.spyOn(author, "receive");
  for (let n = 1; n <= 5; n++) {
    author.write(`text ${n}`);
    world.settle();
  }
  const types = () => said.mock.calls.map(([, { type }]) => type);
  // The first tells from where on there are entries. The fifth takes the place of the first.
  expect(types()).toEqual(["heads", "stored", "stored", "stored", "stored"]);
  expect(author.sync.headOf(other.id, author.id)).toMatchObject({ n: 5 });

  author.write("text 6");
  other.log.remove(other.log.at(author.id, 4)[0] ?? expect.fail());
  world.settle();
  expect(types().at(-1)).toBe("heads");
});

test("nobody is believed to have stored what we did not write, or not what came before it", () => {
  const world = new World(2, logCaps);
  const [author, other] = [world.node(0), world.node(1)];
  world.settle();
  author.write("text 1");
  world.settle();
  const head = author.sync.headOf(other.id, author.id);
  expect(head).toMatchObject({ n: 1 });
  world.disconnect(author, other);
  world.connect(author, other);
  world.deliver(other, author);
  for (let n = 2; n <= 3; n++) author.write(`text ${n}`);
  const third = author.log.last(author.id)?.entry ?? expect.fail();
  for (const entry of [third, { n: 2, hash: "invented" }, { n: 0, hash: "" }])
    author.sync.stored(other.id, entry);
  expect(author.sync.headOf(other.id, author.id)).toEqual(head);
});

test("who says that a member came later than it did is told since when it has been there", () => {
  const world = new World(3, logCaps);
  world.settle();
  const [low, high, third] = [world.node(0), world.node(1), world.node(2)];
  const since = high.members.sinceOf(third.id) ?? expect.fail();
  const told = (said: number) => {
    high.sync.connected(low.id);
    return high.sync.heads(low.id, [], [{ client: third.id, since: said }]);
  };
  expect(told(since)).toEqual([]);
  expect(told(since + 1)).toMatchObject([{ type: "heads", members: [{ client: third.id, since }] }]);
});

test.each([
  { authorEntries: 2_000, asked: [{ author: "member-0", from: 69, until: 100 }] },
  // What was evicted is missing at nobody.
  { authorEntries: 50, asked: [] },
])(
  "whoever says that it has more versions than there are is asked for few of them, or none: $authorEntries are kept",
  (expected) => {
    const { authorEntries, asked } = expected;
    const world = new World(2, { ...logCaps, authorEntries });
    const [author, other] = [world.node(0), world.node(1)];
    world.settle();
    for (let n = 1; n <= 100; n++) author.write(`text ${n}`);
    world.settle();
    const { hash } = other.log.last(author.id)?.entry ?? expect.fail();
    const head = { author: author.id, from: 1, whole: 1, n: 100, count: 1_000, hash };
    const requests = other.sync.heads(author.id, [head], []).filter(({ type }) => type === "request-entries");
    expect(requests).toHaveLength(asked.length);
    expect(requests).toMatchObject(asked);
  },
);

test.each([0, 1])(
  "a version that nothing follows reaches who has the other one and %i entries after it",
  (after) => {
    const world = new World(3, logCaps);
    world.settle();
    const [author, one, other] = world.nodes;
    if (author === undefined || one === undefined || other === undefined) throw new Error("there are three");
    const before = author.stored();
    author.write("lost by its author");
    world.deliver(author, one);
    world.reload(author, before);
    world.connect(author, other);
    for (let count = 0; count <= after; count++) author.write(`written instead ${count}`);
    world.settle([], [one, other]);
    checkEach(world.nodes, world);
    expect(other.log.at(author.id, 1)).toHaveLength(2);
  },
);

test(
  "members who cannot reach each other get what they write from those who can reach both",
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 6 }), fc.array(step, { maxLength: 40 }), (count, steps) => {
        const world = new World(count, logCaps);
        world.settle();
        run(world, steps);
        for (const node of world.nodes) node.write("to those who can be reached");
        world.settle([], world.nodes.slice(1));
        checkEach(world.nodes, world);
      }),
      { numRuns: repetitions(200, 10_000) },
    );
  },
  longMs,
);

test(
  "a newcomer gets nothing from before anybody met it but what was written before anybody came and what a member shows newcomers, and that is marked",
  () => {
    const showing = fc.array(fc.boolean(), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        showing,
        fc.array(step, { maxLength: 60 }),
        (count, showing, steps) => {
          const world = new World(count, logCaps, showing);
          run(world, steps);
          world.settle();
          checkEach(world.nodes, world);
          const wrong: unknown[] = [];
          for (const { from, to, entry, shownAt, isMarkedEarlier } of world.given) {
            const reachedAt = from.id === entry.author ? entry.time : world.arrivedAt.get(entry.hash);
            if (entry.author === to.id || (reachedAt ?? 0) >= (world.firstMetAt.get(to.id) ?? 0)) continue;
            const shownSince = world.shownSince.get(`${from.id}>${to.id}`) ?? Number.POSITIVE_INFINITY;
            const isOpening = from.id === entry.author && world.openings.has(entry.hash);
            if ((shownAt < shownSince && !isOpening) || !isMarkedEarlier)
              wrong.push({ from: from.id, to: to.id, entry });
          }
          expect(wrong).toEqual([]);
        },
      ),
      { numRuns: repetitions(1_500, 30_000) },
    );
  },
  longMs,
);

test(
  "with little space each keeps the latest, and nobody asks for the rest without end",
  () => {
    const caps = { ...logCaps, entries: 4, authorEntries: 3 };
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.array(step, { maxLength: 60 }), (count, steps) => {
        const world = new World(count, caps);
        world.settle();
        run(world, steps);
        world.settle();
        checkEach(world.nodes, world);
        for (const { log } of world.nodes) expect(log.size.entries).toBeLessThanOrEqual(caps.entries);
      }),
      { numRuns: repetitions(1_000, 20_000) },
    );
  },
  longMs,
);
