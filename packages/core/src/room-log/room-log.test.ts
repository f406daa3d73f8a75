import { limits } from "@warren/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "./entry.ts";
import { Members } from "./members.ts";
import { logCaps, RoomLog } from "./room-log.ts";
import { Sync, type SyncEffect } from "./sync.ts";
import { shownAtOf } from "./timeline.ts";

const room = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";
const mara = "00000000-0000-4000-8000-00000000000a";
const jon = "00000000-0000-4000-8000-00000000000b";
const eve = "00000000-0000-4000-8000-00000000000e";

function entryOf(author: string, n: number, { version = "", body = "text", time = n } = {}): Entry {
  const prev = n === 1 ? {} : { prev: `${author}#${n - 1}${version}` };
  return {
    n,
    ...prev,
    time,
    name: "Mara",
    kind: "text",
    body,
    signature: "signed",
    tag: room,
    author,
    hash: `${author}#${n}${version}`,
  };
}

const everybodyMet = { selfId: mara, isMet: () => true };
const arrival = (arrivedAt: number, via = eve) => ({ key: "key", via, arrivedAt });

function add(log: RoomLog, ...entries: readonly Entry[]): string[] {
  return entries.map((entry) => log.add(entry, arrival(1_000_000)).outcome);
}

function syncOf(log: RoomLog, members: Members, elapsed = { ms: 0 }): Sync {
  let ids = 0;
  return new Sync({
    ...{ selfId: mara, log, members, isBarred: () => false, isUnstored: () => false },
    newId: () => `request-${ids++}`,
    clock: { now: () => 1_000_000 + elapsed.ms, elapsedMs: () => elapsed.ms },
  });
}

test("an entry is shown when its author says, unless more is known of when it was written", () => {
  const free = { arrivedAt: 100, notBefore: 0, earlier: 0, later: Number.POSITIVE_INFINITY };
  expect(shownAtOf(50, free)).toBe(50);
  expect(shownAtOf(5_000, free)).toBe(100);
  expect(shownAtOf(1, { ...free, notBefore: 40 })).toBe(40);
  expect(shownAtOf(1, { ...free, earlier: 60 })).toBe(60);
  expect(shownAtOf(90, { ...free, later: 70 })).toBe(70);
  expect(shownAtOf(90, { ...free, notBefore: 80, later: 70 })).toBe(70);
});

test("whatever times an author claims, and in whatever order its entries arrive, they are shown by number", () => {
  const claims = fc.array(fc.integer(), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(claims, fc.infiniteStream(fc.nat()), (times, random) => {
      const log = new RoomLog(everybodyMet);
      const entries = times.map((time, index) => entryOf(jon, index + 1, { time }));
      const mixed = entries.map((entry) => [random.next().value ?? 0, entry] as const);
      mixed.sort(([one], [other]) => one - other);
      for (const [index, [, entry]] of mixed.entries()) log.add(entry, arrival(1_000 + index));
      expect(log.all().map(({ entry }) => entry.n)).toEqual(entries.map(({ n }) => n));
      for (const { shownAt } of log.all()) expect(shownAt).toBeLessThan(1_000 + times.length);
    }),
  );
});

test("names what is missing, and the part before which a log begins is not", () => {
  const log = new RoomLog(everybodyMet);
  add(log, ...[3, 4, 8].map((n) => entryOf(jon, n)));
  expect(log.missing(jon, { from: 3, to: 10 })).toEqual([
    { from: 5, to: 7 },
    { from: 9, to: 10 },
  ]);
  expect(log.missing(jon, { from: 1, to: 4 })).toEqual([{ from: 1, to: 2 }]);
  expect(log.missing(mara, { from: 1, to: 2 })).toEqual([{ from: 1, to: 2 }]);
});

test("keeps two versions of an entry, and asks for what the second one follows", () => {
  const log = new RoomLog(everybodyMet);
  expect(add(log, entryOf(jon, 1), entryOf(jon, 2), entryOf(jon, 3))).toEqual(["added", "added", "added"]);
  expect(add(log, entryOf(jon, 3, { version: "b" }), entryOf(jon, 3, { version: "c" }))).toEqual([
    "added",
    "refused",
  ]);
  expect(log.at(jon, 3)).toHaveLength(2);
  expect(log.missing(jon, { from: 1, to: 3 })).toEqual([{ from: 1, to: 2 }]);
  add(log, entryOf(jon, 2, { version: "b" }), entryOf(jon, 1, { version: "b" }));
  expect(log.missing(jon, { from: 1, to: 3 })).toEqual([]);
  expect(add(log, entryOf(jon, 2))).toEqual(["known"]);
});

test("an author with a fork on every entry stays within its share", () => {
  const log = new RoomLog(everybodyMet);
  for (let n = 1; n <= 3_000; n++)
    add(log, entryOf(jon, n), entryOf(jon, n, { version: "b" }), entryOf(jon, n, { version: "c" }));
  expect(log.size.entries).toBeLessThanOrEqual(logCaps.authorEntries);
  expect(log.last(jon)?.entry.n).toBe(3_000);
});

test("ten thousand invented authors fill their share, and push out nobody", () => {
  const log = new RoomLog({ selfId: mara, isMet: (author) => author === jon });
  add(log, ...Array.from({ length: 100 }, (_, index) => entryOf(jon, index + 1)));
  const body = "x".repeat(20_000);
  for (let author = 0; author < 10_000; author++) add(log, entryOf(`invented-${author}`, 1, { body }));
  for (let n = 1; n <= 2_000; n++) add(log, entryOf("invented-1", n), entryOf("invented-2", n, { body }));
  expect(log.size.authors).toBeLessThanOrEqual(logCaps.authors);
  expect(log.size.bytes).toBeLessThanOrEqual(logCaps.bytes);
  expect(log.countFrom(jon, 1)).toBe(100);
});

test("somebody we meet takes the place of an author that nobody met", () => {
  const log = new RoomLog({ selfId: mara, isMet: (author) => author === jon });
  for (let author = 0; author < logCaps.authors; author++) add(log, entryOf(`invented-${author}`, 1));
  expect(add(log, entryOf("invented-last", 1))).toEqual(["refused"]);
  expect(add(log, entryOf(jon, 1))).toEqual(["added"]);
  expect(log.size).toMatchObject({ authors: logCaps.authors, entries: logCaps.authors });
});

test("we can write ourselves, whatever is there already", () => {
  const caps = { ...logCaps, authors: 3, entries: 3 };
  const log = new RoomLog(everybodyMet, caps);
  add(log, ...["one", "two", "three"].map((author, index) => entryOf(author, 1, { time: index })));
  const body = "x".repeat(9_000);
  expect(add(log, entryOf(mara, 1, { body }), entryOf(mara, 2, { body }))).toEqual(["added", "added"]);
  expect(log.last(mara)?.entry.n).toBe(2);
  expect([...log.authors()].sort()).toEqual([mara, "three", "two"].sort());
});

test("nothing that went for space is asked for again, also after a reload, not even all of an author's", () => {
  const before = new RoomLog(everybodyMet, { ...logCaps, authorEntries: 2 });
  add(before, ...[1, 2, 3, 4].map((n) => entryOf(jon, n)));
  expect(before.missing(jon, { from: 1, to: 4 })).toEqual([]);
  const after = new RoomLog(everybodyMet);
  after.keepFrom(jon, 5);
  expect(after.missing(jon, { from: 1, to: 4 })).toEqual([]);
  expect(add(after, entryOf(jon, 4), entryOf(jon, 5))).toEqual(["refused", "added"]);
});

test("says from which number on nothing is missing", () => {
  const log = new RoomLog(everybodyMet);
  add(log, ...[1, 2, 5, 6, 7].map((n) => entryOf(jon, n)));
  expect(log.wholeFrom(jon)).toBe(5);
  const fourth = log.add(entryOf(jon, 4), arrival(1_000));
  expect(log.wholeFrom(jon)).toBe(4);
  if (fourth.outcome === "added") log.remove(fourth.logged);
  expect(log.wholeFrom(jon)).toBe(5);
  add(log, entryOf(jon, 3), entryOf(jon, 4));
  expect(log.wholeFrom(jon)).toBe(1);
});

test("an entry that could not be stored leaves nothing, and can come again", () => {
  const log = new RoomLog(everybodyMet);
  const added = log.add(entryOf(jon, 1), arrival(1_000));
  if (added.outcome === "added") log.remove(added.logged);
  expect(log.size).toEqual({ entries: 0, bytes: 0, authors: 0 });
  expect(log.missing(jon, { from: 1, to: 1 })).toEqual([{ from: 1, to: 1 }]);
  expect(add(log, entryOf(jon, 1))).toEqual(["added"]);
});

test("of an entry that was removed nobody is given anything, and it is not asked for", () => {
  const members = new Members();
  members.meet(eve, 0);
  const log = new RoomLog(everybodyMet);
  add(log, ...[1, 2, 3].map((n) => entryOf(jon, n, { body: "x".repeat(1_000) })));
  const bytes = log.size.bytes;
  log.erase(entryOf(jon, 2));
  expect(log.size).toEqual({ entries: 3, bytes: bytes - 1_000, authors: 1 });
  expect(log.missing(jon, { from: 1, to: 3 })).toEqual([]);
  expect(add(log, entryOf(jon, 2))).toEqual(["known"]);
  const sync = syncOf(log, members);
  sync.connected(eve);
  expect(sync.requested(eve, "ask-0001", jon, { from: 1, to: 3 })).toMatchObject([
    { entries: [{ n: 1 }, { n: 3 }] },
  ]);
});

test("of the members those seen last are kept, also of more that were stored, and named in what others can read", () => {
  const stored = Array.from({ length: 250 }, (_, n) => ({
    ...{ client: `member-${n}`, since: n, metAt: n },
    lastSeen: n,
  }));
  const members = new Members(stored.toReversed());
  expect(members.list()).toHaveLength(200);
  expect(members.isMet("member-49")).toBe(false);
  expect(members.isMet("member-50")).toBe(true);
  members.meet(eve, 1_000);
  const { put, gone } = members.takeChanges();
  expect(put.map(({ client }) => client)).toEqual([eve]);
  expect(gone).toEqual(Array.from({ length: 51 }, (_, n) => `member-${n}`));
  expect(members.takeChanges()).toEqual({ put: [], gone: [] });
  const [heads] = syncOf(new RoomLog(everybodyMet), members).connected(eve);
  expect(heads?.type === "heads" && heads.members.length).toBe(199);
});

test.each([
  ["entries", { entries: 10 }],
  ["bytes", { bytes: 10 * (512 + "text".length) }],
])("a room of more %s than it may have loses the oldest of who wrote most", (_what, cap) => {
  const log = new RoomLog(everybodyMet, { ...logCaps, ...cap });
  for (let n = 1; n <= 20; n++) add(log, entryOf(jon, n), ...(n % 5 === 0 ? [entryOf(eve, n / 5)] : []));
  expect(log.size).toMatchObject({ entries: 10, authors: 2 });
  expect([jon, eve].map((author) => log.countFrom(author, 1))).toEqual([6, 4]);
  expect(log.last(jon)?.entry.n).toBe(20);
});

test("a member vouches for no time before its own, so that a newcomer brings nobody in", () => {
  const members = new Members();
  members.meet(jon, 1_000);
  members.meet(eve, 5_000);
  expect(members.vouch(eve, { client: mara, since: 0 }, 6_000)).toBe(true);
  expect(members.list().find(({ client }) => client === mara)?.since).toBe(5_000);
  expect(members.vouch(jon, { client: mara, since: 2_000 }, 6_000)).toBe(true);
  expect(members.list().find(({ client }) => client === mara)?.since).toBe(2_000);
  expect(members.vouch("nobody", { client: "other", since: 0 }, 6_000)).toBe(false);
  for (let n = 0; n < 1_000; n++) members.vouch(eve, { client: `invented-${n}`, since: 0 }, 6_000);
  expect(members.list()).toHaveLength(200);
  expect([jon, eve].map((met) => members.isMet(met))).toEqual([true, true]);
});

test("a member is believed to have 200 authors at most, and four of them are asked for at once", () => {
  const members = new Members();
  members.meet(eve, 0);
  const sync = syncOf(new RoomLog(everybodyMet), members);
  sync.connected(eve);
  const authors = Array.from({ length: 1_000 }, (_, n) => `invented-${n}`);
  const claim = { from: 1, whole: 1, n: 9, count: 9, hash: "hash" };
  for (let at = 0; at < authors.length; at += 200)
    sync.heads(
      eve,
      authors.slice(at, at + 200).map((author) => ({ ...claim, author })),
      [],
    );
  expect(authors.filter((author) => sync.headOf(eve, author) !== undefined)).toHaveLength(200);
  expect(sync.requests).toBe(4);
});

test("heads that lie, and change with every message, cost few requests", () => {
  const elapsed = { ms: 0 };
  const members = new Members();
  members.meet(eve, 0);
  const sync = syncOf(new RoomLog(everybodyMet), members, elapsed);
  sync.connected(eve);
  let requests = 0;
  for (let second = 0; second < 600; second++) {
    elapsed.ms += 1_000;
    const n = limits.entryNumber - second;
    const lies = [{ author: jon, from: 1, whole: 1, n, count: n, hash: `hash-${second}` }];
    for (const effect of [...sync.heads(eve, lies, []), ...sync.tick()]) {
      if (effect.type !== "request-entries") continue;
      requests++;
      sync.received(eve, effect.id, { author: jon, entries: [] }, 0);
    }
  }
  expect(requests).toBeLessThan(20);
  expect(sync.requests).toBe(0);
});

test.each([
  { n: 100, again: [2] },
  // Of more than 64 ranges it is not known any more that this was not among them, until the member has something new.
  { n: 400, again: [] },
])("a member that gives none of every second of $n entries is asked once for each", ({ n, again }) => {
  const elapsed = { ms: 0 };
  const members = new Members();
  members.meet(eve, 0);
  const log = new RoomLog(everybodyMet);
  for (let even = 2; even <= n; even += 2) add(log, entryOf(jon, even));
  const sync = syncOf(log, members, elapsed);
  sync.connected(eve);
  const heads = (last: number) =>
    sync.heads(eve, [{ author: jon, from: 1, whole: 1, n: last, count: last, hash: `${jon}#${last}` }], []);
  const askedFor = (first: readonly SyncEffect[]) => {
    const asked: number[] = [];
    for (let effects = first; effects.length > 0; effects = sync.tick()) {
      for (const effect of effects) {
        if (effect.type !== "request-entries") continue;
        asked.push(effect.from);
        sync.received(eve, effect.id, { author: jon, entries: [] }, 0);
      }
      elapsed.ms += 60_000;
    }
    return asked;
  };
  expect(askedFor(heads(n))).toEqual(Array.from({ length: n / 2 }, (_, at) => 2 * at + 1));
  // Storage refused one that had been added.
  const [second = expect.fail()] = log.at(jon, 2);
  log.remove(second);
  expect(askedFor(sync.tick())).toEqual(again);
  // What is missing up to the third is one range now.
  expect(askedFor(heads(n + 1)).slice(0, 2)).toEqual([1, 5]);
});

test("a member that counts a version which it gives nobody is asked for that once, not with each entry that follows", () => {
  const members = new Members();
  members.meet(eve, 0);
  const log = new RoomLog(everybodyMet);
  add(log, entryOf(jon, 1));
  const sync = syncOf(log, members);
  sync.connected(eve);
  const ranges: unknown[] = [];
  const hears = (n: number, count: number) => {
    const head = { author: jon, from: 1, whole: 1, n, count, hash: `${jon}#${n}` };
    for (const effect of sync.heads(eve, [head], [])) {
      if (effect.type !== "request-entries") continue;
      ranges.push([effect.from, effect.until]);
      sync.received(eve, effect.id, { author: jon, entries: [], more: undefined }, 1);
    }
  };
  hears(1, 2);
  for (let n = 2; n <= 10; n++) {
    add(log, entryOf(jon, n));
    hears(n, n + 1);
  }
  expect(ranges).toEqual([[1, 1]]);
  hears(10, 12);
  expect(ranges).toEqual([
    [1, 1],
    [1, 10],
  ]);
});

/** The log of Eve about Jon, of whom only the first entry is here, and what is asked of her. */
function withEve() {
  const members = new Members();
  members.meet(eve, 0);
  const log = new RoomLog(everybodyMet);
  add(log, entryOf(jon, 1));
  const sync = syncOf(log, members);
  sync.connected(eve);
  const requests = (effects: readonly SyncEffect[]) =>
    effects.flatMap((effect) =>
      effect.type === "request-entries" ? [{ id: effect.id, range: [effect.from, effect.until] }] : [],
    );
  const says = (n: number, count: number) =>
    requests(sync.heads(eve, [{ author: jon, from: 1, whole: 1, n, count, hash: `${jon}#${n}` }], []));
  const gives = (id: string | undefined) =>
    requests(sync.received(eve, id ?? "", { author: jon, entries: [] }, 1));
  return { log, says, gives };
}

test("a version that a member counts is asked for also after an answer that could not hold it", () => {
  const { log, says, gives } = withEve();
  const [next] = says(2, 3);
  expect(next?.range).toEqual([2, 2]);
  add(log, entryOf(jon, 2));
  expect(gives(next?.id)).toMatchObject([{ range: [1, 1] }]);
});

test("a version is asked for of which a head told while another one was asked for in vain", () => {
  const { log, says, gives } = withEve();
  const [removed] = says(1, 2);
  expect(removed?.range).toEqual([1, 1]);
  says(1, 3);
  expect(gives(removed?.id)).toEqual([]);
  add(log, entryOf(jon, 2));
  expect(says(2, 4)).toMatchObject([{ range: [1, 2] }]);
});

test("members that claim thousands of authors are compared with a few at a time, and each has its turn", () => {
  class CountingLog extends RoomLog {
    compared = new Set<string>();
    count = 0;
    override missing(...args: Parameters<RoomLog["missing"]>) {
      this.compared.add(args[0]);
      this.count++;
      return [];
    }
    override countFrom(): number {
      return Number.POSITIVE_INFINITY;
    }
  }
  const members = new Members();
  const log = new CountingLog(everybodyMet);
  const sync = syncOf(log, members);
  const peers = Array.from({ length: 24 }, (_, peer) => `peer-${peer}`);
  for (const peer of peers) {
    members.meet(peer, 0);
    sync.connected(peer);
    const claim = (n: number) => ({
      author: `${peer}-author-${n}`,
      from: 1,
      whole: 1,
      n: 9,
      count: 9,
      hash: "h",
    });
    const heads = Array.from({ length: limits.logAuthors }, (_, n) => claim(n));
    log.count = 0;
    sync.heads(peer, heads, []);
    expect(log.count).toBeLessThanOrEqual(500);
  }
  for (let tick = 0; tick < 12; tick++) sync.tick();
  expect(log.compared.size).toBe(24 * limits.logAuthors);
});

test("a request that nobody answers ends, and the next member is asked", () => {
  const elapsed = { ms: 0 };
  const members = new Members();
  const sync = syncOf(new RoomLog(everybodyMet), members, elapsed);
  for (const client of [eve, jon]) {
    members.meet(client, 0);
    sync.connected(client);
  }
  const head = { author: jon, from: 1, whole: 1, n: 5, count: 5, hash: "hash" };
  const asked = (effects: readonly SyncEffect[]) => effects.filter(({ type }) => type === "request-entries");
  expect(asked(sync.heads(eve, [head], []))).toMatchObject([{ to: eve, from: 1, until: 5 }]);
  expect(asked(sync.heads(jon, [head], []))).toEqual([]);
  elapsed.ms = 10_000;
  expect(asked(sync.tick())).toMatchObject([{ to: jon, from: 1, until: 5 }]);
  elapsed.ms = 20_000;
  sync.tick();
  expect(sync.requests).toBe(0);
});

test("a member that has lost what it was told is told it again, every ten seconds at most", () => {
  const elapsed = { ms: 0 };
  const members = new Members();
  members.meet(jon, 0);
  const log = new RoomLog(everybodyMet);
  add(log, ...[1, 2, 3].map((n) => entryOf(mara, n)));
  const sync = syncOf(log, members, elapsed);
  sync.connected(jon);
  const told = [0, 1_000, 9_999, 10_000, 15_000].map((ms) => {
    elapsed.ms = ms;
    return sync.heads(jon, [], [], true).length;
  });
  expect(told).toEqual([1, 0, 0, 1, 0]);
});

test("a member that asks faster than its answers leave gets no more of them", () => {
  const members = new Members();
  members.meet(jon, 0);
  const log = new RoomLog(everybodyMet);
  add(log, ...[1, 2, 3].map((n) => entryOf(mara, n)));
  const sync = syncOf(log, members);
  sync.connected(jon);
  const ask = (id: number) => sync.requested(jon, `ask-${id}`, mara, { from: 1, to: limits.entryNumber });
  expect(ask(0)).toMatchObject([{ type: "entries", entries: [{ n: 1 }, { n: 2 }, { n: 3 }] }]);
  const answers = Array.from({ length: 100 }, (_, id) => ask(id)).flat();
  expect(answers.length).toBeLessThan(10);
  sync.answered(jon);
  expect(ask(101)).toHaveLength(1);
});

test("an answer is a page of at most 64 KiB, and the next one follows it", () => {
  const members = new Members();
  members.meet(jon, 0);
  const log = new RoomLog(everybodyMet);
  const body = "x".repeat(20_000);
  add(log, ...Array.from({ length: 10 }, (_, index) => entryOf(mara, index + 1, { body })));
  const sync = syncOf(log, members);
  sync.connected(jon);
  const [page] = sync.requested(jon, "ask-0001", mara, { from: 1, to: 10 });
  expect(page).toMatchObject({ more: true, entries: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  expect(JSON.stringify(page).length).toBeLessThan(limits.entryPageBytes + 2_048);
});
