import { expect, it, vi } from "vitest";
import { everyone, type FileMessage } from "../messages/message.ts";
import { localTagOf } from "../room/room-tag.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { addressed } from "../testing/addressed.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const poster = new File([new Uint8Array(700_000).map((_, at) => at % 251)], "poster.psd", {
  lastModified: 1_600_000_000_000,
});

/** Mara and Jun in a room that Kai belongs to, who is away. */
async function whileOneIsAway() {
  const world = new TestWorld();
  const [mara, jun, kai] = [await world.person("Mara"), await world.person("Jun"), await world.person("Kai")];
  await world.gather(mara, jun, kai);
  await kai.close();
  await world.clock.advance(5_000);
  await mara.warren.chat.sendFile(everyone, poster);
  await world.until(() => fileAt(jun) !== undefined);
  const returns = async (to: TestPerson) => {
    await kai.reopen();
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
  await mara.reopen();
  await world.untilMet(mara, kai);
  await mara.warren.chat.chooseFile(fileAt(mara)?.key ?? expect.fail(), poster).catch(() => {});
  await world.until(() => fileAt(kai)?.offers[mara.id]?.state === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("gives nobody a file that its author has withdrawn", async () => {
  const { world, mara, kai, returns } = await whileOneIsAway();
  await mara.warren.chat.cancelFile(fileAt(mara)?.key ?? expect.fail());
  await world.clock.advance(1_000);
  await mara.reload();
  await returns(mara);
  await accept(kai);
  await world.until(() => fileAt(kai)?.offers[mara.id]?.state === "withdrawn");
  expect(await bytesAt(kai)).toBeUndefined();
});

it("shows a file that its author has removed to nobody who comes back", async () => {
  const { world, mara, jun, kai } = await whileOneIsAway();
  await mara.warren.chat.remove(fileAt(mara)?.key ?? expect.fail());
  await jun.close();
  await kai.reopen();
  await world.untilMet(kai, mara);
  await world.clock.advance(20_000);
  expect(fileAt(kai)).toBeUndefined();
  expect(kai.warren.chat.missing.getState()).toEqual({});
});

/** Eve, who came after Mara had said something and offered the file, and what Mara's page then sends her in answer to messages. */
async function withNewcomer() {
  const story = await whileOneIsAway();
  const { world, mara } = story;
  await mara.warren.chat.sendText(everyone, "Before Eve came");
  await world.clock.advance(1_000);
  const eve = await world.person("Eve");
  await eve.warren.room.join();
  await world.untilMet(eve, mara);
  await world.clock.advance(3_000);
  const { file, id } = fileAt(mara) ?? expect.fail();
  const send = vi.spyOn(mara.warren.room, "send");
  const says = async (...messages: readonly OutgoingMessage[]) => {
    send.mockClear();
    for (const message of messages)
      await mara.warren.chat.receive(eve.id, addressed(message, eve.id, mara.id, 0));
    await world.clock.advance(3_000);
    return send.mock.calls.flatMap(([to, message]) => (to === eve.id ? [message] : []));
  };
  return { ...story, eve, file, id, says };
}

it("tells a newcomer nothing of what was said before it came, whatever it says of having it", async () => {
  const { mara, eve, file, says } = await withNewcomer();
  const head = { author: mara.id, from: 1, whole: 1, n: 2, count: 2, hash: "A".repeat(43) };
  const told = await says({ type: "heads", heads: [head], members: [] });
  expect(JSON.stringify(told)).not.toContain(file.fid);
  expect(fileAt(mara)?.offers).not.toHaveProperty(eve.id);
  expect(mara.messages(everyone)).toHaveLength(2);
  for (const { deliveries } of mara.messages(everyone)) expect(deliveries).not.toHaveProperty(eve.id);
});

it("gives a newcomer no earlier file for the id of its entry, which a reply names, but for that of the file", async () => {
  const { world, mara, eve, file, id, says } = await withNewcomer();
  const original = { client: mara.id, id };
  const accepted = { type: "check-message", id } as const;
  const told = await says(
    accepted,
    { ...accepted, pending: true },
    { ...accepted, pending: true, accepted: true },
    { ...accepted, fid: "another-file" },
    { type: "error", id, error: "refused", code: "transfer-declined" },
    { type: "same-file", id, root: "0".repeat(64) },
    { type: "find-file", original, proof: "A".repeat(43) },
    { type: "request-file", fid: "another-file", original },
    { type: "react", message: original, emoji: ["👍"] },
  );
  expect(JSON.stringify(told)).not.toContain(file.fid);
  expect(told).not.toContainEqual(expect.objectContaining({ type: "same-file" }));
  expect(fileAt(mara)?.offers).not.toHaveProperty(eve.id);
  // One of the members may have shown it.
  await says({ ...accepted, fid: file.fid });
  await world.until(() => mara.warren.transfers.store.getState().size > 0);
  expect(fileAt(mara)?.offers).toHaveProperty(eve.id);
});

it("gives a file for everyone to who comes back, also where it was sent to one alone and taken back there", async () => {
  const { world, mara, jun, kai, eve, file, returns } = await withNewcomer();
  for (const { id } of [eve, jun]) {
    await mara.warren.chat.forwardFile(id, file.fid);
    await world.clock.advance(2_000);
    const [forwarded = expect.fail()] = mara.messages(id);
    await mara.warren.chat.cancelFile(forwarded.key);
    await world.clock.advance(2_000);
  }
  expect(fileAt(mara)?.offers).not.toHaveProperty(eve.id);
  await returns(mara);
  await accept(kai);
  await world.until(() => fileAt(kai)?.offers[mara.id]?.state === "complete");
  expect(await bytesAt(kai)).toEqual(await poster.arrayBuffer());
});

it("gives a newcomer no earlier file that it can name by an offer to it alone which was taken back", async () => {
  const { world, mara, eve, file, id, says } = await withNewcomer();
  await mara.warren.chat.forwardFile(eve.id, file.fid);
  await world.clock.advance(2_000);
  await mara.warren.chat.cancelFile(mara.messages(eve.id)[0]?.key ?? expect.fail());
  await world.clock.advance(2_000);
  await says({ type: "check-message", id, fid: file.fid }, { type: "resume-file", fid: file.fid });
  expect(fileAt(mara)?.offers).not.toHaveProperty(eve.id);
  expect(mara.warren.transfers.store.getState().size).toBe(0);
});

it("gives the people of one room no file that was offered in another, also if they can name it", async () => {
  const { world, mara, eve, file, id, says } = await withNewcomer();
  await mara.goTo("attic");
  await eve.goTo("attic");
  await world.untilMet(mara, eve);
  await says({ type: "check-message", id, fid: file.fid });
  await mara.goTo("burrow");
  await world.until(() => fileAt(mara) !== undefined);
  expect(fileAt(mara)?.offers).not.toHaveProperty(eve.id);
});

it("gives a removed member no file that others tell it of", async () => {
  const { mara, eve, file, id, says } = await withNewcomer();
  mara.warren.chat.removeMember(localTagOf({ roomId: "burrow", password: null }), eve.id);
  await says({ type: "check-message", id, fid: file.fid }, { type: "resume-file", fid: file.fid });
  expect(fileAt(mara)?.offers).not.toHaveProperty(eve.id);
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
