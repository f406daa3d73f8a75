import { expect, it } from "vitest";
import { everyone, type FileMessage } from "../messages/message.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const poster = new File([new Uint8Array(700_000).map((_, at) => at % 251)], "poster.psd", {
  lastModified: 1_600_000_000_000,
});

/** Mara and Jun in a room that Kai belongs to, who is away. */
async function whileOneIsAway() {
  const world = new TestWorld();
  const [mara, jun, kai] = [await world.person("Mara"), await world.person("Jun"), await world.person("Kai")];
  for (const person of [mara, jun, kai]) await person.warren.room.join();
  for (const [one, other] of [
    [mara, jun],
    [mara, kai],
    [jun, kai],
  ] as const)
    await world.untilMet(one, other);
  await world.clock.advance(3_000);
  await kai.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.sendFile(everyone, poster);
  await world.until(() => fileAt(jun) !== undefined);
  const returns = async (to: TestPerson) => {
    await kai.open();
    await kai.warren.room.join();
    await world.untilMet(kai, to);
    await world.until(() => fileAt(kai) !== undefined);
  };
  return { world, mara, jun, kai, returns };
}

const fileAt = (person: TestPerson): FileMessage | undefined =>
  person.messages(everyone).find((message) => message.type === "file");

const accept = (person: TestPerson) => person.warren.chat.acceptFile(fileAt(person)?.key ?? expect.fail());

async function bytesAt(person: TestPerson): Promise<ArrayBuffer | undefined> {
  const file = await person.warren.files.open(fileAt(person)?.file.fid ?? "");
  return file?.arrayBuffer();
}

it("shows a file for everyone to who was away, who gets it from its author", async () => {
  const { world, mara, kai, returns } = await whileOneIsAway();
  await returns(mara);
  expect(fileAt(kai)).toMatchObject({
    client: mara.id,
    entry: 1,
    file: { fileName: "poster.psd", fileSize: 700_000 },
    offers: { [mara.id]: { state: "offered" } },
  });
  expect(kai.warren.chat.store.getState().conversations[everyone]?.unread).toBe(1);
  await accept(kai);
  await world.until(() => fileAt(kai)?.offers[mara.id]?.state === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
  await world.until(() => fileAt(mara)?.offers[kai.id]?.state === "complete");
  expect(fileAt(mara)?.deliveries[kai.id]).toEqual({ status: "received" });
});

it("keeps what was decided about a file until its author is there, over reloads", async () => {
  const { world, mara, jun, kai, returns } = await whileOneIsAway();
  await mara.close();
  await world.clock.advance(5_000);
  await returns(jun);
  await accept(kai);
  await kai.reload();
  await mara.open();
  await mara.warren.room.join();
  await world.untilMet(mara, kai);
  await mara.warren.chat.chooseFile(fileAt(mara)?.key ?? expect.fail(), poster).catch(() => {});
  await world.until(() => fileAt(kai)?.offers[mara.id]?.state === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("gives nobody a file that its author has withdrawn", async () => {
  const { world, mara, kai, returns } = await whileOneIsAway();
  await mara.warren.chat.cancelFile(fileAt(mara)?.key ?? expect.fail());
  await returns(mara);
  await accept(kai);
  await world.until(() => fileAt(kai)?.offers[mara.id]?.state === "withdrawn");
  expect(await bytesAt(kai)).toBeUndefined();
});

it("shows a file that its author has removed to nobody who comes back", async () => {
  const { world, mara, jun, kai } = await whileOneIsAway();
  await mara.warren.chat.remove(fileAt(mara)?.key ?? expect.fail());
  await jun.close();
  await kai.open();
  await kai.warren.room.join();
  await world.untilMet(kai, mara);
  await world.clock.advance(20_000);
  expect(fileAt(kai)).toBeUndefined();
  expect(kai.warren.chat.missing.getState()).toEqual({});
});

it("offers a file to those without a log as before, and to newcomers not at all", async () => {
  const { world, mara, jun } = await whileOneIsAway();
  const noor = await world.keylessPerson("Noor");
  await noor.warren.room.join();
  await world.untilMet(noor, mara);
  await world.clock.advance(10_000);
  expect(fileAt(noor)).toBeUndefined();
  await jun.warren.chat.sendFile(everyone, poster);
  await world.until(() => fileAt(noor) !== undefined);
  await accept(noor);
  await world.until(() => {
    const offered = jun.messages(everyone).findLast((message) => message.type === "file");
    return offered?.type === "file" && offered.offers[noor.id]?.state === "complete";
  });
  expect(await bytesAt(noor)).toEqual(await poster.arrayBuffer());
});
