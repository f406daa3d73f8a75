import type { RoomTag } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import { logTagOf, passwordRelatedString } from "../handshake/crypto/password.ts";
import { newIdentity } from "../handshake/testing/handshake-fixtures.ts";
import { everyone } from "../messages/message.ts";
import { localTagOf, roomTagOf } from "../room/room-tag.ts";
import { writeEntry } from "../room-log/entry.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { addressed } from "../testing/addressed.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const tagOf = (password: string | null) => localTagOf({ roomId: "burrow", password });
const conversations = ({ warren }: TestPerson) => warren.chat.store.getState().conversations;

/** Mara with Jun in the room "burrow", then with Kai in the room "attic". */
async function inTwoRooms() {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun] = await world.twoPeers();
  await jun.warren.chat.sendText(everyone, "Hello burrow");
  await mara.untilMessages(everyone, (messages) => messages.length === 1);
  const kai = await world.person("Kai");
  await kai.goTo("attic");
  await mara.goTo("attic");
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

  await mara.goTo("burrow");
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

describe("two rooms of one name with different passwords", () => {
  async function goToPassword(person: TestPerson, password: string | null): Promise<void> {
    person.warren.room.leave();
    person.warren.profile.update({ roomId: "burrow", password });
    await person.warren.room.join();
  }

  it.each([
    ["two passwords", "tidal", "salt"],
    ["a password and none", "tidal", null],
  ])("give nothing of the one to people of the other: %s", async (_name, inner, outer) => {
    const world = new TestWorld({ roomLog: true });
    const mara = await world.person("Mara", outer);
    const kai = await world.person("Kai", outer);
    for (const person of [mara, kai]) await goToPassword(person, outer);
    await world.untilMet(mara, kai);
    await kai.warren.chat.sendText(everyone, "Outside");
    await mara.untilMessages(everyone, (messages) => messages.length === 1);

    await world.clock.advance(1_000);
    for (const person of [mara, kai]) person.warren.room.leave();
    const jun = await world.person("Jun", inner);
    for (const person of [mara, jun]) await goToPassword(person, inner);
    await world.untilMet(mara, jun);
    expect(mara.texts(everyone)).toEqual([]);
    await jun.warren.chat.sendText(everyone, "Jun's secret");
    await mara.untilMessages(everyone, (messages) => messages.length === 1);
    await mara.warren.chat.sendText(everyone, "Mara's secret");
    await jun.untilMessages(everyone, (messages) => messages.length === 2);
    expect(jun.texts(everyone)).toEqual(["Jun's secret", "Mara's secret"]);
    const tags = new Map([inner, outer].map((password) => [password, tagOf(password)]));
    expect(mara.texts(tags.get(outer) ?? "")).toEqual(["Outside"]);

    await world.clock.advance(1_000);
    for (const person of [mara, jun]) person.warren.room.leave();
    for (const person of [mara, kai]) await goToPassword(person, outer);
    await world.untilMet(mara, kai);
    expect(mara.texts(everyone)).toEqual(["Outside"]);
    expect(mara.texts(tags.get(inner) ?? "")).toEqual(["Jun's secret", "Mara's secret"]);
    const [outside] = mara.messages(everyone);
    if (outside === undefined) throw new Error("there is no text");
    await kai.warren.chat.editText(outside.key, "Outside, edited");
    await mara.warren.chat.sendText(everyone, "Back outside");
    await kai.untilMessages(everyone, (messages) => messages.length >= 2);
    for (let seconds = 0; seconds < 20; seconds++) await world.clock.advance(1_000);
    for (const person of [mara, kai])
      expect(person.texts(everyone)).toEqual(["Outside, edited", "Back outside"]);
    expect(kai.warren.chat.missing.getState()).toEqual({});
    expect(Object.keys(kai.warren.chat.members.getState())).not.toContain(jun.id);
    const kept = mara.warren.chat.rooms.getState().map(({ id, password }) => [id, password]);
    expect(kept).toEqual([
      ["burrow", outer],
      ["burrow", inner],
    ]);
  });

  it("take no entry that was signed for the other", async () => {
    const world = new TestWorld({ roomLog: true });
    const [mara, jun] = [await world.person("Mara", "tidal"), await world.person("Jun", "tidal")];
    for (const person of [mara, jun]) await goToPassword(person, "tidal");
    await world.untilMet(mara, jun);
    const violations: string[] = [];
    mara.warren.room.on("violation", (_from, issue) => violations.push(issue));
    const lea = await newIdentity();
    const write = async (tag: RoomTag, body: string) => {
      const content = { time: world.clock.now(), name: "Lea", kind: "text", body };
      const { tag: _tag, author, hash: _hash, ...entry } = await writeEntry(lea, tag, null, content);
      const key = encodeBase64url(lea.publicKey);
      const page: OutgoingMessage = { type: "entries", author, key, entries: [entry] };
      await mara.warren.chat.receive(jun.id, addressed(page, jun.id, mara.id, world.clock.now()));
    };
    const burrow = roomTagOf("burrow");
    const prsOf = (password: string) => passwordRelatedString(password, burrow, globalThis.crypto.subtle);
    await write(burrow, "To all who know the name");
    await write(logTagOf(burrow, await prsOf("salt")), "To others");
    expect([mara.texts(everyone), violations.length]).toEqual([[], 2]);
    await write(logTagOf(burrow, await prsOf("tidal")), "To us");
    expect(mara.texts(everyone)).toEqual(["To us"]);
  });
});

it("writes to nobody in a room that it is not in", async () => {
  const { mara } = await inTwoRooms();
  const sending = mara.warren.chat.sendText(roomTagOf("burrow"), "Hello?");
  await expect(sending).rejects.toMatchObject({ code: "no-session" });
});

it("an offer in one room is answered while both are in another one", async () => {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun] = await world.twoPeers();
  await jun.warren.chat.sendFile(everyone, new File(["harbour"], "harbour.txt"));
  await mara.untilMessages(everyone, (messages) => messages.length === 1);
  for (const person of [mara, jun]) await person.goTo("attic");
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

it.each([
  { what: "an offer", isKeyless: false },
  { what: "a text to a client without a log", isKeyless: true },
])("$what to everyone in one room that has not arrived waits for that room", async ({ isKeyless }) => {
  const world = new TestWorld();
  const mara = await world.person("Mara");
  const jun = await (isKeyless ? world.keylessPerson("Jun") : world.person("Jun"));
  await jun.goTo("burrow");
  await mara.goTo("burrow");
  await world.untilMet(mara, jun);
  world.network.cut();
  if (isKeyless) await mara.warren.chat.sendText(everyone, "Hello burrow");
  else await mara.warren.chat.sendFile(everyone, new File(["harbour"], "harbour.txt"));
  const delivery = () => mara.messages(everyone)[0]?.deliveries[jun.id]?.status;
  expect(delivery()).toBe("sending");

  for (const person of [mara, jun]) person.warren.room.leave();
  world.network.heal();
  for (const person of [mara, jun]) await person.goTo("attic");
  await world.untilMet(mara, jun);
  await mara.warren.chat.sendText(jun.id, "Between us");
  await jun.untilMessages(mara.id, (messages) => messages.length === 1);
  await world.clock.advance(10_000);
  expect([mara.messages(everyone), jun.messages(everyone)]).toEqual([[], []]);
  expect(jun.messages(mara.id)).toHaveLength(1);

  for (const person of [mara, jun]) await person.goTo("burrow");
  await world.untilMet(mara, jun);
  await world.until(() => delivery() === "received");
  expect(jun.messages(everyone)).toHaveLength(1);
});

it("makes no offer in a room that it went to while a file was described", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  let describe = (_text: string) => {};
  const text = () => new Promise<string>((resolve) => (describe = resolve));
  const file = Object.assign(new File(["data:image"], "harbour.png"), { text });
  const sending = mara.warren.chat.sendFile(everyone, file);
  const outcome = sending.catch((thrown: unknown) => thrown);
  await settle();
  for (const person of [mara, jun]) await person.goTo("attic");
  await world.untilMet(mara, jun);
  describe("");
  expect(await outcome).toMatchObject({ code: "no-session" });
  expect(mara.messages(everyone)).toEqual([]);
});

const rooms = ({ warren }: TestPerson) => warren.chat.rooms.getState().map(({ id }) => id);

it("keeps the rooms that were visited, the last one first, also over a reload", async () => {
  const { world, mara } = await inTwoRooms();
  expect(rooms(mara)).toEqual(["attic", "burrow"]);
  await world.clock.advance(1_000);
  await mara.goTo("burrow");
  expect(rooms(mara)).toEqual(["burrow", "attic"]);
  await mara.close();
  await mara.open();
  expect(rooms(mara)).toEqual(["burrow", "attic"]);
});

it("keeps a room muted while others are visited, and over a reload", async () => {
  const { mara } = await inTwoRooms();
  const muted = () => mara.warren.chat.rooms.getState().flatMap((room) => (room.muted ? [room.id] : []));
  mara.warren.chat.setMuted(everyone, true);
  expect(muted()).toEqual(["attic"]);
  await mara.goTo("burrow");
  mara.warren.chat.setMuted(roomTagOf("attic"), false);
  mara.warren.chat.setMuted(everyone, true);
  expect(muted()).toEqual(["burrow"]);
  await mara.goTo("attic");
  await mara.close();
  await mara.open();
  expect(muted()).toEqual(["burrow"]);
  await mara.goTo("burrow");
  expect(muted()).toEqual(["burrow"]);
});

it("forgets a room with all that was said there, and nothing else", async () => {
  const { world, mara, kai } = await inTwoRooms();
  await kai.warren.chat.sendText(everyone, "Hello attic");
  await kai.warren.chat.sendText(mara.id, "Between us");
  await mara.untilMessages(kai.id, (messages) => messages.length === 1);
  await world.until(() => mara.texts(everyone).length === 1);
  const attic = roomTagOf("attic");
  const usage = () => mara.warren.chat.store.getState().storageUsage[kai.id]?.roomBytes;
  expect(usage()).toBeGreaterThan(0);
  mara.warren.room.leave();
  await mara.warren.chat.forgetRoom(attic);
  expect(rooms(mara)).toEqual(["burrow"]);
  expect(usage()).toBe(0);
  for (const again of [false, true]) {
    if (again) {
      await mara.close();
      await mara.open();
    }
    expect(mara.texts(again ? attic : everyone)).toEqual([]);
    expect(mara.texts(again ? everyone : roomTagOf("burrow"))).toEqual(["Hello burrow"]);
    expect(mara.texts(kai.id)).toEqual(["Between us"]);
  }
  // Those who are still there remember it, and give it what it has forgotten.
  await world.clock.advance(60_000);
  await mara.goTo("attic");
  await world.untilMet(mara, kai);
  await kai.warren.chat.sendText(everyone, "Again");
  await world.until(() => mara.texts(everyone).length === 2);
  expect(mara.texts(everyone)).toEqual(["Hello attic", "Again"]);
});
