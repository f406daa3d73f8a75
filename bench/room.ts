/**
 * What the log of a room costs, all members in one process with a simulated network and simulated time: the work is real, the
 * line is not. `npm run bench:room -- [--members=16] [--missed=1000] [--sizes=2,8,16,24] [--entries=10000]`; results:
 * docs/benchmarks.md. `bench:crowd` writes to everyone in real browsers.
 */
import { parseArgs } from "node:util";
import { encodeBase64url } from "../packages/core/src/handshake/crypto/encoding.ts";
import { newIdentity } from "../packages/core/src/handshake/testing/handshake-fixtures.ts";
import { everyone } from "../packages/core/src/messages/message.ts";
import { entryRecord, readLog } from "../packages/core/src/messages/stored-log.ts";
import type { StoredRecord } from "../packages/core/src/ports/record-storage.ts";
import { roomTagOf } from "../packages/core/src/room/room-tag.ts";
import { type Entry, writeEntry } from "../packages/core/src/room-log/entry.ts";
import { RoomLog } from "../packages/core/src/room-log/room-log.ts";
import { MemoryRecordStorage } from "../packages/core/src/shared/storage/memory-record-storage.ts";
import { FakeDataChannel } from "../packages/core/src/testing/fake-data-channel.ts";
import { type TestPerson, TestWorld } from "../packages/core/src/testing/test-world.ts";
import { median } from "./median.ts";

const { values: flags } = parseArgs({
  options: {
    members: { type: "string", default: "16" },
    missed: { type: "string", default: "1000" },
    sizes: { type: "string", default: "2,8,16,24" },
    entries: { type: "string", default: "10000" },
  },
});

let frames = 0;
let bytes = 0;
const send = FakeDataChannel.prototype.send;
FakeDataChannel.prototype.send = function (data) {
  frames++;
  bytes += typeof data === "string" ? Buffer.byteLength(data) : 0;
  send.call(this, data);
};

/** What an entry has beside its text, as it travels. */
const fieldBytes = await bytesOfFields();

const textsPerRound = 48;
const textOf = (n: number) => `This is text ${n} of a conversation, of the usual length`;

await open(Number(flags.entries));
for (const size of flags.sizes.split(",").map(Number)) await write(size);
await catchUp(Number(flags.members), Number(flags.missed));
process.exit(0);

async function gather(world: TestWorld, count: number): Promise<TestPerson[]> {
  const people: TestPerson[] = [];
  for (let n = 0; n < count; n++) people.push(await world.person(`Person ${n}`));
  for (const { warren } of people) await warren.room.join();
  for (const one of people) for (const other of people) if (one !== other) await world.untilMet(one, other);
  await world.clock.advance(10_000);
  return people;
}

async function bytesOfFields(): Promise<number> {
  const identity = await newIdentity();
  const content = { time: 1_700_000_000_000, name: "Person 1", kind: "text", body: "" };
  const first = await writeEntry(identity, roomTagOf("burrow"), null, content);
  const {
    tag: _tag,
    author: _author,
    hash: _hash,
    ...wire
  } = await writeEntry(identity, roomTagOf("burrow"), first, content);
  return Buffer.byteLength(JSON.stringify(wire));
}

/** Reads a log from storage, as when a room is entered. */
async function open(count: number): Promise<void> {
  const room = roomTagOf("burrow");
  const storage = new MemoryRecordStorage();
  let shownAt = 1_700_000_000_000;
  for (let author = 0; author < 16; author++) {
    const identity = await newIdentity();
    const key = encodeBase64url(identity.publicKey);
    const records: StoredRecord[] = [];
    let before: Entry | null = null;
    for (let n = 0; n < count / 16; n++) {
      const content = { time: shownAt, name: "Mara", kind: "text", body: textOf(n) };
      before = await writeEntry(identity, room, before, content);
      records.push(entryRecord(room, { entry: before, key, via: identity.clientId, shownAt: shownAt++ }));
    }
    await storage.write({ put: records });
  }
  const took: number[] = [];
  for (let round = 0; round < 5; round++) {
    const cost = await costOf(async () => {
      const stored = await readLog(storage, { room, tag: room });
      const log = new RoomLog({ selfId: "nobody", isMet: () => true });
      for (const logged of stored.entries) log.restore(logged);
    });
    took.push(cost.cpuMs);
  }
  console.log(`open a room of ${count} entries: ${median(took).toFixed(0)} ms of CPU, without the database`);
}

/**
 * Everybody writes in turn, in two rooms that differ in whether they have a log: what a text costs a page, beyond what the
 * same time costs a page in which nobody writes. The median of some rounds, taken in turns.
 */
async function write(size: number): Promise<void> {
  const kinds = [];
  for (const roomLog of [false, true]) {
    const world = new TestWorld({ roomLog });
    const people = await gather(world, size);
    await world.clock.advance(60_000);
    kinds.push({ world, people, roomLog, written: 0, texts: [] as Cost[], quiet: [] as Cost[] });
  }
  for (let round = 0; round <= 5; round++)
    for (const isQuiet of [false, true])
      for (const kind of kinds) {
        const { world, people } = kind;
        const cost = await costOf(async () => {
          for (let n = 0; n < textsPerRound; n++) {
            if (!isQuiet) await people[n % size]?.warren.chat.sendText(everyone, textOf(kind.written++));
            await world.clock.advance(200);
          }
        });
        // The first round compiles the code.
        if (round > 0) (isQuiet ? kind.quiet : kind.texts).push(cost);
      }
  for (const { roomLog, texts, quiet, people } of kinds) {
    const medianOf = (costs: readonly Cost[], of: keyof Cost) => median(costs.map((cost) => cost[of]));
    const perPage = (of: keyof Cost) => (medianOf(texts, of) - medianOf(quiet, of)) / textsPerRound / size;
    console.log(
      [
        `${size} members ${roomLog ? "with" : "without"} a log`,
        `${perPage("cpuMs").toFixed(2)} ms of CPU`,
        `${perPage("frames").toFixed(1)} frames`,
        `${perPage("bytes").toFixed(0)} bytes a text and page`,
      ].join("   "),
    );
    for (const person of people) await person.close();
  }
}

interface Cost {
  readonly cpuMs: number;
  readonly frames: number;
  readonly bytes: number;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const before = { frames, bytes, cpu: process.cpuUsage() };
  await work();
  const { user, system } = process.cpuUsage(before.cpu);
  return { cpuMs: (user + system) / 1_000, frames: frames - before.frames, bytes: bytes - before.bytes };
}

/** One member was away while the others wrote. */
async function catchUp(members: number, missed: number): Promise<void> {
  const world = new TestWorld();
  const people = await gather(world, members);
  const away = people.at(-1);
  if (away === undefined) throw new Error("there is nobody");
  await away.close();
  await world.clock.advance(5_000);
  let needed = 0;
  for (let n = 0; n < missed; n++) {
    await people[n % (members - 1)]?.warren.chat.sendText(everyone, textOf(n));
    needed += Buffer.byteLength(textOf(n)) + fieldBytes;
    if (n % 10 === 9) await world.clock.advance(100);
  }
  await world.clock.advance(10_000);
  await away.open();
  const startedAt = world.clock.elapsedMs();
  const here = () => away.warren.chat.store.getState().conversations[everyone]?.unread ?? 0;
  const cost = await costOf(async () => {
    await away.warren.room.join();
    await world.until(() => here() >= missed);
  });
  console.log(
    [
      `${members} members, ${missed} entries missed by one: complete`,
      `${(cost.cpuMs / 1_000).toFixed(1)} s of CPU of all, from joining`,
      `${((world.clock.elapsedMs() - startedAt) / 1_000).toFixed(1)} s of simulated time`,
      `${(cost.bytes / needed).toFixed(2)} of the bytes of the entries, the meeting included`,
    ].join("   "),
  );
}
