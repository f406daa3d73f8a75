import { describe, expect, it } from "vitest";
import { everyone, statusOf } from "../messages/message.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { sentBy } from "../testing/sent-by.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const isSigned = (person: TestPerson) =>
  person.messages(everyone).every((message) => message.type === "text" && message.entry !== undefined);

async function three() {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun, kai] = [await world.person("Mara"), await world.person("Jun"), await world.person("Kai")];
  await world.gather(mara, jun, kai);
  return { world, mara, jun, kai };
}

it("rejects a text that fits into no frame, keeps nothing of it, and goes on", async () => {
  const { world, mara, kai } = await three();
  await expect(mara.warren.chat.sendText(everyone, '"'.repeat(150 * 1024))).rejects.toMatchObject({
    code: "frame-too-large",
  });
  expect(mara.messages(everyone)).toEqual([]);
  await mara.warren.chat.sendText(everyone, "shorter");
  await world.until(() => kai.texts(everyone).length === 1);
  expect(kai.messages(everyone)).toMatchObject([{ data: "shorter", entry: 1 }]);
});

it("names the author of its own entries to those who do not know that, and hears that a text is stored by its id", async () => {
  const { world, mara, jun, kai } = await three();
  await mara.warren.chat.sendText(everyone, "The first");
  await world.until(() => jun.texts(everyone).length + kai.texts(everyone).length === 2);
  const { room } = mara.warren;
  const { peer } = room;
  room.peer = (id) => {
    const known = peer.call(room, id);
    return id === kai.id && known?.profile
      ? { ...known, profile: { ...known.profile, ownEntries: undefined } }
      : known;
  };
  const [sent, answered] = [sentBy(mara), sentBy(jun)];
  await mara.warren.chat.sendText(everyone, "The second");
  const [message] = mara.messages(everyone).slice(-1);
  await world.until(() => statusOf(mara.messages(everyone)[1] ?? expect.fail()) === "received");
  const named = sent.flatMap(({ to, message }) =>
    message.type === "entries" ? [[to, message.author, message.key?.length]] : [],
  );
  expect(named).toHaveLength(2);
  expect(named).toContainEqual([jun.id, undefined, undefined]);
  expect(named).toContainEqual([kai.id, mara.id, 122]);
  const toMara = answered.filter(({ to }) => to === mara.id);
  expect(toMara.map(({ message }) => message)).toEqual([{ type: "check-message", id: message?.id }]);
});

it("brings who was away what the others wrote, also that of one who has left", async () => {
  const { world, mara, jun, kai } = await three();
  await mara.warren.chat.sendText(everyone, "All here?");
  await world.until(() => kai.texts(everyone).length === 1);
  await kai.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.sendText(everyone, "Kai is gone");
  await world.clock.advance(1_000);
  await jun.warren.chat.sendText(everyone, "Then we two");
  await world.clock.advance(1_000);
  await mara.warren.chat.sendText(everyone, "I leave as well");
  await world.until(() => jun.texts(everyone).length === 4);
  await mara.close();
  await world.clock.advance(5_000);

  await kai.reopen();
  await world.untilMet(kai, jun);
  await world.until(() => kai.texts(everyone).length === 4);
  const all = ["All here?", "Kai is gone", "Then we two", "I leave as well"];
  expect(kai.texts(everyone)).toEqual(all);
  expect(isSigned(kai)).toBe(true);
  expect(kai.warren.chat.store.getState().conversations[everyone]?.unread).toBe(4);

  await kai.reload();
  expect(kai.texts(everyone)).toEqual(all);
});

it("shows a text to everyone as received by each, and in the order it was sent", async () => {
  const { world, mara, jun, kai } = await three();
  for (let n = 0; n < 20; n++) await mara.warren.chat.sendText(everyone, `text ${n}`);
  const texts = Array.from({ length: 20 }, (_, n) => `text ${n}`);
  await world.until(() => mara.messages(everyone).every((message) => statusOf(message) === "received"));
  for (const person of [mara, jun, kai]) expect(person.texts(everyone)).toEqual(texts);
  expect(Object.keys(mara.messages(everyone)[0]?.deliveries ?? {}).sort()).toEqual([jun.id, kai.id].sort());
});

it("shows newcomers nothing that was written before", async () => {
  const { world, mara, jun } = await three();
  await mara.warren.chat.sendText(everyone, "Before");
  await world.until(() => jun.texts(everyone).length === 1);
  await world.clock.advance(10_000);
  const eve = await world.person("Eve");
  await eve.warren.room.join();
  await world.untilMet(eve, mara);
  await world.clock.advance(30_000);
  expect(eve.texts(everyone)).toEqual([]);
  await mara.warren.chat.sendText(everyone, "After");
  await world.until(() => eve.texts(everyone).length === 1);
  await world.clock.advance(30_000);
  expect(eve.texts(everyone)).toEqual(["After"]);
});

it("gives who comes back to somebody it has never met what it missed meanwhile", async () => {
  const { world, mara, jun, kai } = await three();
  const maraId = mara.id;
  await kai.close();
  await world.clock.advance(5_000);
  const lea = await world.person("Lea");
  await lea.warren.room.join();
  await world.untilMet(lea, mara);
  await world.clock.advance(5_000);
  await mara.warren.chat.sendText(everyone, "For all who belong here");
  await world.until(() => lea.texts(everyone).length === 1);
  await mara.close();
  await jun.close();
  await world.clock.advance(120_000);
  await kai.reopen();
  await world.untilMet(kai, lea);
  await world.until(() => kai.texts(everyone).length === 1);
  // The author is known by name although it is not here.
  expect(kai.warren.chat.store.getState().contacts[maraId]?.name).toBe("Mara");
});

it("exchanges texts with a client without a key as before, and passes its texts on to nobody", async () => {
  const world = new TestWorld({ roomLog: true });
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  const guest = await world.keylessPerson("Guest");
  await world.gather(mara, jun, guest);
  await mara.warren.chat.sendText(everyone, "Hello guest");
  await world.until(() => guest.texts(everyone).length === 1);
  await guest.warren.chat.sendText(everyone, "Hello Mara");
  await world.until(() => mara.texts(everyone).length === 2 && jun.texts(everyone).length === 2);
  await world.until(() =>
    [mara, guest].every((one) => one.messages(everyone).every((m) => statusOf(m) === "received")),
  );
  const signed = mara.messages(everyone).map((message) => message.type === "text" && message.entry);
  expect(signed).toEqual([1, undefined]);
  const doubts = mara.messages(everyone).map((message) => message.type === "text" && message.doubt);
  expect(doubts).toEqual([undefined, "unsigned"]);
  expect(jun.texts(everyone)).toEqual(["Hello guest", "Hello Mara"]);
});

it("neither shows nor passes on what a blocked author writes", async () => {
  const { world, mara, jun, kai } = await three();
  jun.warren.chat.block(mara.id);
  await world.clock.advance(3_000);
  await mara.warren.chat.sendText(everyone, "Can you see me?");
  await world.until(() => kai.texts(everyone).length === 1);
  await world.clock.advance(60_000);
  expect(jun.texts(everyone)).toEqual([]);
});

it("delivers what was written while a disk hangs once it works again, and says received only then", async () => {
  const { world, mara, jun, kai } = await three();
  kai.stall();
  await mara.warren.chat.sendText(everyone, "Stored?");
  await world.until(() => jun.texts(everyone).length === 1);
  await world.clock.advance(10_000);
  expect(mara.messages(everyone)[0]?.deliveries[kai.id]).toMatchObject({ error: { code: "send-timeout" } });
  kai.resume();
  await world.until(() => mara.messages(everyone).every((message) => statusOf(message) === "received"));
  expect(kai.texts(everyone)).toEqual(["Stored?"]);
});

describe("a newcomer who is shown the last 24 hours", () => {
  const shown = (person: TestPerson) =>
    person.warren.chat.updateRoom({ roomId: "burrow", password: null }, { showsNewcomers: true });
  async function comes(world: TestWorld, ...there: readonly TestPerson[]) {
    const eve = await world.person("Eve");
    await eve.warren.room.join();
    for (const person of there) await world.untilMet(eve, person);
    await world.clock.advance(30_000);
    return eve;
  }

  it("gets what was said within them, marked with who showed it, also of those who are gone", async () => {
    const { world, mara, jun, kai } = await three();
    const maraId = mara.id;
    await mara.warren.chat.sendText(everyone, "two days ago");
    await world.until(() => jun.texts(everyone).length === 1);
    for (const person of [mara, jun, kai]) await person.close();
    await world.clock.advance(25 * 60 * 60 * 1_000);
    for (const person of [mara, jun, kai]) await person.open();
    await world.gather(mara, jun, kai);
    for (const text of ["just now", "a mistake"]) await mara.warren.chat.sendText(everyone, text);
    await world.until(() => jun.texts(everyone).length === 3);
    const mistake = mara.messages(everyone).at(-1)?.key ?? expect.fail();
    await mara.warren.chat.deleteMessage(mistake);
    await world.until(() => jun.texts(everyone).at(-1) === "");
    await mara.close();
    await kai.close();
    await world.clock.advance(60_000);
    shown(jun);
    const eve = await comes(world, jun);
    expect(eve.messages(everyone)).toMatchObject([
      { data: "just now", client: maraId, earlierBy: jun.id, entry: 2 },
    ]);
    expect(eve.warren.chat.missing.getState()).toEqual({});
    await jun.warren.chat.sendText(everyone, "Welcome");
    await world.until(() => eve.texts(everyone).length === 2);
    expect(eve.messages(everyone)[1]?.earlierBy).toBeUndefined();
    await eve.reload();
    expect(eve.messages(everyone)[0]?.earlierBy).toBe(jun.id);
    // It is of the one who shows it alone.
    const kim = await world.person("Kim");
    await eve.warren.chat.updateRoom({ roomId: "burrow", password: null }, { showsNewcomers: false });
    await jun.close();
    await kim.warren.room.join();
    await world.untilMet(kim, eve);
    await world.clock.advance(30_000);
    expect(kim.texts(everyone)).toEqual([]);
  });

  it("gets it also from somebody who heard of them from another one before the two met", async () => {
    const { world, mara, jun } = await three();
    await mara.warren.chat.sendText(everyone, "by somebody here");
    await world.until(() => jun.texts(everyone).length === 1);
    shown(jun);
    await jun.close();
    await world.clock.advance(60_000);
    const eve = await comes(world, mara);
    expect(eve.texts(everyone)).toEqual([]);
    await eve.close();
    await jun.reopen();
    await world.untilMet(jun, mara);
    await world.clock.advance(60_000);
    await eve.reopen();
    await world.untilMet(eve, jun);
    await world.clock.advance(30_000);
    expect(eve.messages(everyone)).toMatchObject([{ data: "by somebody here", earlierBy: jun.id }]);
  });

  it("gets it at once, also of those who are here and show it to nobody", async () => {
    const { world, mara, jun, kai } = await three();
    await mara.warren.chat.sendText(everyone, "by somebody here");
    await world.until(() => jun.texts(everyone).length === 1);
    await world.clock.advance(60_000);
    shown(jun);
    const eve = await world.person("Eve");
    await eve.warren.room.join();
    for (const person of [mara, jun, kai]) await world.untilMet(eve, person);
    await world.clock.advance(1_000);
    expect(eve.messages(everyone)).toMatchObject([{ data: "by somebody here", earlierBy: jun.id }]);
  });

  it("takes nothing for earlier that somebody wrote later by a clock that is slow", async () => {
    const { world, mara, jun, kai } = await three();
    await mara.warren.chat.sendText(everyone, "before");
    await world.until(() => jun.texts(everyone).length === 1);
    await mara.close();
    await kai.close();
    await world.clock.advance(60_000);
    shown(jun);
    const eve = await comes(world, jun);
    const slow = new FakeClock(world.clock.now() - 60 * 60 * 1_000);
    const late = await world.person("Late", null, slow);
    await late.warren.room.join();
    for (const person of [eve, jun]) await world.untilMet(late, person);
    await eve.close();
    await late.warren.chat.sendText(everyone, "later");
    await world.until(() => jun.texts(everyone).length === 2);
    await late.close();
    await eve.reopen();
    await world.until(() => eve.texts(everyone).length === 2);
    const marks = eve
      .messages(everyone)
      .map((message) => [message.earlierBy, "data" in message && message.data]);
    expect(marks).toEqual(
      expect.arrayContaining([
        [jun.id, "before"],
        [undefined, "later"],
      ]),
    );
  });

  it("gets a hundred at most, and those who belong here nothing more by it", async () => {
    const { world, mara, jun } = await three();
    for (let n = 0; n < 120; n++) await mara.warren.chat.sendText(everyone, `text ${n}`);
    await world.until(() => jun.texts(everyone).length === 120);
    await world.clock.advance(60_000);
    const before = await comes(world, mara, jun);
    expect(before.texts(everyone)).toEqual([]);
    shown(mara);
    await before.reload();
    await world.clock.advance(30_000);
    expect(before.texts(everyone)).toEqual([]);
    const eve = await comes(world, mara, jun);
    expect(eve.texts(everyone)).toHaveLength(100);
    expect(eve.texts(everyone)[0]).toBe("text 20");
  });
});
