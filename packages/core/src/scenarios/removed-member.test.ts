import { expect, it } from "vitest";
import { everyone } from "../messages/message.ts";
import { localTagOf } from "../room/room-tag.ts";
import { sentBy } from "../testing/sent-by.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const tag = localTagOf({ roomId: "burrow", password: null });
const members = ({ warren }: TestPerson) => Object.keys(warren.chat.members.getState());

async function three() {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun, kai] = [await world.person("Mara"), await world.person("Jun"), await world.person("Kai")];
  await world.gather(mara, jun, kai);
  return { world, mara, jun, kai };
}

it("neither hears a removed member nor tells it anything, also after a reload, until it is allowed again", async () => {
  const { world, mara, jun, kai } = await three();
  mara.warren.chat.removeMember(tag, kai.id);
  await world.clock.advance(1_000);
  expect(members(mara)).toEqual([jun.id]);
  let sent = sentBy(mara);
  const expectSilence = () => {
    expect(sent.filter(({ to }) => to === kai.id)).toEqual([]);
    expect(JSON.stringify(sent)).not.toContain(kai.id);
  };
  await kai.warren.chat.sendText(everyone, "From Kai");
  await mara.warren.chat.sendText(everyone, "From Mara");
  mara.warren.chat.sendTyping(everyone);
  await world.until(() => jun.texts(everyone).length === 2);
  await world.clock.advance(60_000);
  expect(mara.texts(everyone)).toEqual(["From Mara"]);
  expect(Object.keys(mara.messages(everyone)[0]?.deliveries ?? {})).toEqual([jun.id]);
  expectSilence();

  await mara.reload();
  sent = sentBy(mara);
  await world.untilMet(mara, jun);
  await world.untilMet(mara, kai);
  await kai.warren.chat.sendText(everyone, "Still here");
  await world.clock.advance(60_000);
  expect(mara.texts(everyone)).toEqual(["From Mara"]);
  const ofTheLog = ["heads", "entries", "request-entries"];
  sent = sent.filter(({ message }) => ofTheLog.includes(message.type));
  expectSilence();
  expect(Object.keys(await mara.warren.chat.membersOf(tag)).sort()).toEqual([jun.id, kai.id].sort());

  mara.warren.chat.allowMember(tag, kai.id);
  await world.until(() => mara.texts(everyone).length === 3);
  expect(mara.texts(everyone).sort()).toEqual(["From Kai", "From Mara", "Still here"]);
  await mara.warren.chat.sendText(everyone, "Welcome back");
  await world.until(() => kai.texts(everyone).includes("Welcome back"));
  expect(members(mara).sort()).toEqual([jun.id, kai.id].sort());
});

it("keeps what a removed member said, and passes it on to nobody until that one is allowed again", async () => {
  const { world, mara, jun, kai } = await three();
  await jun.close();
  await world.clock.advance(5_000);
  await kai.warren.chat.sendText(everyone, "While Jun is away");
  await world.until(() => mara.texts(everyone).length === 1);
  const kaiId = kai.id;
  mara.warren.chat.removeMember(tag, kaiId);
  await kai.close();
  await world.clock.advance(5_000);
  await jun.reopen();
  await world.untilMet(jun, mara);
  await mara.warren.chat.sendText(everyone, "Hello Jun");
  await world.until(() => jun.texts(everyone).length === 1);
  await world.clock.advance(60_000);
  expect(jun.texts(everyone)).toEqual(["Hello Jun"]);
  expect(mara.texts(everyone)).toEqual(["While Jun is away", "Hello Jun"]);

  mara.warren.chat.allowMember(tag, kaiId);
  await world.until(() => jun.texts(everyone).length === 2);
});

it("holds for one without a key too, and only for what is said to everyone", async () => {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  const guest = await world.keylessPerson("Guest");
  await world.gather(mara, jun, guest);
  await guest.warren.chat.sendText(everyone, "Hello");
  await world.until(() => mara.texts(everyone).length === 1);
  await mara.warren.chat.sendText(everyone, "Hello guest");
  await world.until(() => guest.texts(everyone).length === 2);
  mara.warren.chat.acceptContact(guest.id);
  const [first] = guest.messages(everyone);
  const own = mara.messages(everyone)[1];
  if (first === undefined || own === undefined) throw new Error("there is no text");

  mara.warren.chat.removeMember(tag, guest.id);
  await guest.warren.chat.sendText(everyone, "Do you hear me?");
  await guest.warren.chat.editText(first.key, "Hello?");
  await guest.warren.chat.react(own.key, "👍");
  await mara.warren.chat.sendText(everyone, "Only for Jun");
  await mara.warren.chat.editText(own.key, "Hello all");
  await guest.warren.chat.sendText(mara.id, "Between us");
  await world.until(() => jun.texts(everyone).includes("Only for Jun"));
  await world.until(() => mara.texts(guest.id).length === 1);
  await world.clock.advance(30_000);
  expect(mara.texts(everyone)).toEqual(["Hello", "Hello all", "Only for Jun"]);
  expect(mara.messages(everyone).filter(({ reactions }) => reactions !== undefined)).toEqual([]);
  expect(guest.texts(everyone)).toContain("Hello guest");
  expect(guest.texts(everyone)).not.toContain("Only for Jun");
  await mara.warren.chat.sendText(guest.id, "Yes");
  await world.until(() => guest.texts(mara.id).length === 2);

  mara.warren.chat.allowMember(tag, guest.id);
  await world.until(() => guest.texts(everyone).includes("Hello all"));
});

it("delivers what waits for a member only once that one is allowed again", async () => {
  const world = new TestWorld({ roomLog: true });
  const mara = await world.person("Mara");
  const guest = await world.keylessPerson("Guest");
  await world.gather(mara, guest);
  guest.stall();
  await mara.warren.chat.sendText(everyone, "On its way");
  await world.clock.advance(1_000);
  guest.vanish();
  guest.resume();
  await world.clock.advance(60_000);
  await guest.emptyStorage();
  await guest.open();
  mara.warren.chat.removeMember(tag, guest.id);
  await guest.warren.room.join();
  await world.untilMet(mara, guest);
  await world.clock.advance(10_000);
  expect(guest.texts(everyone)).toEqual([]);
  mara.warren.chat.allowMember(tag, guest.id);
  await world.until(() => guest.texts(everyone).length === 1);
});

it("keeps what is said while only removed members are there, and gives it to them once they are allowed again", async () => {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun] = await world.twoPeers();
  mara.warren.chat.removeMember(tag, jun.id);
  await mara.warren.chat.sendText(everyone, "Anybody?");
  await world.clock.advance(10_000);
  expect(jun.texts(everyone)).toEqual([]);
  expect(mara.messages(everyone)).toMatchObject([{ deliveries: {} }]);
  mara.warren.chat.allowMember(tag, jun.id);
  await world.until(() => jun.texts(everyone).length === 1);
});

it("removes a member of one room from that room alone", async () => {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun] = await world.twoPeers();
  await world.clock.advance(3_000);
  mara.warren.chat.removeMember(tag, jun.id);
  for (const person of [mara, jun]) await person.goTo("attic");
  await world.untilMet(mara, jun);
  await jun.warren.chat.sendText(everyone, "Hello attic");
  await world.until(() => mara.texts(everyone).length === 1);
  // Who was met in a room that we are not in is known as well.
  expect(await mara.warren.chat.membersOf(tag)).toMatchObject({ [jun.id]: { metAt: expect.any(Number) } });
});
