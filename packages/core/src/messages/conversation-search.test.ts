import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { Emitter } from "../shared/emitter.ts";
import { silentLog } from "../shared/log.ts";
import { MemoryRecordStorage } from "../shared/storage/memory-record-storage.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { ConversationNames } from "./conversation-names.ts";
import { ConversationSearch, type SearchResults } from "./conversation-search.ts";
import { type ChatMessage, type ConversationId, everyone, messageKeyOf } from "./message.ts";
import { MessageLog } from "./message-log.ts";
import { layoutRecord, messageRecord } from "./stored-chat.ts";
import { textOf } from "./stored-history.ts";

const room = "MB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";
const otherRoom = "AB1qgcGV3Lbp9ktavAsw7ba6T6dxx437SQkSZPqpU_k";
const me = "00000000-0000-4000-8000-000000000001";
const jun = "00000000-0000-4000-8000-000000000002";
const mara = "00000000-0000-4000-8000-000000000003";

class Disk extends MemoryRecordStorage {
  failure: WarrenError | null = null;
  lists = 0;

  override async list(...args: Parameters<MemoryRecordStorage["list"]>) {
    this.lists++;
    if (this.failure) throw this.failure;
    return super.list(...args);
  }
}

let made = 0;
function said(conversation: ConversationId, sortedAt: number, data: string): ChatMessage {
  const id = `00000000-0000-4000-8000-1${String(made++).padStart(11, "0")}`;
  const client = conversation === mara ? mara : jun;
  const head = { key: messageKeyOf(client, id), id, conversation, client, deliveries: {} };
  return { ...head, type: "text", data, createdAt: sortedAt, sortedAt };
}

describe("a search over all conversations", () => {
  const clock = new FakeClock();
  let disk: Disk;
  let log: MessageLog;
  let search: ConversationSearch;

  async function open(messages: readonly ChatMessage[]): Promise<void> {
    disk = new Disk();
    const names = new ConversationNames(room);
    await disk.write({ put: [layoutRecord(room), ...messages.map((each) => messageRecord(each, names))] });
    log = new MessageLog({ room, storage: disk, clock, log: silentLog, events: new Emitter() });
    await log.load(me, (message) => message);
    search = new ConversationSearch(log.searched());
  }

  async function all(query: string, options = {}): Promise<readonly SearchResults[]> {
    const found: SearchResults[] = [];
    for await (const results of search.find(query, options)) found.push(results);
    return found;
  }

  const textsOf = (results: SearchResults | undefined) =>
    results?.conversations.map(({ conversation, count, messages }) => [
      conversation,
      count,
      messages.map(textOf),
    ]);

  /** More than is loaded with the page, so that the first is only in storage. */
  const long = (conversation: ConversationId, first: string) => [
    said(conversation, 1, first),
    ...Array.from({ length: 2_500 }, (_, index) => said(conversation, index + 2, `line ${index}`)),
  ];

  beforeEach(() => open([]));

  it("ends when it is closed while it reads", async () => {
    await open([said(mara, 1, "the lighthouse")]);
    const searching = search.find("lighthouse");
    await searching.next();
    search.close();
    expect(await searching.next()).toMatchObject({ done: true });
  });

  it("looks into long texts, which have records of their own", async () => {
    await open([]);
    const story = said(mara, 1, `${"once upon a time ".repeat(200)} the lighthouse`);
    await log.add(story, { read: false });
    log = new MessageLog({ room, storage: disk, clock, log: silentLog, events: new Emitter() });
    search = new ConversationSearch(log.searched());
    await log.load(me, (message) => message);
    expect((await all("lighthouse")).at(-1)).toMatchObject({ conversations: [{ count: 1 }] });
  });

  it("finds every word, anywhere, without case and accents, in memory and in storage", async () => {
    await open([
      ...long(jun, "The hárbour of Lisbon"),
      said(mara, 5, "lisbon again"),
      said(mara, 7, "By the HARBOUR in Lisbon"),
      said(everyone, 6, "harbour"),
    ]);
    expect(textsOf((await all("lisbon harb")).at(-1))).toEqual([
      [mara, 1, ["By the HARBOUR in Lisbon"]],
      [jun, 1, ["The hárbour of Lisbon"]],
    ]);
  });

  it("gives what is in memory first, and says when everything was searched", async () => {
    await open([...long(jun, "the only stone"), said(mara, 5, "a stone")]);
    const [first, ...further] = await all("stone");
    expect(textsOf(first)).toEqual([[mara, 1, ["a stone"]]]);
    expect(first?.isComplete).toBe(false);
    expect(textsOf(further.at(-1))).toEqual([
      [mara, 1, ["a stone"]],
      [jun, 1, ["the only stone"]],
    ]);
    expect(further.at(-1)?.isComplete).toBe(true);
  });

  it("gives the latest of each conversation, with the number of all", async () => {
    await open(long(jun, "line of the start"));
    expect(textsOf((await all("line", { perConversation: 2 })).at(-1))).toEqual([
      [jun, 2_501, ["line 2499", "line 2498"]],
    ]);
  });

  it("reads storage once while there are searches, and again a minute after the last", async () => {
    await open(long(jun, "the only stone"));
    await all("stone");
    const { lists } = disk;
    expect(textsOf((await all("only"))[0])).toEqual([[jun, 1, ["the only stone"]]]);
    expect(disk.lists).toBe(lists);
    await clock.advance(60_000);
    await all("only");
    expect(disk.lists).toBeGreaterThan(lists);
    search.close();
  });

  it("does not find what was deleted or edited since it was read", async () => {
    const [gone, changed] = [said(jun, 1, "a stone"), said(jun, 2, "another stone")];
    await open([gone, changed, ...long(jun, "the third stone")]);
    search.readAhead();
    await all("stone");
    const edited = { ...changed, data: "nothing" } as ChatMessage;
    await disk.write({ delete: [gone.key], put: [messageRecord(edited, new ConversationNames(room))] });
    expect(textsOf((await all("stone")).at(-1))).toEqual([[jun, 1, ["the third stone"]]]);
  });

  it("finds what arrives while nothing is read again", async () => {
    await open(long(jun, "the only stone"));
    await all("stone");
    await log.add(said(jun, 9_000, "one more stone"), { read: false });
    expect(textsOf((await all("stone")).at(-1))).toEqual([[jun, 2, ["one more stone", "the only stone"]]]);
  });

  it("calls a room's conversation what it is called at the time", async () => {
    await open(long(everyone, "the only stone"));
    await all("stone");
    log.enterRoom(otherRoom);
    expect(textsOf((await all("stone")).at(-1))).toEqual([[room, 1, ["the only stone"]]]);
  });

  it("finds nothing for an empty query", async () => {
    await open([said(jun, 1, "a stone")]);
    expect(await all("  ")).toEqual([]);
  });

  it("ends when nobody wants it any more", async () => {
    await open(long(jun, "the only stone"));
    const ending = new AbortController();
    const found: SearchResults[] = [];
    for await (const results of search.find("stone", { signal: ending.signal })) {
      found.push(results);
      ending.abort();
    }
    expect(found).toHaveLength(1);
    expect(found[0]?.isComplete).toBe(false);
  });

  it("fails when storage does, and works again once that works", async () => {
    await open(long(jun, "the only stone"));
    disk.failure = new WarrenError("storage-failed");
    await expect(all("stone")).rejects.toMatchObject({ code: "storage-failed" });
    disk.failure = null;
    expect(textsOf((await all("stone")).at(-1))).toEqual([[jun, 1, ["the only stone"]]]);
  });
});
