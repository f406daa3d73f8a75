import { beforeEach, describe, expect, it } from "vitest";
import { chunk, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";
import type { TestPerson } from "../testing/test-world.ts";

let story: FileStory;
let mara: TestPerson;
let jun: TestPerson;

beforeEach(async () => {
  story = await FileStory.begin();
  ({ mara, jun } = story);
});

const storedBytes = async (person: TestPerson) =>
  person.files.limitBytes - ((await person.files.freeBytes()) ?? 0);

async function untilFreed(person: TestPerson): Promise<void> {
  let bytes = Number.POSITIVE_INFINITY;
  await story.until(() => {
    void storedBytes(person).then((now) => (bytes = now));
    return bytes === 0;
  });
}

it("of twenty sends, each cancelled once its copy was kept, nothing is left in storage", async () => {
  const fids = new Set<string>();
  for (let n = 0; n < 20; n++) {
    await mara.warren.chat.sendFile(jun.id, fileOf(randomBytes()));
    const message = mara.messages(jun.id).at(-1);
    if (message?.type !== "file") expect.fail("no offer");
    fids.add(message.file.fid);
    await story.until(() => mara.warren.files.store.getState().get(message.file.fid)?.location === "storage");
    expect(await storedBytes(mara)).toBeGreaterThan(11 * chunk);
    await mara.warren.chat.cancelFile(message.key);
    await untilFreed(mara);
  }
  expect(fids.size).toBe(20);
  const library = mara.warren.files.store.getState();
  expect([...fids].filter((fid) => library.get(fid)?.location === "storage")).toEqual([]);
});

it("a file that is too large for a copy does not delay the copies of others", async () => {
  const large = fileOf(randomBytes());
  Object.defineProperty(large, "size", { value: 2 ** 30 });
  await mara.warren.chat.sendFile(jun.id, large);
  await story.offer(fileOf(randomBytes()));
  await story.world.clock.advance(2_000);
  expect(story.isCopied()).toBe(true);
});

describe("a sender's copy of a file", () => {
  beforeEach(async () => {
    await story.offer(fileOf(randomBytes()));
    await story.until(() => story.isCopied());
    expect(await storedBytes(mara)).toBeGreaterThan(11 * chunk);
  });

  it.each([
    ["the sender withdraws the offer", () => mara.warren.chat.cancelFile(story.message(mara).key)],
    ["the sender removes the message", () => mara.warren.chat.remove(story.message(mara).key)],
    ["the sender deletes the contact", () => mara.warren.chat.deleteContact(jun.id)],
    ["the receiver declines it", () => jun.warren.chat.declineFile(story.message(jun).key)],
  ])("is freed when %s", async (_title, act) => {
    await act();
    await untilFreed(mara);
  });

  it.each(["mara", "jun"] as const)("is freed when %s cancels during the transfer", async (who) => {
    jun.files.holdAt = 4;
    await jun.warren.chat.acceptFile(story.message(jun).key);
    await story.until(() => jun.files.writeCount >= 4, 0);
    story[who].warren.chat.cancelFile(story.message(story[who]).key);
    await story.until(
      () =>
        [mara, jun].every(
          (person) => story.offerOf(person)?.state === (who === "mara" ? "withdrawn" : "givenUp"),
        ),
      0,
    );
    jun.files.release();
    await untilFreed(mara);
    await untilFreed(jun);
    expect([...jun.warren.files.store.getState().keys()]).toEqual([]);
  });

  it("is kept while a peer may still get it, and after a peer has received it", async () => {
    const noor = await story.world.person("Noor");
    await noor.warren.room.join();
    await story.world.untilMet(noor, mara);
    await mara.warren.chat.forwardFile(noor.id, story.message(mara).file.fid);
    await mara.warren.chat.cancelFile(story.message(mara).key);
    await story.world.clock.advance(5_000);
    expect(await storedBytes(mara)).toBeGreaterThan(0);
    const offered = await noor.untilMessages(mara.id, (messages) => messages.length === 1);
    await noor.warren.chat.acceptFile(offered[0]?.key ?? expect.fail());
    await story.until(() => [...noor.warren.files.store.getState().values()][0]?.state === "complete");
    await story.world.clock.advance(5_000);
    await mara.reload();
    expect(await storedBytes(mara)).toBeGreaterThan(0);
  });

  it("is cleaned up on page load, if an earlier version left it", async () => {
    const [left] = await mara.files.listRecords();
    await mara.warren.chat.cancelFile(story.message(mara).key);
    await untilFreed(mara);
    await mara.close();
    const { fid } = left ?? expect.fail();
    const description = { fileSize: chunk, chunkSize: chunk, mimeType: "" };
    const sink = await mara.files.openSink(fid, description);
    await sink.write(0, new Uint8Array(chunk), new Uint8Array(32));
    await sink.close();
    await mara.files.writeRecord(fid, left?.record);
    await mara.open();
    expect(await storedBytes(mara)).toBe(0);
    expect(await mara.files.listRecords()).toEqual([]);
  });

  it("is freed when the page was closed before the copy was complete, and the offer is kept", async () => {
    mara.files.holdAt = mara.files.writeCount + 2;
    await mara.warren.chat.sendFile(jun.id, fileOf(randomBytes()));
    await story.until(() => mara.files.writeCount === mara.files.holdAt);
    const { fid } = story.message(mara).file;
    mara.vanish();
    mara.files.lose();
    await mara.open();
    expect((await mara.files.listRecords()).map((record) => record.fid)).toContain(fid);
    expect((await mara.files.readDigests(fid)).size).toBe(0);
  });
});
