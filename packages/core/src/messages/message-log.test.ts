import { type RoomTag, WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { RecordChanges } from "../ports/record-storage.ts";
import { Emitter } from "../shared/emitter.ts";
import { silentLog } from "../shared/log.ts";
import { MemoryRecordStorage } from "../shared/storage/memory-record-storage.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import type { Offer } from "../transfer/offer-state.ts";
import { type Gap, isInGap } from "./chat-state.ts";
import { ConversationNames } from "./conversation-names.ts";
import { type ChatMessage, everyone, type FileMessage, messageKeyOf } from "./message.ts";
import { withChange } from "./message-changes.ts";
import { MessageLog } from "./message-log.ts";
import { layoutRecord as layoutOf, messageRecord as recordOf } from "./stored-chat.ts";

const room = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";
const layoutRecord = layoutOf(room);
const messageRecord = (message: ChatMessage) => recordOf(message, new ConversationNames(room));

const me = "00000000-0000-4000-8000-000000000001";
const jun = "00000000-0000-4000-8000-000000000002";
const one = "00000000-0000-4000-8000-000000000011";
const two = "00000000-0000-4000-8000-000000000012";

/** A disk whose deletion takes effect long before it resolves. */
class SlowDisk extends MemoryRecordStorage {
  failure: WarrenError | null = null;
  isFull = false;
  confirm: () => void = () => {};

  override async deleteGroups(...args: Parameters<MemoryRecordStorage["deleteGroups"]>): Promise<void> {
    if (this.failure === null) await super.deleteGroups(...args);
    await new Promise<void>((resolve) => {
      this.confirm = resolve;
    });
    if (this.failure) throw this.failure;
  }

  override async addIfAbsent(...args: Parameters<MemoryRecordStorage["addIfAbsent"]>): Promise<boolean> {
    if (this.isFull) throw new WarrenError("storage-full");
    return super.addIfAbsent(...args);
  }
}

/** Lets pending disk operations run. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve));

function said(id: string, sortedAt: number): ChatMessage {
  const head = { key: messageKeyOf(jun, id), id, conversation: jun, client: jun, deliveries: {} };
  return { ...head, type: "text", data: `This is ${id}`, createdAt: sortedAt, sortedAt };
}

describe("forgetting somebody", () => {
  let disk: SlowDisk;
  let log: MessageLog;
  const open = () => openLog(disk);
  const idsOf = (page: MessageLog) => page.conversation(jun).messages.map(({ id }) => id);

  beforeEach(async () => {
    disk = new SlowDisk();
    log = await open();
    log.contacts.remember({ clientId: jun, name: "Jun", proven: true });
    for (const [at, id] of [one, two].entries()) await log.add(said(id, at + 1), { read: true });
  });

  it("shows a contact until it is deleted from storage, so that no reload brings it back", async () => {
    const forgetting = log.forget(jun);
    await aMoment();
    expect(log.contacts.get(jun)?.name).toBe("Jun");
    expect(idsOf(log)).toEqual([one, two]);
    disk.confirm();
    await forgetting;
    for (const page of [log, await open()]) {
      expect(page.contacts.get(jun)).toBeUndefined();
      expect(idsOf(page)).toEqual([]);
    }
  });

  it("deletes nothing when storage fails", async () => {
    disk.failure = new WarrenError("storage-failed", { reason: "no disk" });
    const forgetting = log.forget(jun);
    await aMoment();
    disk.confirm();
    await expect(forgetting).rejects.toMatchObject({ code: "storage-failed" });
    expect(log.contacts.get(jun)?.name).toBe("Jun");
    log.update(messageKeyOf(jun, two), (message) => ({ ...message, createdAt: 7 }));
    for (const page of [log, await open()]) {
      expect(idsOf(page)).toEqual([one, two]);
      expect(page.find(messageKeyOf(jun, two))?.createdAt).toBe(7);
    }
  });

  it("writes no message that would follow the deletion", async () => {
    const forgetting = log.forget(jun);
    await aMoment();
    log.update(messageKeyOf(jun, two), (message) => ({ ...message, createdAt: 7 }));
    disk.confirm();
    await forgetting;
    expect(idsOf(await open())).toEqual([]);
  });

  it("ends the wait for a message that storage never accepted, once it is deleted", async () => {
    disk.isFull = true;
    const key = messageKeyOf(jun, "a-third-message");
    await log.add(said("a-third-message", 3), { read: true });
    const ended = vi.fn();
    const stored = log.stored(key).then(ended);
    disk.failure = new WarrenError("storage-failed", { reason: "no disk" });
    const failing = log.forget(jun);
    await aMoment();
    disk.confirm();
    await expect(failing).rejects.toMatchObject({ code: "storage-failed" });
    expect(ended).not.toHaveBeenCalled();
    disk.failure = null;
    const forgetting = log.forget(jun);
    await aMoment();
    disk.confirm();
    await forgetting;
    await stored;
  });

  it("keeps a contact that is met again meanwhile", async () => {
    const forgetting = log.forget(jun);
    await aMoment();
    log.contacts.remember({ clientId: jun, name: "Jun-ho", proven: true });
    disk.confirm();
    await forgetting;
    await log.add(said("00000000-0000-4000-8000-000000000013", 3), { read: true });
    for (const page of [log, await open()]) expect(page.contacts.get(jun)?.name).toBe("Jun-ho");
  });
});

/** A conversation with Jun, stored text by text by an earlier page. */
async function storedTexts(disk: MemoryRecordStorage, count: number): Promise<void> {
  const put = Array.from({ length: count }, (_, index) => {
    const { key, ...value } = said(`said-text-${index + 1}`, index + 1);
    return { key, group: `messages/${jun}`, order: index + 1, value };
  });
  await disk.write({ put });
}

async function readUntil(disk: MemoryRecordStorage, at: number): Promise<void> {
  await disk.write({ put: [{ key: `read/${jun}`, group: "reads", order: 0, value: { readUntil: at } }] });
}

function newLog(disk: MemoryRecordStorage, present = room): MessageLog {
  return new MessageLog({
    room: present,
    storage: disk,
    clock: new FakeClock(),
    log: silentLog,
    events: new Emitter(),
  });
}

async function openLog(disk: MemoryRecordStorage, present = room): Promise<MessageLog> {
  const log = newLog(disk, present);
  await log.loadContacts();
  await log.load(me, (message) => message);
  return log;
}

it("does not bring back a message that is removed while the history is read", async () => {
  const disk = new MemoryRecordStorage();
  await storedTexts(disk, 2);
  const log = newLog(disk);
  const own = { ...said(one, 3), client: me, key: messageKeyOf(me, one) };
  await log.add(own, { read: true });
  // By then, the ends of all conversations have been read.
  vi.spyOn(disk, "about").mockImplementationOnce(async () => {
    log.remove(own.key);
    return [];
  });
  await log.load(me, (message) => message);
  expect(log.conversation(jun).messages.map(({ id }) => id)).toEqual(["said-text-1", "said-text-2"]);
});

it("loads all messages about a file that was offered again before, on a full disk", async () => {
  const disk = new MemoryRecordStorage();
  await storedTexts(disk, 300);
  await readUntil(disk, 300);
  await disk.write({ put: [layoutRecord, messageRecord(fileAt(1, { fid: "the-file-again" }))] });
  const log = newLog(disk);
  vi.spyOn(disk, "addIfAbsent").mockRejectedValue(new WarrenError("storage-full"));
  const offer = fileAt(301, { fid: "the-file-again" });
  await log.add({ ...offer, client: me, key: messageKeyOf(me, offer.id) }, { read: true });
  await log.load(me, (message) => message);
  expect(log.files("the-file-again").map(({ sortedAt }) => sortedAt)).toEqual([1, 301]);
});

const timesFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const timesOf = (log: MessageLog) => log.conversation(jun).messages.map(({ sortedAt }) => sortedAt);

describe("a long history", () => {
  let disk: MemoryRecordStorage;
  beforeEach(() => {
    disk = new MemoryRecordStorage();
  });

  it("costs the same to load whether it is long or very long", async () => {
    await storedTexts(disk, 60);
    await readUntil(disk, 60);
    const short = await openLog(disk);
    await storedTexts(disk, 4_000);
    await readUntil(disk, 4_000);
    const long = await openLog(disk);
    expect(timesOf(long)).toHaveLength(timesOf(short).length);
    expect(timesOf(long).at(-1)).toBe(4_000);
    expect(long.conversation(jun).unread).toBe(0);
  });

  it("is loaded in pages up to its first message", async () => {
    await storedTexts(disk, 300);
    await readUntil(disk, 300);
    const log = await openLog(disk);
    const end = log.conversation(jun).gaps?.[0]?.before ?? 0;
    await Promise.all([log.loadAround(jun, end), log.loadAround(jun, end)]);
    expect(timesOf(log)).toEqual(timesFrom(51, 300));
    await log.loadAround(jun, 51);
    expect(timesOf(log)).toEqual(timesFrom(1, 300));
    expect(log.conversation(jun).gaps).toEqual([]);
  });

  it("is loaded around any place without the texts between", async () => {
    await storedTexts(disk, 5_000);
    await readUntil(disk, 5_000);
    const log = await openLog(disk);
    const list = vi.spyOn(disk, "list");
    await log.loadAround(jun, Number.NEGATIVE_INFINITY);
    expect(log.conversation(jun).gaps).toEqual([{ from: 201, before: 4_951 }]);
    await log.loadAround(jun, 2_000);
    expect(timesOf(log)).toEqual([
      ...timesFrom(1, 200),
      ...timesFrom(1_800, 2_199),
      ...timesFrom(4_951, 5_000),
    ]);
    expect(log.conversation(jun).gaps).toEqual([
      { from: 201, before: 1_800 },
      { from: 2_200, before: 4_951 },
    ]);
    const read = await Promise.all(
      list.mock.results.map(({ value }) => value as Promise<readonly unknown[]>),
    );
    expect(read.flat().length).toBeLessThan(700);
  });

  it("is loaded from both ends of a gap until the gap is closed", async () => {
    await storedTexts(disk, 700);
    await readUntil(disk, 700);
    const log = await openLog(disk);
    await log.loadAround(jun, Number.NEGATIVE_INFINITY);
    await log.loadAround(jun, 201);
    await log.loadAround(jun, 651);
    expect(log.conversation(jun).gaps).toEqual([{ from: 401, before: 451 }]);
    await log.loadAround(jun, 420);
    expect(log.conversation(jun).gaps).toEqual([]);
    expect(timesOf(log)).toEqual(timesFrom(1, 700));
  });

  it("counts its unread messages and has them in memory, up to a thousand", async () => {
    await storedTexts(disk, 2_000);
    await readUntil(disk, 1_500);
    const some = await openLog(disk);
    expect([some.conversation(jun).unread, (timesOf(some)[0] ?? 0) <= 1_501]).toEqual([500, true]);
    await disk.write({ delete: [`read/${jun}`] });
    const all = await openLog(disk);
    expect([all.conversation(jun).unread, timesOf(all).length]).toEqual([2_000, 1_000]);
  });

  it("loads few of its messages where they are large, and the others as pages", async () => {
    const large = (at: number) => ({ ...said(`said-text-${at}`, at), data: "x".repeat(200 * 1024) });
    await disk.write({ put: Array.from({ length: 160 }, (_, n) => messageRecord(large(n + 1))) });
    const log = await openLog(disk);
    expect([log.conversation(jun).unread, timesOf(log)]).toEqual([160, timesFrom(111, 160)]);
    await log.loadAround(jun, 111);
    expect(timesOf(log)).toContain(110);
  });

  it("gives its stored texts to a search", async () => {
    await storedTexts(disk, 2_500);
    const log = await openLog(disk);
    const found: number[] = [];
    for await (const page of log.textsBefore(jun, 2_400))
      found.unshift(...page.map(({ sortedAt }) => sortedAt));
    expect(found).toEqual(Array.from({ length: 2_399 }, (_, index) => index + 1));
  });

  it("recognises a known message that is not in memory", async () => {
    await storedTexts(disk, 2_000);
    const log = await openLog(disk);
    expect(await log.add(said("said-text-3", 9_999), { read: false })).toBe(false);
    expect(timesOf(log)).not.toContain(9_999);
  });

  it("loses no change of a message that is not in memory, however many are made at once", async () => {
    await storedTexts(disk, 2_000);
    const log = await openLog(disk);
    const key = messageKeyOf(jun, "said-text-3");
    const because = (id: string) => (message: ChatMessage) => ({
      ...message,
      reactions: { ...message.reactions, [id]: { emoji: ["👍"], at: 1 } },
    });
    const loading = log.loadAround(jun, 3);
    await Promise.all([one, two, me].map((id) => log.change(key, because(id))));
    await loading;
    await log.change(key, because(jun));
    for (const page of [log, await openLog(disk)])
      expect(Object.keys((await page.lookUp(key))?.reactions ?? {})).toEqual([one, two, me, jun]);
  });

  it("keeps open offers and unsent texts in memory, however far back", async () => {
    const file = {
      ...{ fid: "some-file-id", fileName: "a.bin", fileSize: 1, mimeType: "", lastModified: 0 },
      chunkSize: 524_288,
    };
    const offers = { [jun]: { state: "offered" as const } };
    const offer = { ...said("the-offer", 2), type: "file" as const, file, offers };
    const unsent = { ...said("not-sent-yet", 3), deliveries: { [jun]: { status: "sending" as const } } };
    const sent = { ...said("sent-before", 4), deliveries: { [jun]: { status: "received" as const } } };
    for (const group of [`messages/${jun}`, "the-file-again"]) {
      disk = new MemoryRecordStorage();
      await storedTexts(disk, 2_000);
      if (group === "the-file-again") {
        const before = await openLog(disk);
        for (const message of [offer, unsent, sent]) await before.add(message as ChatMessage, { read: true });
      } else {
        // As earlier versions stored them.
        const put = [offer, unsent, sent].map(({ key, ...value }) => ({
          key,
          group,
          order: value.sortedAt,
          value,
        }));
        await disk.write({ put });
      }
      const log = await openLog(disk);
      const early = log.conversation(jun).messages.filter(({ sortedAt }) => sortedAt < 10);
      expect(early.map(({ id }) => id)).toEqual(["the-offer", "not-sent-yet"]);
      expect(early.every((message) => isInGap(log.conversation(jun), message))).toBe(true);
      log.update(unsent.key, (message) => ({ ...message, deliveries: { [jun]: { status: "received" } } }));
      expect((await openLog(disk)).find(unsent.key)).toBeUndefined();
    }
  });

  it("is trimmed again when another conversation is opened", async () => {
    await storedTexts(disk, 1_000);
    await readUntil(disk, 1_000);
    const log = await openLog(disk);
    const loadAll = async () => {
      for (let gap: Gap | undefined; ; await log.loadAround(jun, gap.before)) {
        gap = log.conversation(jun).gaps?.[0];
        if (gap === undefined) return;
      }
    };
    log.open(jun);
    await loadAll();
    log.open(null);
    expect(timesOf(log)).toHaveLength(1_000);
    log.open("everyone");
    expect(timesOf(log)).toHaveLength(50);
    await loadAll();
    expect(timesOf(log)).toEqual(timesFrom(1, 1_000));
  });
});

/** A file from Jun that is complete here. */
function fileAt(sortedAt: number, { fid = `the-file-${sortedAt}`, conversation = jun } = {}): FileMessage {
  const described = { fid, fileName: `${fid}.bin`, fileSize: 1, mimeType: "", lastModified: 0 };
  return {
    ...said(`the-offer-${sortedAt}`, sortedAt),
    conversation,
    type: "file",
    file: { ...described, chunkSize: 524_288 },
    offers: { [jun]: { state: "complete" } },
  };
}

describe("a long history of files", () => {
  let disk: MemoryRecordStorage;
  const store = (...messages: readonly ChatMessage[]) => disk.write({ put: messages.map(messageRecord) });
  beforeEach(async () => {
    disk = new MemoryRecordStorage();
    await disk.write({ put: [layoutRecord] });
    await readUntil(disk, 10_000);
  });

  it("costs the same to load whether it is long or very long", async () => {
    await store(...timesFrom(1, 60).map((at) => fileAt(at)));
    const short = timesOf(await openLog(disk));
    await store(...timesFrom(1, 4_000).map((at) => fileAt(at)));
    const read = vi.spyOn(disk, "list");
    const long = timesOf(await openLog(disk));
    expect([long.length, long.at(-1)]).toEqual([short.length, 4_000]);
    const lists = await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown[]>));
    expect(lists.flat().length).toBeLessThan(100);
  });

  it("has all messages about a file in memory, or none", async () => {
    await storedTexts(disk, 1_000);
    await store(
      ...[fileAt(10, { fid: "sent-again" }), fileAt(20, { fid: "sent-again", conversation: "everyone" })],
      ...[fileAt(30, { fid: "sent-once" }), fileAt(999, { fid: "sent-again" })],
    );
    await store(
      ...timesFrom(2_000, 2_100).map((at) => ({ ...said(`said-here-${at}`, at), conversation: "everyone" })),
    );
    const log = await openLog(disk);
    expect(log.files("sent-again").map(({ sortedAt }) => sortedAt)).toEqual([10, 20, 999]);
    expect(log.files("sent-once")).toEqual([]);
    await log.loadAround(jun, 25);
    expect(log.files("sent-once").map(({ sortedAt }) => sortedAt)).toEqual([30]);
    const keys = log.conversation(jun).messages.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is looked up by file and by message", async () => {
    await store(...timesFrom(1, 700).map((at) => fileAt(at)));
    const log = await openLog(disk);
    await log.loadAbout(timesFrom(1, 600).map((at) => `the-file-${at}`));
    expect(log.files()).toHaveLength(650);
    expect(isInGap(log.conversation(jun), fileAt(600))).toBe(true);
    await log.loadFiles([messageKeyOf(jun, "the-offer-610"), messageKeyOf(jun, "never-there")]);
    expect(log.find(messageKeyOf(jun, "the-offer-610"))).toMatchObject({ sortedAt: 610 });
    expect(log.files()).toHaveLength(651);
  });

  it("moves between what is loaded at once and what is not as an offer opens and ends", async () => {
    await storedTexts(disk, 1_000);
    await store(fileAt(1));
    const { key } = fileAt(1);
    const change = async (log: MessageLog, offer: Offer) => {
      await log.loadFiles([key]);
      log.update(key, (message) => ({ ...message, offers: { [jun]: offer } }) as ChatMessage);
      return openLog(disk);
    };
    let log = await openLog(disk);
    expect(log.find(key)).toBeUndefined();
    log = await change(log, { state: "pausedHere" });
    expect(log.find(key)).toBeDefined();
    log = await change(log, { state: "givenUp" });
    expect(log.find(key)).toBeUndefined();
    log = await change(log, { state: "withdrawn", askedAgain: true });
    expect(log.find(key)).toBeDefined();
  });

  it("does not bring back what was deleted while it was looked up", async () => {
    await storedTexts(disk, 1_000);
    await store(fileAt(1));
    const log = await openLog(disk);
    const about = disk.about.bind(disk);
    let release = () => {};
    vi.spyOn(disk, "about").mockImplementationOnce(async (fids) => {
      const found = await about(fids);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return found;
    });
    const slow = log.loadAbout(["the-file-1"]);
    await log.loadAbout(["the-file-1"]);
    log.remove(fileAt(1).key);
    await aMoment();
    release();
    await slow;
    expect(log.find(fileAt(1).key)).toBeUndefined();
  });

  it("of an earlier version is found like one of this version", async () => {
    await disk.write({ put: [{ ...layoutRecord, value: { groupsByKind: true } }] });
    await storedTexts(disk, 3_000);
    const open = { ...fileAt(2), offers: { [jun]: { state: "offered" } } } as const;
    const old = ({ key, ...value }: ChatMessage) => ({
      ...{ key, group: `files/${jun}`, order: value.sortedAt, value },
    });
    await disk.write({ put: [...timesFrom(1, 1_500).map((at) => old(fileAt(at))), old(open)] });
    for (const log of [await openLog(disk), await openLog(disk)]) {
      expect(log.files().map(({ sortedAt }) => sortedAt)).toEqual([2]);
      await log.loadAbout(["the-file-7"]);
      expect(log.files().map(({ sortedAt }) => sortedAt)).toEqual([2, 7]);
      expect(log.store.getState().storageUsage).toEqual({});
    }
  });

  it("of a version with one room belongs to the room that is entered first, and stays there", async () => {
    const [attic, burrow] = [room, "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"];
    const { everyoneIs: _unknown, ...former } = Object(layoutRecord.value);
    const put = Array.from({ length: 50_000 }, (_, index) => {
      const { key, ...value } = { ...said(`said-text-${index + 1}`, index + 1), conversation: everyone };
      return { key, group: `messages/${everyone}`, order: index + 1, value };
    });
    await disk.write({ put: [{ ...layoutRecord, value: former }, ...put] });
    await disk.write({
      put: [{ key: `read/${everyone}`, group: "reads", order: 0, value: { readUntil: 49_990 } }],
    });
    const first = await openLog(disk, burrow);
    expect(first.conversation(everyone)).toMatchObject({ unread: 10 });
    const later = await openLog(disk, attic);
    expect(later.conversation(everyone).messages).toEqual([]);
    expect(later.conversation(burrow)).toMatchObject({ unread: 10 });
    later.enterRoom(burrow);
    const all = [...later.conversation(everyone).messages.map(({ sortedAt }) => sortedAt)];
    const first50 = all[0] ?? 0;
    for await (const page of later.textsBefore(everyone, first50))
      all.push(...page.map((text) => text.sortedAt));
    expect(new Set(all).size).toBe(50_000);
    later.enterRoom(attic);
    expect(later.conversation(everyone).messages).toEqual([]);
  });

  it("stays where an earlier version stored it under the tag of a name, beside the room of that name alone", async () => {
    const [locked, open] = [room, "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"];
    const { key, ...value } = { ...said("said-text-1", 1), conversation: open };
    await disk.write({
      put: [
        { ...layoutRecord, value: { ...Object(layoutRecord.value), everyoneIs: "A".repeat(43) } },
        { key, group: `messages/${open}`, order: 1, value },
      ],
    });
    const reopen = async (inRoom: RoomTag) => {
      const log = newLog(disk, inRoom);
      await log.loadContacts(async () => log.restoreName(locked, open));
      await log.load(me, (message) => message);
      return log;
    };
    const log = await reopen(open);
    expect(log.conversation(everyone).messages).toEqual([]);
    expect(log.conversation(locked).messages).toHaveLength(1);
    await log.add({ ...said("said-text-2", 2), conversation: everyone }, { read: true });
    const later = await reopen(locked);
    expect(later.conversation(everyone).messages.map(({ sortedAt }) => sortedAt)).toEqual([1]);
    expect(later.conversation(open).messages.map(({ sortedAt }) => sortedAt)).toEqual([2]);
    await later.forgetRoom(locked, []);
    expect((await reopen(open)).conversation(everyone).messages).toHaveLength(1);
    expect((await reopen(open)).conversation(locked).messages).toEqual([]);
  });

  it("of an earlier version counts only those as accepted that we wrote to alone or permitted something", async () => {
    const { acceptanceReviewed: _later, ...former } = Object(layoutRecord.value);
    const people = ["alone", "to-everyone", "never", "permitted", "blocked", "nearby"] as const;
    const idOf = (person: (typeof people)[number]) =>
      `00000000-0000-4000-8000-0000000001${String(people.indexOf(person)).padStart(2, "0")}`;
    const facts: Partial<Record<(typeof people)[number], object>> = {
      permitted: { autoAccept: true },
      blocked: { standing: "blocked" },
      nearby: { nearby: true },
    };
    const contacts = people.map((person) => ({
      key: `contact/${idOf(person)}`,
      ...{ group: "contacts", order: 1 },
      value: {
        ...{ clientId: idOf(person), name: person, avatar: null, proven: true, createdAt: 1 },
        ...(person !== "never" && { accepted: true }),
        ...facts[person],
      },
    }));
    const written = (to: string, recipient: string, at: number) => {
      const id = `my-own-text-${at}`;
      const deliveries = { [recipient]: { status: "received" } } as const;
      return { ...said(id, at), key: messageKeyOf(me, id), client: me, conversation: to, deliveries };
    };
    const theirs = Array.from({ length: 1_500 }, (_, index) => said(`their-text-${index}`, 10 + index));
    const put = [
      written(idOf("alone"), idOf("alone"), 1),
      written(everyone, idOf("to-everyone"), 2),
      ...theirs.map((text) => ({ ...text, conversation: idOf("alone") })),
    ].map(messageRecord);
    await disk.write({ put: [{ ...layoutRecord, value: former }, ...contacts, ...put] });
    for (let visit = 0; visit < 2; visit++) {
      const log = await openLog(disk);
      const accepted = people.filter((person) => log.contacts.get(idOf(person))?.accepted);
      expect(accepted).toEqual(["alone", "permitted", "nearby"]);
      // What was decided since stays.
      if (visit > 0) continue;
      log.contacts.accept(idOf("never"));
      await aMoment();
      const again = await openLog(disk);
      expect(again.contacts.get(idOf("never"))?.accepted).toBe(true);
      again.contacts.change(idOf("never"), { accepted: false });
      await aMoment();
    }
  });

  it("gives its files to a search, which looks into folders too", async () => {
    await storedTexts(disk, 1_000);
    await store(fileAt(1));
    const log = await openLog(disk);
    const texts: ChatMessage[] = [];
    for await (const page of log.textsBefore(jun, 900)) texts.push(...page);
    expect(texts.every(({ type }) => type === "text")).toBe(true);
    expect(log.files().map(({ sortedAt }) => sortedAt)).toEqual([1]);
  });
});

describe("the storage quota of a client", () => {
  const big = "x".repeat(1024 ** 2);
  const bigText = (index: number): ChatMessage =>
    ({ ...said(`big-text-${index}`, index + 1), data: big }) as ChatMessage;

  it("is 32 MiB until verified, reports where more was refused, and survives a reload", async () => {
    const disk = new MemoryRecordStorage();
    let log = await openLog(disk);
    log.contacts.remember({ clientId: jun, name: "Jun", proven: true });
    for (let index = 0; index < 31; index++) await log.add(bigText(index), { read: false });
    await expect(log.add(bigText(31), { read: false })).rejects.toMatchObject({ code: "history-full" });
    log = await openLog(disk);
    expect(log.store.getState().storageUsage[jun]?.refusedIn).toEqual([jun]);
    await expect(log.add(bigText(32), { read: false })).rejects.toMatchObject({ code: "history-full" });
    expect(await log.add(said(one, 40), { read: false })).toBe(true);

    log.remove(messageKeyOf(jun, "big-text-30"));
    expect(await log.add(bigText(33), { read: false })).toBe(true);
    expect(log.store.getState().storageUsage[jun]?.refusedIn).toEqual([]);
    log.contacts.change(jun, { trustLevel: "verified" });
    expect(await log.add(bigText(34), { read: false })).toBe(true);
  });

  it("allows some 8,000 file offers", async () => {
    const disk = new MemoryRecordStorage();
    const value = { client: jun, bytes: 32 * 1024 ** 2 - 8_192, refusedIn: [] };
    await disk.write({ put: [{ key: `intake/${jun}`, group: "intakes", order: 0, value }] });
    const log = await openLog(disk);
    const file = { fid: "some-file-id", fileName: "a.bin", fileSize: 1, mimeType: "", lastModified: 0 };
    const offer = (id: string, at: number) =>
      ({
        ...said(id, at),
        type: "file",
        file: { ...file, chunkSize: 524_288 },
        offers: { [jun]: { state: "offered" } },
      }) as ChatMessage;
    for (const at of [1, 2]) expect(await log.add(offer(`offer-${at}`, at), { read: false })).toBe(true);
    await expect(log.add(offer("offer-3", 3), { read: false })).rejects.toMatchObject({
      code: "history-full",
    });
  });

  it("allows some 4,000 unverified people, since their first message stores a contact with a picture", async () => {
    const disk = new MemoryRecordStorage();
    const log = await openLog(disk);
    await log.add(said(one, 1), { read: false });
    expect(log.store.getState().storageUsage[jun]?.bytes).toBeGreaterThan(64 * 1024);
  });

  it("still counts what stays in the conversation of everyone when the contact is deleted", async () => {
    const disk = new MemoryRecordStorage();
    let log = await openLog(disk);
    const toEveryone = (index: number) => ({ ...bigText(index), conversation: "everyone" }) as ChatMessage;
    for (const index of [0, 1]) await log.add(bigText(index), { read: false });
    for (let index = 2; index < 30; index++) await log.add(toEveryone(index), { read: false });
    await log.forget(jun);
    for (const page of [log, await openLog(disk)])
      expect(Math.floor((page.store.getState().storageUsage[jun]?.bytes ?? 0) / 1024 ** 2)).toBe(28);
    log = await openLog(disk);
    for (let index = 30; index < 33; index++) await log.add(bigText(index), { read: false });
    await expect(log.add(bigText(33), { read: false })).rejects.toMatchObject({ code: "history-full" });
    log.remove(messageKeyOf(jun, "big-text-2"));
    expect(await log.add(bigText(34), { read: false })).toBe(true);
  });

  it("is given back with the contact of somebody who wrote to nobody else", async () => {
    const disk = new MemoryRecordStorage();
    const log = await openLog(disk);
    await log.add(bigText(0), { read: false });
    await log.forget(jun);
    for (const page of [log, await openLog(disk)]) expect(page.store.getState().storageUsage).toEqual({});
  });

  it("is 256 MiB for all unverified clients together", async () => {
    const disk = new MemoryRecordStorage();
    const put = Array.from({ length: 8 }, (_, index) => {
      const client = `00000000-0000-4000-8000-00000000010${index}`;
      const value = { client, bytes: 32 * 1024 ** 2, refusedIn: [] };
      return { key: `intake/${client}`, group: "intakes", order: 0, value };
    });
    await disk.write({ put });
    const log = await openLog(disk);
    await expect(log.add(said(one, 1), { read: false })).rejects.toMatchObject({ code: "history-full" });
    expect(await log.add(said(two, 2), { read: true })).toBe(true);
  });
});

describe("a long body", () => {
  const long = "a long story ".repeat(15_000);
  const reaction = (at: number) => (message: ChatMessage) =>
    withChange(message, jun, { kind: "react", at, emoji: ["👍"] });
  const edit = (at: number, data: string) => (message: ChatMessage) =>
    withChange(message, jun, { kind: "edit", at, data });
  const told = (data: string): ChatMessage => ({ ...said(one, 1), data }) as ChatMessage;
  const { key } = told("");

  class CountingDisk extends MemoryRecordStorage {
    bytes = 0;
    override async write(changes: RecordChanges): Promise<void> {
      this.bytes += JSON.stringify(changes.put ?? []).length;
      return super.write(changes);
    }
  }

  async function textAfterReload(disk: MemoryRecordStorage): Promise<unknown> {
    await aMoment();
    const [message] = (await openLog(disk)).conversation(jun).messages;
    return message?.type === "text" ? message.data : undefined;
  }

  it("is not written again for each small change of its message", async () => {
    const disk = new CountingDisk();
    const log = await openLog(disk);
    await log.add(told(long), { read: false });
    disk.bytes = 0;
    for (let at = 1; at <= 1_000; at++) await log.change(key, reaction(at));
    expect(disk.bytes).toBeLessThan(1024 ** 2);
    expect(await textAfterReload(disk)).toBe(long);
  });

  it("stays the one that was written last, however long it is, and is gone with its message", async () => {
    const disk = new MemoryRecordStorage();
    const log = await openLog(disk);
    await log.add(told("short"), { read: false });
    for (const [at, text] of [long, `${long} and on`, "short again", long].entries()) {
      await log.change(key, edit(at + 1, text));
      await log.change(key, reaction(at + 1));
      expect(await textAfterReload(disk)).toBe(text);
    }
    await log.change(key, (message) => withChange(message, jun, { kind: "delete", at: 9 }));
    await aMoment();
    expect(JSON.stringify(await disk.get([key, `body/${key}`]))).not.toContain("story");
    await log.add({ ...told(long), key: messageKeyOf(jun, two), id: two }, { read: false });
    log.remove(messageKeyOf(jun, two));
    await aMoment();
    expect(JSON.stringify(await disk.list(`bodies/${jun}`))).toBe("[]");
  });

  it("of an earlier version, which has it in the message, is not lost by a change", async () => {
    const disk = new MemoryRecordStorage();
    await disk.write({ put: [layoutRecord, messageRecord(told(long))] });
    const log = await openLog(disk);
    await log.change(key, reaction(1));
    expect(await textAfterReload(disk)).toBe(long);
  });

  it("is kept by a change while the message is only in storage, and one change is still being written", async () => {
    const disk = new MemoryRecordStorage();
    await storedTexts(disk, 2_000);
    const first = await openLog(disk);
    await first.add({ ...told(long), sortedAt: 0 }, { read: true });
    await aMoment();
    const log = await openLog(disk);
    expect(log.find(key)).toBeUndefined();
    await Promise.all([log.change(key, reaction(1)), log.lookUp(key), log.change(key, reaction(2))]);
    expect(await log.lookUp(key)).toMatchObject({ data: long, reactions: { [jun]: { at: 2 } } });
  });

  it("that becomes short while its message is read is not missed", async () => {
    const disk = new MemoryRecordStorage();
    const log = await openLog(disk);
    await log.add(told(long), { read: false });
    await aMoment();
    const list = disk.list.bind(disk);
    vi.spyOn(disk, "list").mockImplementation(async (group, range) => {
      const records = await list(group, range);
      if (records.some((record) => record.key === key)) {
        await log.change(key, edit(1, "short"));
        await aMoment();
      }
      return records;
    });
    expect(await textAfterReload(disk)).toBe("short");
  });

  it("is left alone by earlier versions, which would store its message without it", async () => {
    const disk = new MemoryRecordStorage();
    await (await openLog(disk)).add(told(long), { read: false });
    await aMoment();
    const [record] = await disk.get([key]);
    // They read a message by its type.
    expect(record?.value).not.toHaveProperty("type");
  });

  it("waits for a full disk together with its message", async () => {
    const disk = new SlowDisk();
    const log = await openLog(disk);
    disk.isFull = true;
    await log.add(told(long), { read: false });
    await log.change(key, reaction(1));
    disk.isFull = false;
    await log.close();
    expect(await textAfterReload(disk)).toBe(long);
  });
});

describe("people", () => {
  it("are kept once something was exchanged with them or decided about them", async () => {
    const disk = new MemoryRecordStorage();
    const log = await openLog(disk);
    const ids = [1, 2, 3, 4].map((index) => `00000000-0000-4000-8000-00000000020${index}`);
    const [silent = "", speaker = "", reader = "", blocked = ""] = ids;
    for (const clientId of ids)
      log.contacts.remember({ clientId, name: `Name ${clientId.at(-1)}`, proven: true });
    await log.add({ ...said(one, 1), client: speaker, conversation: "everyone" }, { read: false });
    await log.add(
      {
        ...said(two, 2),
        client: me,
        conversation: "everyone",
        deliveries: { [reader]: { status: "sending" } },
      },
      { read: true },
    );
    log.contacts.change(blocked, { trustLevel: "blocked" });
    expect(Object.keys(log.store.getState().contacts)).toContain(silent);
    const kept = Object.keys((await openLog(disk)).store.getState().contacts);
    expect(kept.sort()).toEqual([speaker, reader, blocked]);
  });
});
