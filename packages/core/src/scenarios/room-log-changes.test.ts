import { expect, it } from "vitest";
import { everyone, type MessageKey, statusOf } from "../messages/message.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

async function three() {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun, kai] = [await world.person("Mara"), await world.person("Jun"), await world.person("Kai")];
  await world.gather(mara, jun, kai);
  return { world, mara, jun, kai };
}

function keyOf(person: TestPerson, text: string): MessageKey {
  const found = person.messages(everyone).find((message) => message.type === "text" && message.data === text);
  if (found === undefined) throw new Error(`nobody said ${text}`);
  return found.key;
}

it("brings who was away the edits, deletions and reactions of everyone, also of those who have left", async () => {
  const { world, mara, jun, kai } = await three();
  const maraId = mara.id;
  await mara.warren.chat.sendText(everyone, "At nine");
  await mara.warren.chat.sendText(everyone, "a secret that was a mistake");
  await world.until(() => kai.texts(everyone).length === 2 && jun.texts(everyone).length === 2);
  await kai.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.editText(keyOf(mara, "At nine"), "At half past nine");
  await mara.warren.chat.editText(keyOf(mara, "At half past nine"), "At ten");
  await mara.warren.chat.editText(keyOf(mara, "a secret that was a mistake"), "another mistake");
  await mara.warren.chat.deleteMessage(keyOf(mara, "another mistake"));
  await world.until(() => jun.texts(everyone).includes("At ten"));
  await jun.warren.chat.react(keyOf(jun, "At ten"), "👍");
  await world.until(() => mara.messages(everyone)[0]?.reactions !== undefined);
  await mara.close();
  await world.clock.advance(5_000);

  await kai.reopen();
  await world.untilMet(kai, jun);
  await world.until(() => kai.messages(everyone)[0]?.reactions !== undefined);
  await world.clock.advance(10_000);
  for (const person of [jun, kai]) {
    expect(person.messages(everyone)).toMatchObject([
      { data: "At ten", edited: expect.any(Number), reactions: { [jun.id]: { emoji: ["👍"] } } },
      { data: "", deleted: true },
    ]);
    await person.reload();
    expect(person.texts(everyone)).toEqual(["At ten", ""]);
    expect(JSON.stringify(await person.storedRecords())).not.toContain("mistake");
  }
  expect(kai.messages(everyone)[0]?.client).toBe(maraId);
  expect(kai.warren.chat.store.getState().conversations[everyone]?.unread).toBe(2);
});

it("leaves nothing of a deleted text in its author's own log", async () => {
  const { world, mara, jun, kai } = await three();
  await mara.warren.chat.sendText(everyone, "a mistake");
  await world.until(() => kai.texts(everyone).length === 1 && jun.texts(everyone).length === 1);
  await mara.warren.chat.deleteMessage(keyOf(mara, "a mistake"));
  await world.until(() => [jun, kai].every((person) => person.texts(everyone)[0] === ""));
  await world.clock.advance(3_000);
  for (const person of [mara, jun, kai])
    expect(JSON.stringify(await person.storedRecords())).not.toContain("a mistake");
});

it("edits and reacts for those without a log as well", async () => {
  const { world, mara, jun } = await three();
  const noor = await world.keylessPerson("Noor");
  await noor.warren.room.join();
  await world.untilMet(noor, mara);
  await world.untilMet(noor, jun);
  await mara.warren.chat.sendText(everyone, "At nine");
  await world.until(() => noor.texts(everyone).length === 1 && jun.texts(everyone).length === 1);
  await mara.warren.chat.editText(keyOf(mara, "At nine"), "At ten");
  await noor.warren.chat.react(keyOf(noor, "At nine"), "👍");
  await world.until(() => noor.texts(everyone)[0] === "At ten" && jun.texts(everyone)[0] === "At ten");
  await world.until(() => [mara, jun].every((person) => person.messages(everyone)[0]?.reactions?.[noor.id]));
  expect(jun.messages(everyone)[0]?.reactions?.[noor.id]?.emoji).toEqual(["👍"]);
});

it("misses nothing that was deleted while one was away, and delivers what was written around it", async () => {
  const { world, mara, jun } = await three();
  // Jun still counts as there.
  await jun.close();
  for (const text of ["one", "a mistake", "three"]) await mara.warren.chat.sendText(everyone, text);
  await mara.warren.chat.editText(keyOf(mara, "a mistake"), "another mistake");
  await mara.warren.chat.deleteMessage(keyOf(mara, "another mistake"));
  await world.clock.advance(60_000);
  await jun.reopen();
  await world.untilMet(jun, mara);
  await world.clock.advance(60_000);
  expect(jun.texts(everyone)).toEqual(["one", "three"]);
  expect(jun.warren.chat.missing.getState()).toEqual({});
  expect(mara.messages(everyone).map(statusOf)).toEqual(["received", "received", "received"]);
});

it("leaves nothing of a text that is deleted while its author cannot read the log", async () => {
  const { world, mara, jun, kai } = await three();
  await mara.warren.chat.sendText(everyone, "a mistake");
  await mara.warren.chat.editText(keyOf(mara, "a mistake"), "another mistake");
  await world.until(() => [jun, kai].every((person) => person.texts(everyone)[0] === "another mistake"));
  const release = mara.holdLogs();
  await mara.reload();
  await world.untilMet(mara, jun);
  await mara.warren.chat.deleteMessage(keyOf(mara, "another mistake"));
  await world.until(() => jun.texts(everyone)[0] === "");
  release();
  await world.clock.advance(10_000);
  for (const person of [mara, jun])
    expect(JSON.stringify(await person.storedRecords())).not.toContain("mistake");
});

it.each(["the text is deleted", "the text is removed by its author alone"])(
  "misses nothing of what others tell of an author who is gone, also after a reload, when %s",
  async (how) => {
    const { world, mara, jun, kai } = await three();
    await kai.close();
    await world.clock.advance(5_000);
    for (const text of ["one", "a mistake", "three"]) await mara.warren.chat.sendText(everyone, text);
    await world.until(() => jun.texts(everyone).length === 3);
    await mara.warren.chat.editText(keyOf(mara, "a mistake"), "another mistake");
    const isDeleted = how.includes("deleted");
    if (isDeleted) await mara.warren.chat.deleteMessage(keyOf(mara, "another mistake"));
    else await mara.warren.chat.remove(keyOf(mara, "another mistake"));
    await world.clock.advance(5_000);
    const there = isDeleted ? jun : mara;
    for (const person of [mara, jun]) if (person !== there) await person.close();
    await kai.reopen();
    await world.untilMet(kai, there);
    await world.clock.advance(60_000);
    expect(kai.texts(everyone)).toEqual(["one", "three"]);
    expect(kai.warren.chat.missing.getState()).toEqual({});
    await there.close();
    await kai.reload();
    const lea = await world.person("Lea");
    await lea.warren.room.join();
    await world.untilMet(lea, kai);
    await world.clock.advance(20_000);
    expect(kai.warren.chat.missing.getState()).toEqual({});
  },
);

it.each([0, 1, 2, 3])(
  "agrees with the log wherever a page ends while it stores a change, after %i writes",
  async (writes) => {
    for (const change of ["edit", "delete"] as const)
      for (const who of ["author", "reader"] as const) {
        const world = new TestWorld();
        const [mara, jun] = await world.twoPeers();
        await world.clock.advance(3_000);
        await mara.warren.chat.sendText(everyone, "At nine");
        await world.until(() => jun.texts(everyone).length === 1);
        await world.clock.advance(3_000);
        const ended = who === "author" ? mara : jun;
        ended.stopStoringAfter(writes);
        const { chat } = mara.warren;
        const key = keyOf(mara, "At nine");
        void (change === "edit" ? chat.editText(key, "At ten") : chat.deleteMessage(key));
        await world.clock.advance(2_000);
        ended.vanish();
        await world.clock.advance(20_000);
        await ended.reopen();
        await world.untilMet(mara, jun);
        await world.clock.advance(30_000);
        expect([change, who, ...ended.texts(everyone)]).toEqual([
          change,
          who,
          ...(who === "author" ? jun : mara).texts(everyone),
        ]);
      }
  },
);

it("keeps the later of two edits of one moment, at everybody", async () => {
  const { world, mara, jun, kai } = await three();
  await mara.warren.chat.sendText(everyone, "At nine");
  await world.until(() => [jun, kai].every((person) => person.texts(everyone).length === 1));
  const key = keyOf(mara, "At nine");
  await Promise.all(["At ten", "At eight"].map((text) => mara.warren.chat.editText(key, text)));
  await world.clock.advance(5_000);
  for (const person of [mara, jun, kai]) expect(person.texts(everyone)).toEqual(["At eight"]);
});

it("edits and deletes for those without a key who were away", async () => {
  const { world, mara } = await three();
  const noor = await world.keylessPerson("Noor");
  await noor.warren.room.join();
  await world.untilMet(noor, mara);
  for (const text of ["At nine", "a mistake"]) await mara.warren.chat.sendText(everyone, text);
  await world.until(() => noor.texts(everyone).length === 2);
  await world.clock.advance(5_000);
  await noor.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.editText(keyOf(mara, "At nine"), "At ten");
  await mara.warren.chat.deleteMessage(keyOf(mara, "a mistake"));
  await mara.reload();
  await noor.reopen();
  await world.untilMet(noor, mara);
  await world.until(() => noor.texts(everyone)[1] === "");
  expect(noor.texts(everyone)).toEqual(["At ten", ""]);
});
