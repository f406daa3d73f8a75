import { expect, it } from "vitest";
import { type FileMessage, messageKeyOf } from "../messages/message.ts";
import { fileOf, randomBytes } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

function filesOf(person: TestPerson, other: TestPerson): readonly FileMessage[] {
  return person.messages(other.id).filter((message) => message.type === "file");
}

function lastState(person: TestPerson, other: TestPerson) {
  const message = filesOf(person, other).at(-1);
  return message && person.offerOf(message, other.id);
}

async function twoWithFile(isAccepted: boolean) {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  jun.warren.settings.set("automaticDownload", isAccepted);
  const bytes = randomBytes(2);
  await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
  await world.until(() => filesOf(jun, mara).length > 0);
  if (isAccepted) await world.until(() => lastState(mara, jun)?.state === "complete");
  const message = filesOf(jun, mara)[0] ?? expect.fail();
  return { world, mara, jun, bytes, message };
}

/** Both write so much more that the file is not in memory after a reload, and reload. */
async function bury(world: TestWorld, mara: TestPerson, jun: TestPerson): Promise<void> {
  for (const [person, other] of [
    [mara, jun],
    [jun, mara],
  ] as const)
    person.warren.chat.open(other.id);
  for (let count = 0; count < 60; count++) await mara.warren.chat.sendText(jun.id, `text ${count}`);
  const isThere = (person: TestPerson, other: TestPerson) => person.texts(other.id).length === 60;
  await world.until(() => isThere(mara, jun) && isThere(jun, mara));
  await world.clock.advance(2_000);
  await mara.reload();
  await jun.reload();
  expect([filesOf(mara, jun), filesOf(jun, mara)]).toEqual([[], []]);
  await world.untilMet(mara, jun);
}

it("a file that passed long ago is listed, and recognized when it is sent again", async () => {
  const { world, mara, jun, bytes, message } = await twoWithFile(true);
  await bury(world, mara, jun);
  await mara.warren.chat.askShares(jun.id);
  const listing = () => mara.warren.chat.listings.getState().get(jun.id);
  await world.until(() => listing()?.request.status === "answered");
  expect(listing()?.files?.map(({ fid }) => fid)).toEqual([message.file.fid]);

  const written = jun.files.writeCount;
  await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
  await world.until(() => lastState(jun, mara)?.state === "complete");
  expect(lastState(jun, mara)).toMatchObject({ already: true });
  expect(jun.files.writeCount).toBe(written);
});

it("a file that was withdrawn long ago is asked for again, and its sender sees that", async () => {
  const { world, mara, jun, message } = await twoWithFile(false);
  await mara.warren.chat.cancelFile(filesOf(mara, jun)[0]?.key ?? expect.fail());
  await world.until(() => lastState(jun, mara)?.state === "withdrawn");
  await bury(world, mara, jun);
  await jun.warren.chat.loadAbout([message.file.fid]);
  await jun.warren.chat.askAgain(message.key);
  await world.until(() => filesOf(mara, jun).length > 0);
  await world.until(() => JSON.stringify(lastState(mara, jun)).includes("askedAgain"));
});

it("a file that was declined long ago can still be asked for: its sender knows it", async () => {
  const { world, mara, jun, message } = await twoWithFile(false);
  await jun.warren.chat.declineFile(message.key);
  await world.until(() => lastState(mara, jun)?.state === "declined");
  await bury(world, mara, jun);
  await jun.warren.chat.loadFiles([message.key]);
  await jun.warren.chat.resumeFile(message.key);
  await world.until(() => filesOf(mara, jun).length > 0);
  await world.clock.advance(2_000);
  expect(lastState(jun, mara)).toEqual({ state: "opening" });
});

it("an offer is still open after any number of texts", async () => {
  const { world, mara, jun, message } = await twoWithFile(false);
  await expect(bury(world, mara, jun)).rejects.toThrow();
  expect(filesOf(jun, mara).map(({ key }) => key)).toEqual([message.key]);
  await world.untilMet(mara, jun);
  await jun.warren.chat.acceptFile(message.key);
  await world.until(() => lastState(jun, mara)?.state === "complete");
});

it("what came without asking earlier today counts toward the day's limit", async () => {
  const { world, mara, jun, message } = await twoWithFile(true);
  jun.warren.settings.set("automaticDownload", true);
  await bury(world, mara, jun);
  const huge = { ...message.file, fid: "huge-file", fileSize: 10 * 1024 ** 3 - 1_000 };
  jun.warren.settings.set("maxFileSize", 20 * 1024 ** 3);
  const id = "offer-of-a-huge-file";
  const offer = { type: "send-file", id, createdAt: world.clock.now(), ...huge } as const;
  await jun.warren.chat.receive(mara.id, offer as never);
  const shown = () => filesOf(jun, mara).find(({ key }) => key === messageKeyOf(mara.id, id));
  expect(shown()?.offers[mara.id]).toEqual({ state: "offered" });
});
