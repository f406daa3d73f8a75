import fc from "fast-check";
import { expect, test } from "vitest";
import { repetitions } from "../handshake/testing/handshake-fixtures.ts";
import type { Entry } from "./entry.ts";
import { type Member, Members } from "./members.ts";
import { type LogCaps, logCaps, RoomLog } from "./room-log.ts";
import { Sync, type SyncEffect } from "./sync.ts";
import type { LoggedEntry } from "./timeline.ts";

/** All runs of the long suite, on a slow core. */
const longMs = 600_000;

const room = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";

/** What a page keeps over a reload. */
interface Stored {
  readonly entries: readonly LoggedEntry[];
  readonly members: readonly Member[];
  readonly floors: ReadonlyMap<string, number>;
}

/** A member whose signatures are a word that only the model writes: how they are verified is tested with the entry. */
class Node {
  readonly id: string;
  readonly #world: World;
  log!: RoomLog;
  members!: Members;
  sync!: Sync;
  readonly peers = new Set<string>();
  snapshot: Stored | null = null;
  hasRolledBack = false;

  constructor(world: World, id: string) {
    this.#world = world;
    this.id = id;
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
    const added = this.log.add(entry, { key: "key", via: this.id, arrivedAt: time });
    if (added.outcome === "added") this.#world.send(this, this.sync.wrote(added.logged));
  }

  receive(from: string, effect: SyncEffect): void {
    if (effect.type === "heads") this.#world.send(this, this.sync.heads(from, effect.heads, effect.members));
    else if (effect.type === "request-entries") {
      const range = { from: effect.from, to: effect.until };
      this.#world.send(this, this.sync.requested(from, effect.id, effect.author, range));
      this.sync.answered(from);
    } else {
      let added = 0;
      for (const wire of effect.entries) {
        const hash = `${effect.author}#${wire.n}#${wire.body}`;
        if (wire.signature !== `signed ${hash}`) continue;
        const entry: Entry = { ...wire, tag: room, author: effect.author, hash };
        const arrivedAt = this.#world.clock.now();
        const notBefore = this.sync.upToDateAt(effect.author);
        const { outcome } = this.log.add(entry, { key: "key", via: from, arrivedAt, notBefore });
        if (outcome === "added") added++;
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
  /** When an entry first reached somebody else. */
  readonly arrivedAt = new Map<string, number>();
  readonly #wires = new Map<string, SyncEffect[]>();
  #now = 1_000_000;
  runs = 0;
  sent = 0;
  readonly clock = { now: () => this.#now, elapsedMs: () => this.#now };

  constructor(count: number, caps: LogCaps) {
    this.caps = caps;
    this.nodes = Array.from({ length: count }, (_, index) => new Node(this, `member-${index}`));
  }

  node(index: number): Node {
    const node = this.nodes[index % this.nodes.length];
    if (node === undefined) throw new Error("there is nobody");
    return node;
  }

  send(from: Node, effects: readonly SyncEffect[]): void {
    for (const effect of effects) {
      this.sent++;
      if (from.peers.has(effect.to)) this.#wire(from.id, effect.to).push(effect);
    }
  }

  connect(one: Node, other: Node): void {
    if (one === other || one.peers.has(other.id)) return;
    for (const [self, peer] of [
      [one, other],
      [other, one],
    ] as const) {
      self.peers.add(peer.id);
      self.members.meet(peer.id, this.#now);
    }
    this.send(one, one.sync.met(other.id));
    this.send(other, other.sync.met(one.id));
  }

  /** What was on the way is lost. */
  disconnect(one: Node, other: Node): void {
    if (!one.peers.delete(other.id)) return;
    other.peers.delete(one.id);
    this.#wire(one.id, other.id).length = 0;
    this.#wire(other.id, one.id).length = 0;
    this.send(one, one.sync.left(other.id));
    this.send(other, other.sync.left(one.id));
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
    const wire = this.#wire(from.id, to.id);
    const effect = isRepeated ? wire[0] : wire.shift();
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

  #wire(from: string, to: string): SyncEffect[] {
    const key = `${from}>${to}`;
    const known = this.#wires.get(key);
    if (known !== undefined) return known;
    const wire: SyncEffect[] = [];
    this.#wires.set(key, wire);
    return wire;
  }
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

function checkEach(nodes: readonly Node[], world: World): void {
  for (const node of nodes) {
    const all = node.log.all();
    expect(node.sync.requests).toBe(0);
    expect(new Set(all.map(({ entry }) => entry.hash)).size).toBe(all.length);
    for (const { entry } of all) expect(world.written.get(entry.hash)?.signature).toBe(entry.signature);
    const last = new Map<string, number>();
    for (const { entry } of all) {
      expect(entry.n).toBeGreaterThanOrEqual(last.get(entry.author) ?? 0);
      last.set(entry.author, entry.n);
    }
    // Whatever another one may give is here, unless it has gone for space.
    for (const other of nodes) {
      const since = other.members.givenSince(node.id);
      for (const { entry, shownAt } of other.log.all())
        if ((shownAt >= since || entry.author === node.id) && entry.n >= node.log.floorOf(entry.author))
          expect(node.log.at(entry.author, entry.n).map((held) => held.entry.hash)).toContain(entry.hash);
    }
  }
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
  "a newcomer gets nothing that reached others before anybody met it",
  () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.array(step, { maxLength: 60 }), (count, steps) => {
        const world = new World(count, logCaps);
        run(world, steps);
        world.settle();
        checkEach(world.nodes, world);
        for (const node of world.nodes) {
          const met = world.nodes.map(
            ({ members }) => members.list().find(({ client }) => client === node.id)?.metAt,
          );
          const first = Math.min(...met.map((at) => at ?? Number.POSITIVE_INFINITY));
          for (const { entry, via } of node.log.all())
            if (via === entry.author && via !== node.id) expect(entry.time).toBeGreaterThanOrEqual(first);
            else if (entry.author !== node.id)
              expect(world.arrivedAt.get(entry.hash)).toBeGreaterThanOrEqual(first);
        }
      }),
      { numRuns: repetitions(1_500, 30_000) },
    );
  },
  longMs,
);

test(
  "with little space each keeps the latest, and nobody asks for the rest without end",
  () => {
    const caps = { ...logCaps, entries: 12, authorEntries: 5 };
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
