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

const textOf = (n: number) => `This is text ${n} of a conversation, of the usual length`;

await open(Number(flags.entries));
for (const size of flags.sizes.split(",").map(Number))
  for (const roomLog of [false, true]) await write(size, roomLog);
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
    const start = performance.now();
    const stored = await readLog(storage, { room, tag: room });
    const log = new RoomLog({ selfId: "nobody", isMet: () => true });
    for (const logged of stored.entries) log.restore(logged);
    took.push(performance.now() - start);
  }
  took.sort((one, other) => one - other);
  console.log(`open a room of ${count} entries: ${took[2]?.toFixed(0)} ms, without the database`);
}

/** Everybody writes in turn: what a text costs a page. */
async function write(size: number, roomLog: boolean): Promise<void> {
  const world = new TestWorld({ roomLog });
  const people = await gather(world, size);
  const texts = 48;
  const before = { frames, bytes, cpu: process.cpuUsage() };
  for (let n = 0; n < texts; n++) {
    await people[n % size]?.warren.chat.sendText(everyone, textOf(n));
    await world.clock.advance(200);
  }
  await world.clock.advance(60_000);
  const { user, system } = process.cpuUsage(before.cpu);
  const perPage = texts * size;
  console.log(
    [
      `${size} members ${roomLog ? "with" : "without"} a log`,
      `${((user + system) / 1_000 / perPage).toFixed(2)} ms of CPU`,
      `${((frames - before.frames) / perPage).toFixed(1)} frames`,
      `${((bytes - before.bytes) / perPage).toFixed(0)} bytes a text and page`,
    ].join("   "),
  );
  for (const person of people) await person.close();
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
  const before = { bytes, at: performance.now(), elapsedMs: world.clock.elapsedMs() };
  await away.warren.room.join();
  const here = () => away.warren.chat.store.getState().conversations[everyone]?.unread ?? 0;
  await world.until(() => here() >= missed);
  console.log(
    [
      `${members} members, ${missed} entries missed by one: complete`,
      `${((performance.now() - before.at) / 1_000).toFixed(1)} s of work of all, from joining`,
      `${((world.clock.elapsedMs() - before.elapsedMs) / 1_000).toFixed(1)} s of simulated time`,
      `${((bytes - before.bytes) / needed).toFixed(2)} of the bytes of the entries, the meeting included`,
    ].join("   "),
  );
}
