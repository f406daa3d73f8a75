import { expect, it } from "vitest";
import { everyone } from "../messages/message.ts";
import { addressed } from "../testing/addressed.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const writing = (person: TestPerson) => person.warren.chat.typing.getState();

function says(to: TestPerson, from: string, scope?: "room"): Promise<void> {
  const message = { type: "typing", id: "typing-message", ...(scope && { scope }) } as const;
  return to.warren.chat.receive(from, addressed(message, from, to.id, 1_700_000_000_000));
}

it("shows who is writing until some seconds pass, or the text is there", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  mara.warren.chat.sendTyping(jun.id);
  await world.until(() => writing(jun)[mara.id]?.length === 1);
  expect(writing(jun)).toEqual({ [mara.id]: [mara.id] });
  await world.clock.advance(7_000);
  expect(writing(jun)).toEqual({});
  mara.warren.chat.sendTyping(jun.id);
  await world.until(() => writing(jun)[mara.id]?.length === 1);
  await mara.warren.chat.sendText(jun.id, "Hello");
  await world.until(() => jun.texts(mara.id).length === 1);
  expect(writing(jun)).toEqual({});
  mara.warren.chat.sendTyping(jun.id);
  await world.until(() => writing(jun)[mara.id]?.length === 1);
  const maraId = mara.id;
  await mara.close();
  await world.until(() => writing(jun)[maraId] === undefined);
});

it("shows it in a room until the text is there", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  mara.warren.chat.sendTyping(everyone);
  await world.until(() => writing(jun)[everyone]?.length === 1);
  const saidAtMs = world.clock.elapsedMs();
  await mara.warren.chat.sendText(everyone, "Hello");
  await world.until(() => jun.texts(everyone).length === 1 && writing(jun)[everyone] === undefined);
  expect(world.clock.elapsedMs() - saidAtMs).toBeLessThan(3_000);
});

it("says it at most every four seconds, and to nobody in a room of more than sixteen", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  const { room } = mara.warren;
  const sent: unknown[] = [];
  const send = room.send.bind(room);
  room.send = (to, message) => {
    if (message.type === "typing") sent.push(message);
    return send(to, message);
  };
  for (let second = 0; second < 9; second++) {
    mara.warren.chat.sendTyping(everyone);
    await world.clock.advance(1_000);
  }
  expect(sent).toHaveLength(3);
  expect(writing(jun)).toEqual({ [everyone]: [mara.id] });
  const { readyPeers } = room;
  room.readyPeers = () => Array.from({ length: 16 }, () => jun.id);
  await world.clock.advance(10_000);
  mara.warren.chat.sendTyping(everyone);
  room.readyPeers = readyPeers;
  expect(sent).toHaveLength(3);
});

it("ignores it from the blocked, from who is not here, and more often than anybody types", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  await says(mara, "5b9c1d2e-2a39-4f0f-8d53-94a1f1f6a0c2");
  expect(writing(mara)).toEqual({});
  let changes = 0;
  mara.warren.chat.typing.subscribe(() => changes++);
  for (let n = 0; n < 1_000; n++) await says(mara, jun.id, n % 2 === 0 ? "room" : undefined);
  expect(changes).toBe(4);
  mara.warren.chat.block(jun.id);
  await world.clock.advance(60_000);
  expect(writing(mara)).toEqual({});
  await says(mara, jun.id);
  expect(writing(mara)).toEqual({});
});

it("reads no more of it after a new connection", async () => {
  const [mara, jun] = await new TestWorld().twoPeers();
  let changes = 0;
  mara.warren.chat.typing.subscribe(() => changes++);
  for (let n = 0; n < 10; n++) await says(mara, jun.id);
  const before = changes;
  mara.warren.chat.peerLost(jun.id);
  changes = 0;
  for (let n = 0; n < 10; n++) await says(mara, jun.id);
  expect(before).toBe(4);
  expect(changes).toBe(0);
});

it("is not told by somebody who chose so", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  mara.warren.settings.set("tellTyping", false);
  mara.warren.chat.sendTyping(jun.id);
  await world.clock.advance(1_000);
  expect(writing(jun)).toEqual({});
  mara.warren.settings.set("tellTyping", true);
  mara.warren.chat.sendTyping(jun.id);
  await world.until(() => writing(jun)[mara.id]?.length === 1);
});
