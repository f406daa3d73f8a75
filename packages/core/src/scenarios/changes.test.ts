import { WarrenError } from "@warren/protocol";
import { describe, expect, it, vi } from "vitest";
import { everyone, type MessageKey } from "../messages/message.ts";
import { reactionsOf } from "../messages/message-changes.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { addressed } from "../testing/addressed.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const now = 1_700_000_000_000;

function says(to: TestPerson, from: string, message: OutgoingMessage): Promise<void> {
  return to.warren.chat.receive(from, addressed(message, from, to.id, message.createdAt ?? now));
}

/** Two people, and a text of the first that the second has. */
async function withText() {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  await mara.warren.chat.sendText(jun.id, "See you at nine");
  await world.until(() => jun.texts(mara.id).length === 1);
  await world.until(() => mara.messages(jun.id)[0]?.deliveries[jun.id]?.status === "received");
  return { world, mara, jun, maraId: mara.id, junId: jun.id, key: keyOf(mara, jun.id) };
}

function keyOf(person: TestPerson, conversation: string, index = 0): MessageKey {
  const key = person.messages(conversation)[index]?.key;
  if (key === undefined) throw new Error("there is no such message");
  return key;
}

const isDelivered = (person: TestPerson, conversation: string) =>
  person.messages(conversation).every(({ unsentChanges }) => unsentChanges === undefined);

it("makes a change without the log that storage never answers, and then the next", async () => {
  const { world, mara, jun, maraId, key } = await withText();
  await mara.warren.chat.sendText(everyone, "At the quay");
  await world.clock.advance(3_000);
  mara.leaveLogsUnanswered();
  await mara.reload();
  await world.untilMet(mara, jun);
  void mara.warren.chat.react(keyOf(mara, everyone), "👍");
  void mara.warren.chat.editText(key, "See you at ten");
  await world.clock.advance(60_000);
  await world.until(() => jun.texts(maraId)[0] === "See you at ten");
  expect(jun.messages(everyone)[0]?.reactions?.[maraId]?.emoji).toEqual(["👍"]);
});

it("ends a change of a message that the history is not read for, and goes on with the others", async () => {
  const { world, mara, key } = await withText();
  mara.holdHistory();
  const reloading = mara.reload();
  void reloading.catch(() => {});
  await world.clock.advance(100);
  const failing = expect(mara.warren.chat.react(key, "👍")).rejects.toMatchObject({ code: "storage-failed" });
  await world.clock.advance(31_000);
  await failing;
});

it("edits a text for both, and shows that it was", async () => {
  const { world, mara, jun, maraId, junId, key } = await withText();
  await mara.warren.chat.editText(key, "See you at ten");
  await world.until(() => jun.texts(maraId)[0] === "See you at ten");
  await world.until(() => isDelivered(mara, junId));
  for (const [person, other] of [
    [mara, junId],
    [jun, maraId],
  ] as const) {
    expect(person.messages(other)).toMatchObject([{ data: "See you at ten", edited: expect.any(Number) }]);
    await person.reload();
    expect(person.messages(other)).toMatchObject([{ data: "See you at ten", edited: expect.any(Number) }]);
  }
  expect(jun.warren.chat.store.getState().conversations[maraId]?.unread).toBe(1);
});

it("brings who was away the latest edit, the deletion and the reactions, across reloads", async () => {
  const { world, mara, jun, maraId, junId, key } = await withText();
  await mara.warren.chat.sendText(junId, "Bring the key");
  await world.until(() => jun.texts(maraId).length === 2);
  await jun.warren.chat.sendText(maraId, "Which one?");
  await world.until(() => mara.texts(junId).length === 3);
  const [, second, question] = mara.messages(junId);
  await jun.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.editText(key, "See you at ten");
  await mara.warren.chat.editText(key, "See you at eleven");
  await mara.warren.chat.deleteMessage(second?.key ?? key);
  await mara.warren.chat.react(question?.key ?? key, "👍");
  await mara.warren.chat.sendText(junId, "Later then");
  expect(isDelivered(mara, junId)).toBe(false);
  await mara.reload();
  await jun.reopen();
  await world.until(() => jun.texts(maraId).length === 4 && isDelivered(mara, junId));
  expect(jun.texts(maraId)).toEqual(["See you at eleven", "", "Which one?", "Later then"]);
  expect(jun.messages(maraId)[1]).toMatchObject({ deleted: true });
  expect(jun.messages(maraId)[2]?.reactions?.[maraId]?.emoji).toEqual(["👍"]);
});

it("leaves nothing of a deleted text in either's storage, also if it never arrived", async () => {
  const { world, mara, jun, maraId, junId } = await withText();
  jun.stall();
  await mara.warren.chat.sendText(junId, "a secret that was a mistake");
  await mara.warren.chat.deleteMessage(keyOf(mara, junId, 1));
  jun.resume();
  await world.until(() => isDelivered(mara, junId));
  await world.clock.advance(10_000);
  for (const person of [mara, jun]) {
    expect(JSON.stringify(await person.storedRecords())).not.toContain("mistake");
    await person.reload();
  }
  await world.untilMet(mara, jun);
  await world.clock.advance(10_000);
  expect(jun.texts(maraId).filter((text) => text !== "")).toEqual(["See you at nine"]);
});

describe("a file deleted for both", () => {
  const file = () => new File([new Uint8Array(300_000).fill(7)], "tide-tables.bin");
  const offered = async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await mara.warren.chat.sendFile(jun.id, file());
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    await world.clock.advance(3_000);
    return { world, mara, jun, maraId: mara.id, junId: jun.id, key: keyOf(mara, jun.id) };
  };

  it("leaves its card at neither side, and cannot be accepted any more", async () => {
    const { world, mara, jun, maraId, junId, key } = await offered();
    await mara.warren.chat.deleteMessage(key);
    await world.until(() => isDelivered(mara, junId) && jun.messages(maraId)[0]?.type === "text");
    await world.clock.advance(10_000);
    for (const [person, other] of [
      [mara, junId],
      [jun, maraId],
    ] as const) {
      expect(person.messages(other)).toMatchObject([{ type: "text", data: "", deleted: true }]);
      expect(JSON.stringify(await person.storedRecords())).not.toContain("tide-tables");
    }
    await jun.warren.chat.acceptFile(key);
    await world.clock.advance(10_000);
    expect(jun.warren.files.store.getState().size).toBe(0);
    for (const person of [mara, jun]) await person.reload();
    expect(jun.messages(maraId)).toMatchObject([{ deleted: true }]);
  });

  it("stays in the files of who has it already", async () => {
    const { world, mara, jun, maraId, junId, key } = await offered();
    await jun.warren.chat.acceptFile(key);
    await jun.untilMessages(
      maraId,
      ([message]) => message?.type === "file" && message.offers[maraId]?.state === "complete",
    );
    await mara.warren.chat.deleteMessage(key);
    await world.until(() => isDelivered(mara, junId) && jun.messages(maraId)[0]?.type === "text");
    await jun.reload();
    const states = [...jun.warren.files.store.getState().values()].map(({ state }) => state);
    expect(states).toEqual(["complete"]);
  });

  it("ends while it arrives, at both", async () => {
    const { world, mara, jun, maraId, junId, key } = await offered();
    jun.stall();
    void jun.warren.chat.acceptFile(key);
    await settle();
    jun.resume();
    await mara.warren.chat.deleteMessage(key);
    await world.until(() => isDelivered(mara, junId) && jun.messages(maraId)[0]?.type === "text");
    await world.clock.advance(60_000);
    for (const person of [mara, jun]) {
      const states = [...person.warren.transfers.store.getState().values()].map(({ now }) => now.state);
      expect(states.filter((state) => state === "running" || state === "opening")).toEqual([]);
    }
  });

  it("is deleted also where its transfers cannot be ended", async () => {
    const { mara, jun, maraId, junId } = await offered();
    vi.spyOn(jun.warren.chat.exchange, "load").mockRejectedValue(new WarrenError("app-code-missing"));
    await says(jun, maraId, { type: "delete-text", text: mara.messages(junId)[0]?.id ?? expect.fail() });
    expect(jun.messages(maraId)).toMatchObject([{ deleted: true }]);
  });

  it("reaches who was away, and nobody else can do it", async () => {
    const { world, mara, jun, maraId, junId, key } = await offered();
    const { id } = mara.messages(junId)[0] ?? expect.fail();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(jun, noor);
    await says(jun, noor.id, { type: "delete-text", text: id });
    expect(jun.messages(maraId)).toMatchObject([{ type: "file" }]);
    await jun.close();
    await world.clock.advance(5_000);
    await mara.warren.chat.deleteMessage(key);
    await mara.reload();
    await jun.reopen();
    await world.until(() => jun.messages(maraId)[0]?.type === "text" && isDelivered(mara, junId));
  });
});

it("reacts in a room, where a reaction may be faster than the message", async () => {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  const kai = await world.person("Kai");
  await kai.warren.room.join();
  await world.untilMet(kai, mara);
  await world.untilMet(kai, jun);
  await says(kai, jun.id, {
    type: "react",
    id: "early-reaction",
    message: { client: mara.id, id: "text-0001" },
    emoji: ["🎉"],
  });
  await says(kai, mara.id, { type: "send-text", id: "text-0001", data: "Finished", scope: "room" });
  await settle();
  expect(kai.messages(everyone)).toMatchObject([
    { data: "Finished", reactions: { [jun.id]: { emoji: ["🎉"] } } },
  ]);

  await mara.warren.chat.sendText(everyone, "Who comes along?");
  await world.until(() => kai.texts(everyone).length === 2 && jun.texts(everyone).length === 1);
  const asked = keyOf(mara, everyone);
  for (const person of [jun, kai]) await person.warren.chat.react(asked, "👍");
  await kai.warren.chat.react(asked, "❤️");
  await kai.warren.chat.react(asked, "👍");
  await jun.warren.chat.react(asked, "🎉");
  const shown = (person: TestPerson) => {
    const message = person.messages(everyone).find(({ key }) => key === asked);
    return message
      ? reactionsOf(message)
          .map(({ emoji, people }) => `${emoji} ${people.length}`)
          .sort()
      : [];
  };
  await world.until(() => [mara, jun, kai].every((person) => shown(person).length === 3));
  for (const person of [mara, jun, kai]) expect(shown(person)).toEqual(["❤️ 1", "🎉 1", "👍 1"]);
});

it("changes messages that are only in storage", async () => {
  const { world, mara, jun, maraId, junId, key } = await withText();
  for (let n = 0; n < 400; n++)
    await says(jun, maraId, {
      type: "send-text",
      id: `text-number-${n}`,
      data: `text ${n}`,
      createdAt: now + n,
    });
  jun.warren.chat.open(maraId);
  await jun.reload();
  expect(jun.messages(maraId).some((message) => message.key === key)).toBe(false);
  await world.untilMet(mara, jun);
  await mara.warren.chat.editText(key, "See you at ten");
  await world.until(() => isDelivered(mara, junId));
  await expect(jun.warren.chat.lookUp(key)).resolves.toMatchObject({ data: "See you at ten" });
});

it("lets nobody change what others wrote, or react where they take no part", async () => {
  const { world, mara, jun, junId, key } = await withText();
  const noor = await world.person("Noor");
  await noor.warren.room.join();
  await world.untilMet(mara, noor);
  await jun.warren.chat.sendText(mara.id, "An answer");
  await world.until(() => mara.texts(junId).length === 2);
  const before = mara.messages(junId);
  for (const { id } of before) {
    for (const from of [noor.id, junId]) {
      if (before.find((message) => message.id === id)?.client === from) continue;
      await says(mara, from, { type: "edit-text", text: id, data: "Forged" });
      await says(mara, from, { type: "delete-text", text: id });
    }
    for (const { client } of before)
      await says(mara, noor.id, { type: "react", message: { client, id }, emoji: ["💩"] });
  }
  expect(mara.messages(junId)).toEqual(before);
  mara.warren.chat.block(junId);
  await says(mara, junId, { type: "delete-text", text: before[1]?.id ?? "" });
  await says(mara, junId, {
    type: "react",
    message: { client: mara.id, id: before[0]?.id ?? "" },
    emoji: ["💩"],
  });
  expect(mara.messages(junId)).toEqual(before);
  expect(key).toBe(before[0]?.key);
});

it("stores no more edits of a client than its space and its rate allow", async () => {
  const { mara, jun, maraId } = await withText();
  jun.warren.chat.acceptContact(maraId);
  const big = "x".repeat(200_000);
  for (let n = 0; n < 250; n++) {
    await says(jun, maraId, { type: "send-text", id: `text-number-${n}`, data: "small", createdAt: now + n });
    await says(jun, maraId, {
      type: "edit-text",
      text: `text-number-${n}`,
      data: big,
      createdAt: now + n + 1,
    });
  }
  const bytes = jun.texts(maraId).reduce((sum, text) => sum + text.length, 0);
  expect(bytes).toBeGreaterThan(20 * 1024 ** 2);
  expect(bytes).toBeLessThan(32 * 1024 ** 2);
  for (let n = 0; n < 400; n++)
    await says(jun, maraId, {
      type: "edit-text",
      text: "text-number-0",
      data: `${n}`,
      createdAt: now + 1_000 + n,
    });
  const edited = Number(jun.texts(maraId)[1]);
  expect(edited).toBeGreaterThan(30);
  expect(edited).toBeLessThan(100);
  expect(mara.texts(jun.id)).toEqual(["See you at nine"]);
});

it("applies few changes of a client of whom nothing was accepted, and none of them is news", async () => {
  const { jun, maraId, key } = await withText();
  jun.warren.chat.open(maraId);
  jun.warren.chat.open(null);
  const react = (n: number) =>
    says(jun, maraId, {
      type: "react",
      message: { client: maraId, id: key.slice(key.indexOf("/") + 1) },
      emoji: [n % 2 === 0 ? "👍" : "🎉"],
      createdAt: now + n,
    });
  for (let n = 0; n < 100; n++) await react(n);
  const reactedAt = () => (jun.messages(maraId)[0]?.reactions?.[maraId]?.at ?? 0) - now;
  expect(reactedAt()).toBe(29);
  expect(jun.warren.chat.store.getState().conversations[maraId]?.unread).toBe(0);
  jun.warren.chat.acceptContact(maraId);
  for (let n = 100; n < 200; n++) await react(n);
  expect(reactedAt()).toBe(199);
});

it.each([
  ["edits", { type: "edit-text", data: "changed" }],
  ["deletions", { type: "delete-text" }],
] as const)("applies few %s of a client of whom nothing was accepted", async (_, change) => {
  const { jun, maraId } = await withText();
  for (let n = 0; n < 60; n++)
    await says(jun, maraId, {
      type: "send-text",
      id: `text-number-${n}`,
      data: "as it was",
      createdAt: now + n,
    });
  for (let n = 0; n < 60; n++)
    await says(jun, maraId, { ...change, text: `text-number-${n}`, createdAt: now + 100 });
  const unchanged = () => jun.texts(maraId).filter((text) => text === "as it was").length;
  expect(unchanged()).toBe(30);
  jun.warren.chat.acceptContact(maraId);
  for (let n = 0; n < 60; n++)
    await says(jun, maraId, { ...change, text: `text-number-${n}`, createdAt: now + 100 });
  expect(unchanged()).toBe(0);
});

it("sends changes only to those who read them, and later once they do", async () => {
  const { world, mara, jun, maraId, junId, key } = await withText();
  const { room } = mara.warren;
  const peer = room.peer.bind(room);
  const asBefore = vi.spyOn(room, "peer").mockImplementation((id) => {
    const known = peer(id);
    return known?.profile ? { ...known, profile: { ...known.profile, changes: undefined } } : known;
  });
  const received = vi.spyOn(jun.warren.chat, "receive");
  await mara.warren.chat.editText(key, "See you at ten");
  await mara.warren.chat.react(key, "👍");
  await world.clock.advance(10_000);
  expect(received.mock.calls.map(([, { type }]) => type)).toEqual([]);
  asBefore.mockRestore();
  mara.warren.chat.peerReady(junId);
  await world.until(() => isDelivered(mara, junId));
  expect(jun.messages(maraId)).toMatchObject([{ data: "See you at ten" }]);
});
