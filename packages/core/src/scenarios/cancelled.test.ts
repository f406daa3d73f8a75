import { describe, expect, it } from "vitest";
import { everyone, type FileMessage } from "../messages/message.ts";
import { settle } from "../testing/fake-clock.ts";
import { digestOfBlob, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";
import type { TestPerson } from "../testing/test-world.ts";
import type { TransferState } from "../transfer/offer-state.ts";

const bytes = randomBytes(4);

async function cancelledBy(who: "mara" | "jun", how: "offered" | "incomplete"): Promise<FileStory> {
  const story = await FileStory.begin();
  if (how === "incomplete") await story.sendSome(fileOf(bytes), 2);
  else await story.offer(fileOf(bytes));
  story[who].warren.chat.cancelFile(story.message(story[who]).key);
  await story.until(() =>
    [story.mara, story.jun].every(
      (one) => story.offerOf(one)?.state === (who === "mara" ? "withdrawn" : "givenUp"),
    ),
  );
  story.jun.files.release();
  return story;
}

function isAskedAgain(offer: TransferState | undefined): boolean {
  return offer?.state === "withdrawn" && offer.askedAgain === true;
}

const fileMessages = (person: TestPerson, other: TestPerson): readonly FileMessage[] =>
  person.messages(other.id).filter((message) => message.type === "file");

describe("a cancelled transfer", () => {
  it.each([
    ["mara", "offered", "withdrawn"],
    ["mara", "incomplete", "withdrawn"],
    ["jun", "incomplete", "givenUp"],
  ] as const)("says who cancelled on both sides: %s, %s", async (who, how, state) => {
    const story = await cancelledBy(who, how);
    expect([story.offerOf(story.mara), story.offerOf(story.jun)]).toEqual([{ state }, { state }]);
    await story.mara.reload();
    await story.world.untilMet(story.mara, story.jun);
    expect([story.offerOf(story.mara), story.offerOf(story.jun)]).toEqual([{ state }, { state }]);
  });

  it.each(["mara", "jun"] as const)("is offered again by its sender if %s cancelled", async (who) => {
    const story = await cancelledBy(who, "incomplete");
    const { mara, jun } = story;
    expect(await mara.warren.chat.sendAgain(story.message(mara).key)).toBe(true);
    await story.until(() => fileMessages(jun, mara).length === 2);
    expect(story.offerOf(jun)).toEqual({ state: "offered" });
    await jun.warren.chat.acceptFile(story.message(jun).key);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    // The first message keeps showing the outcome of the first offer.
    for (const [person, other] of [
      [mara, jun],
      [jun, mara],
    ] as const) {
      const first = fileMessages(person, other)[0]?.offers[other.id];
      expect(first).toMatchObject({ offeredAgain: true });
    }
  });

  it("resumes when the receiver, who cancelled it, requests it again", async () => {
    const story = await cancelledBy("jun", "incomplete");
    await story.jun.warren.chat.askAgain(story.message(story.jun).key);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("is requested again by the receiver if its sender cancelled it, and the sender decides", async () => {
    const story = await cancelledBy("mara", "incomplete");
    const { mara, jun } = story;
    await jun.warren.chat.askAgain(story.message(jun).key);
    await story.until(() => isAskedAgain(story.offerOf(mara)));
    expect(story.offerOf(jun)).toEqual({ state: "withdrawn", askedAgain: true });
    await story.world.clock.advance(20_000);
    expect(story.offerOf(jun)?.state).toBe("withdrawn");
    await mara.warren.chat.sendAgain(story.message(mara).key);
    await story.until(() => fileMessages(jun, mara).length === 2);
  });

  it("is requested again when the sender is back", async () => {
    const story = await cancelledBy("mara", "offered");
    const { mara, jun, world } = story;
    const { key } = story.message(jun);
    await mara.close();
    await jun.warren.chat.askAgain(key);
    await mara.reopen();
    await world.untilMet(mara, jun);
    await story.until(() => isAskedAgain(story.offerOf(mara)));
  });

  it("has to be chosen again if its sender no longer has it", async () => {
    const story = await FileStory.begin();
    story.mara.warren.settings.set("keepSentFiles", false);
    await story.offer(fileOf(bytes));
    await story.mara.warren.chat.cancelFile(story.message(story.mara).key);
    await settle();
    await story.mara.reload();
    expect(await story.mara.warren.chat.sendAgain(story.message(story.mara).key)).toBe(false);
    expect(fileMessages(story.mara, story.jun)).toHaveLength(1);
  });

  it("to everyone is offered again only to those who lack it", async () => {
    const story = await FileStory.begin();
    const { mara, jun, world } = story;
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(noor, mara);
    await mara.warren.chat.sendFile(everyone, fileOf(bytes));
    for (const person of [jun, noor]) await person.untilMessages(everyone, (all) => all.length > 0);
    const offered = () => mara.messages(everyone).filter(({ type }) => type === "file") as FileMessage[];
    await jun.warren.chat.acceptFile(jun.messages(everyone)[0]?.key ?? expect.fail());
    await story.until(() => offered()[0]?.offers[jun.id]?.state === "complete");
    await noor.warren.chat.cancelFile(noor.messages(everyone)[0]?.key ?? expect.fail());
    await story.until(() => offered()[0]?.offers[noor.id]?.state === "givenUp");
    await mara.warren.chat.sendAgain(offered()[0]?.key ?? expect.fail());
    await story.until(() => noor.messages(everyone).length === 2);
    expect(Object.keys(offered()[1]?.offers ?? {})).toEqual([noor.id]);
    expect(jun.messages(everyone)).toHaveLength(1);
  });
});

describe("resuming a file that arrived", () => {
  it("is answered with already complete", async () => {
    const story = await FileStory.begin();
    const { mara, jun } = story;
    await story.offer(fileOf(bytes));
    await jun.warren.chat.acceptFile(story.message(jun).key);
    await story.complete();
    const answers: unknown[] = [];
    jun.warren.room.on("message", (_from, message) => void answers.push(message));
    jun.warren.room.send(mara.id, { type: "resume-file", fid: story.message(jun).file.fid });
    await story.until(() => answers.length > 0);
    expect(answers).toMatchObject([{ type: "error", error: "already complete", code: "already-complete" }]);
    await settle();
    expect([story.offerOf(mara), story.offerOf(jun)]).toMatchObject(Array(2).fill({ state: "complete" }));
  });

  it("fetches a file that its receiver lost before recording that it was complete", async () => {
    const story = await FileStory.begin();
    const { mara, jun } = story;
    await story.offer(fileOf(bytes));
    const before = story.message(jun);
    await jun.warren.chat.acceptFile(before.key);
    await story.complete();
    // As after a crash: neither the bytes nor the end of the transfer were stored.
    await jun.warren.files.remove(before.file.fid);
    jun.warren.room.send(mara.id, { type: "resume-file", fid: before.file.fid });
    await settle();
    await jun.warren.chat.askAgain(before.key);
    await story.until(() => jun.warren.files.isComplete(before.file.fid));
  });
});
