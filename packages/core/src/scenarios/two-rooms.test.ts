import { expect, it } from "vitest";
import { everyone } from "../messages/message.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const conversations = ({ warren }: TestPerson) => warren.chat.store.getState().conversations;

async function goTo(person: TestPerson, roomId: string): Promise<void> {
  person.warren.room.leave();
  person.warren.profile.update({ roomId });
  await person.warren.room.join();
}

/** Mara with Jun in the room "burrow", then with Kai in the room "attic". */
async function inTwoRooms() {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  await jun.warren.chat.sendText(everyone, "Hello burrow");
  await mara.untilMessages(everyone, (messages) => messages.length === 1);
  const kai = await world.person("Kai");
  await goTo(kai, "attic");
  await goTo(mara, "attic");
  await world.untilMet(mara, kai);
  return { world, mara, jun, kai };
}

it("keeps the conversations of two rooms apart, and each is there on the way back", async () => {
  const { world, mara, jun, kai } = await inTwoRooms();
  expect(mara.texts(everyone)).toEqual([]);
  await mara.warren.chat.sendText(everyone, "Hello attic");
  await kai.untilMessages(everyone, (messages) => messages.length === 1);
  expect(kai.texts(everyone)).toEqual(["Hello attic"]);
  expect(mara.texts(everyone)).toEqual(["Hello attic"]);
  expect(mara.texts(roomTagOf("burrow"))).toEqual(["Hello burrow"]);
  expect(jun.texts(everyone)).toEqual(["Hello burrow"]);

  await goTo(mara, "burrow");
  await world.untilMet(mara, jun);
  expect(mara.texts(everyone)).toEqual(["Hello burrow"]);
  expect(mara.texts(roomTagOf("attic"))).toEqual(["Hello attic"]);
});

it("keeps unread messages with their room, also over a reload in the other one", async () => {
  const { mara, kai } = await inTwoRooms();
  const unread = () => [
    conversations(mara)[roomTagOf("burrow")]?.unread,
    conversations(mara)[everyone]?.unread,
  ];
  expect(unread()).toEqual([1, undefined]);
  await kai.warren.chat.sendText(everyone, "one");
  await kai.warren.chat.sendText(everyone, "two");
  await mara.untilMessages(everyone, (messages) => messages.length === 2);
  mara.warren.chat.open(everyone);
  expect(unread()).toEqual([1, 0]);
  await mara.close();
  await mara.open();
  // The test world opens every page in the room "burrow".
  expect(mara.texts(everyone)).toEqual(["Hello burrow"]);
  expect(mara.texts(roomTagOf("attic"))).toEqual(["one", "two"]);
  expect(conversations(mara)[everyone]?.unread).toBe(1);
  expect(conversations(mara)[roomTagOf("attic")]?.unread).toBe(0);
});

it("writes to nobody in a room that it is not in", async () => {
  const { mara } = await inTwoRooms();
  const sending = mara.warren.chat.sendText(roomTagOf("burrow"), "Hello?");
  await expect(sending).rejects.toMatchObject({ code: "no-session" });
});

it("an offer in one room is answered while both are in another one", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  await jun.warren.chat.sendFile(everyone, new File(["harbour"], "harbour.txt"));
  await mara.untilMessages(everyone, (messages) => messages.length === 1);
  for (const person of [mara, jun]) await goTo(person, "attic");
  await world.untilMet(mara, jun);
  const burrow = roomTagOf("burrow");
  const [offer] = mara.messages(burrow);
  if (offer === undefined) throw new Error("there is no offer");
  await mara.warren.chat.acceptFile(offer.key);
  await world.until(() => {
    const [message] = mara.messages(burrow);
    return message?.type === "file" && mara.offerOf(message, jun.id)?.state === "complete";
  });
  expect(mara.messages(everyone)).toEqual([]);
  await settle();
});
