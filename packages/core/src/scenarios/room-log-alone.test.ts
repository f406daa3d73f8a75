import { expect, it } from "vitest";
import { everyone, type FileMessage } from "../messages/message.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const hourMs = 3_600_000;

/** Mara, who has opened a room that nobody else has been in. */
async function alone() {
  const world = new TestWorld();
  const mara = await world.person("Mara");
  await mara.warren.room.join();
  await world.clock.advance(1_000);
  const comes = async (name: string, ...there: readonly TestPerson[]) => {
    const person = await world.person(name);
    await person.warren.room.join();
    for (const other of there) await world.untilMet(person, other);
    await world.clock.advance(3_000);
    return person;
  };
  return { world, mara, comes };
}

async function forgetAndReturn({ warren: { room, chat } }: TestPerson) {
  room.leave();
  await chat.forgetRoom(chat.store.getState().room);
  await room.join();
}

const fileAt = (person: TestPerson): FileMessage | undefined =>
  person.messages(everyone).find((message) => message.type === "file");

const textOf = (person: TestPerson, index: number) => person.messages(everyone)[index] ?? expect.fail();

it("gives what was written before anybody came to everybody who comes, marked, and nothing else from before", async () => {
  const { world, mara, comes } = await alone();
  await mara.warren.chat.sendText(everyone, "The Wi-Fi password is x");
  expect(textOf(mara, 0)).toMatchObject({ entry: 1, deliveries: {} });
  await world.clock.advance(25 * hourMs);
  const jun = await comes("Jun", mara);
  expect(jun.messages(everyone)).toMatchObject([
    { data: "The Wi-Fi password is x", entry: 1, client: mara.id, earlierBy: mara.id },
  ]);
  expect(textOf(mara, 0).deliveries).toEqual({ [jun.id]: { status: "received" } });
  await mara.warren.chat.sendText(everyone, "Between us two");
  await world.until(() => jun.texts(everyone).length === 2);
  expect(textOf(jun, 1).earlierBy).toBeUndefined();
  await world.clock.advance(hourMs);
  await mara.reload();
  const eve = await comes("Eve", mara, jun);
  expect(eve.texts(everyone)).toEqual(["The Wi-Fi password is x"]);
  await mara.warren.chat.sendText(everyone, "Hello Eve");
  await world.until(() => eve.texts(everyone).length === 2);
  await world.clock.advance(60_000);
  expect(eve.texts(everyone)).toEqual(["The Wi-Fi password is x", "Hello Eve"]);
  expect(eve.warren.chat.missing.getState()).toEqual({});
  expect(Object.keys(textOf(mara, 0).deliveries).sort()).toEqual([eve.id, jun.id].sort());
  expect(Object.keys(textOf(mara, 1).deliveries)).toEqual([jun.id]);
  // Only its author shows it to those who come.
  await mara.close();
  const kim = await comes("Kim", jun, eve);
  await world.clock.advance(60_000);
  expect(kim.texts(everyone)).toEqual([]);
});

it("gives what was written while all others are away to them, over a reload, and to no newcomer", async () => {
  const { world, mara, comes } = await alone();
  const jun = await comes("Jun", mara);
  await jun.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.sendText(everyone, "For Jun");
  await world.clock.advance(60_000);
  await mara.reload();
  const eve = await comes("Eve", mara);
  expect(eve.texts(everyone)).toEqual([]);
  await jun.open();
  await jun.warren.room.join();
  await world.untilMet(jun, mara);
  await world.until(() => jun.texts(everyone).length === 1);
  expect(textOf(jun, 0).earlierBy).toBeUndefined();
  await world.until(() => textOf(mara, 0).deliveries[jun.id]?.status === "received");
  await world.clock.advance(60_000);
  expect(eve.texts(everyone)).toEqual([]);
});

it("knows the names of those who got it later, and of those who were there before, over a reload", async () => {
  const { world, mara, comes } = await alone();
  await mara.warren.chat.sendText(everyone, "Written alone");
  const jun = await comes("Jun", mara);
  await world.until(() => textOf(mara, 0).deliveries[jun.id]?.status === "received");
  await mara.warren.chat.deleteMessage(textOf(mara, 0).key);
  const eve = await comes("Eve", mara);
  const [junId, eveId] = [jun.id, eve.id];
  for (const gone of [jun, eve]) await gone.close();
  await world.clock.advance(5_000);
  await mara.reload();
  const { contacts, room } = mara.warren.chat.store.getState();
  expect(contacts[junId]).toMatchObject({ name: "Jun" });
  // Nothing was exchanged with Eve: she is a member of the room, and nobody in the list of people.
  expect(contacts[eveId]).toBeUndefined();
  const names = Object.values(await mara.warren.chat.membersOf(room)).map(({ name }) => name);
  expect(names.sort()).toEqual(["Eve", "Jun"]);
});

it("writes on after what it wrote before it forgot the room, so that others see no second version", async () => {
  const { world, mara, comes } = await alone();
  const jun = await comes("Jun", mara);
  await mara.warren.chat.sendText(everyone, "Hello Jun");
  await world.until(() => jun.texts(everyone).length === 1);
  await jun.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.sendText(everyone, "Never given to anybody");
  for (const text of ["Alone again", "And again"]) {
    await forgetAndReturn(mara);
    expect(JSON.stringify(await mara.storedRecords())).not.toMatch(/Hello Jun|Never given|Alone again/);
    await mara.warren.chat.sendText(everyone, text);
  }
  expect(textOf(mara, 0)).toMatchObject({ data: "And again", entry: 4 });
  await jun.open();
  await jun.warren.room.join();
  await world.untilMet(jun, mara);
  const texts = ["Hello Jun", "And again"];
  await world.until(() => [mara, jun].every((person) => person.texts(everyone).length === texts.length));
  await world.clock.advance(60_000);
  for (const person of [mara, jun]) {
    expect(person.texts(everyone)).toEqual(texts);
    expect(person.messages(everyone).map((message) => message.type === "text" && message.doubt)).toEqual([
      undefined,
      undefined,
    ]);
    expect(person.warren.chat.missing.getState()).toEqual({});
  }
});

it("writes on after what others gave back of its own, once that is forgotten", async () => {
  const { world, mara, comes } = await alone();
  const jun = await comes("Jun", mara);
  await mara.warren.chat.sendText(everyone, "Hello Jun");
  await world.until(() => jun.texts(everyone).length === 1);
  await mara.close();
  await mara.emptyStorage();
  await mara.reopen();
  await world.untilMet(mara, jun);
  await world.until(() => mara.texts(everyone).length === 1);
  await jun.close();
  await world.clock.advance(5_000);
  await forgetAndReturn(mara);
  await mara.warren.chat.sendText(everyone, "Alone again");
  expect(textOf(mara, 0)).toMatchObject({ data: "Alone again", entry: 2 });
});

it("gives who comes the text as it was edited, also later, and nothing of one that was deleted", async () => {
  const { world, mara, comes } = await alone();
  for (const text of ["The password is x", "A mistake"]) await mara.warren.chat.sendText(everyone, text);
  await mara.warren.chat.editText(textOf(mara, 0).key, "The password is y");
  await mara.warren.chat.deleteMessage(textOf(mara, 1).key);
  await mara.warren.chat.react(textOf(mara, 0).key, "👍");
  await world.clock.advance(10_000);
  const jun = await comes("Jun", mara);
  expect(jun.texts(everyone)).toEqual(["The password is y"]);
  await mara.warren.chat.editText(textOf(mara, 0).key, "The password is z");
  await world.until(() => jun.texts(everyone)[0] === "The password is z");
  await world.clock.advance(10_000);
  const eve = await comes("Eve", mara, jun);
  expect(eve.texts(everyone)).toEqual(["The password is z"]);
  expect(eve.warren.chat.missing.getState()).toEqual({});
});

it("takes a reaction back for those who come later too", async () => {
  const { world, mara, comes } = await alone();
  await mara.warren.chat.sendText(everyone, "The password is x");
  await mara.warren.chat.react(textOf(mara, 0).key, "👍");
  const jun = await comes("Jun", mara);
  await world.until(() => textOf(jun, 0).reactions?.[mara.id]?.emoji[0] === "👍");
  await mara.warren.chat.react(textOf(mara, 0).key, "👍");
  await world.clock.advance(10_000);
  const eve = await comes("Eve", mara, jun);
  await world.clock.advance(10_000);
  expect(eve.texts(everyone)).toEqual(["The password is x"]);
  expect(textOf(eve, 0).reactions?.[mara.id]?.emoji ?? []).toEqual([]);
});

it("gives newcomers nothing of what was said to somebody without a log, nor its later edits", async () => {
  const { world, mara, comes } = await alone();
  await mara.warren.chat.sendText(everyone, "Written alone");
  const guest = await world.keylessPerson("Guest");
  await guest.warren.room.join();
  await world.untilMet(mara, guest);
  await mara.warren.chat.sendText(everyone, "Between us two");
  await world.until(() => guest.texts(everyone).includes("Between us two"));
  await guest.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.editText(textOf(mara, 1).key, "Between the two of us");
  await mara.warren.chat.sendText(everyone, "Alone again");
  await world.clock.advance(1_000);
  const jun = await comes("Jun", mara);
  await world.clock.advance(10_000);
  expect(jun.texts(everyone)).toEqual(["Written alone", "Alone again"]);
  expect(JSON.stringify(await jun.storedRecords())).not.toContain("Between");
});

it("keeps a file that was offered to nobody yet over a reload, for whoever comes", async () => {
  const { world, mara, comes } = await alone();
  const poster = new File([new Uint8Array(700_000).map((_, at) => at % 251)], "poster.psd");
  await mara.warren.chat.sendFile(everyone, poster);
  expect(fileAt(mara)).toMatchObject({ entry: 1, deliveries: {}, offers: {} });
  await world.clock.advance(60_000);
  await mara.reload();
  await world.clock.advance(5_000);
  const jun = await comes("Jun", mara);
  const { key, file } = fileAt(jun) ?? expect.fail();
  await jun.warren.chat.acceptFile(key);
  await world.until(() => fileAt(jun)?.offers[mara.id]?.state === "complete");
  const received = await jun.warren.files.open(file.fid);
  expect(await received?.arrayBuffer()).toEqual(await poster.arrayBuffer());
  await world.until(() => fileAt(mara)?.offers[jun.id]?.state === "complete");
});

it("offers nobody a file that was taken back before anybody came", async () => {
  const { world, mara, comes } = await alone();
  await mara.warren.chat.sendFile(everyone, new File(["never mind"], "draft.txt"));
  await mara.warren.chat.cancelFile(fileAt(mara)?.key ?? expect.fail());
  await world.clock.advance(1_000);
  const jun = await comes("Jun", mara);
  await jun.warren.chat.acceptFile(fileAt(jun)?.key ?? expect.fail());
  await world.until(() => fileAt(jun)?.offers[mara.id]?.state === "withdrawn");
});

it("refuses what only somebody who is there could get, and a text that no log keeps", async () => {
  const { world, mara } = await alone();
  const refusal = { code: "no-session" };
  await expect(mara.warren.chat.sendClipboard(everyone, "copied")).rejects.toMatchObject(refusal);
  mara.setStorageUnreadable(true);
  const sending = mara.warren.chat.sendText(everyone, "Lost?").catch((thrown: unknown) => thrown);
  await world.clock.advance(60_000);
  expect(await sending).toMatchObject(refusal);
  expect(mara.messages(everyone)).toEqual([]);
});

it("tells from which of my entries on the log has space for them, also after a reload, and of no other room", async () => {
  const { world, mara } = await alone();
  const floor = () => mara.warren.chat.ownFloor.getState();
  const sends = (data: string) => mara.warren.chat.sendText(everyone, data);
  // As long as 44 of them fill the log of an author.
  for (let n = 1; n <= 44; n++) await sends("x".repeat(190_000));
  expect(floor()).toBe(1);
  for (let n = 1; n <= 2; n++) await sends("x".repeat(190_000));
  expect(floor()).toBe(3);
  await mara.reload();
  await world.clock.advance(1_000);
  await sends("short");
  expect(floor()).toBe(3);
  mara.warren.room.leave();
  mara.warren.profile.update({ roomId: "attic" });
  await mara.warren.room.join();
  expect(floor()).toBe(1);
});
