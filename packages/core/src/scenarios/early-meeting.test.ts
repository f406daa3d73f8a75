import type { FileId } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const hasHistory = ({ warren }: TestPerson) => warren.chat.store.getState().loaded;

const stateAt = (person: TestPerson, other: TestPerson) => {
  const [message] = person.messages(other.id);
  return message?.type === "file" ? person.offerOf(message, other.id)?.state : undefined;
};

/** Jun's page is opened again, and meets Mara while it reads its history. */
async function metWhileReading(beforehand: (mara: TestPerson, jun: TestPerson) => Promise<void>) {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  await beforehand(mara, jun);
  await jun.close();
  const release = jun.holdHistory();
  const opening = jun.open({ isIdle: false });
  await jun.warren.room.join();
  await world.untilMet(mara, jun);
  expect(hasHistory(jun)).toBe(false);
  const read = async () => {
    release();
    await opening;
  };
  return { world, mara, jun, read };
}

describe("people who meet before the history is read", () => {
  it("see each other at once; messages wait for the history, in order", async () => {
    const { world, mara, jun, read } = await metWhileReading(async (mara, jun) => {
      await mara.warren.chat.sendText(jun.id, "one");
      await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    });
    for (const text of ["two", "three"]) await mara.warren.chat.sendText(jun.id, text);
    await world.clock.advance(1_000);
    expect(jun.texts(mara.id)).toEqual([]);
    expect(mara.messages(jun.id).at(-1)?.deliveries[jun.id]?.status).toBe("sending");
    await read();
    await world.until(() => jun.texts(mara.id).length === 3);
    expect(jun.texts(mara.id)).toEqual(["one", "two", "three"]);
    await world.until(() => mara.messages(jun.id).at(-1)?.deliveries[jun.id]?.status === "received");
  });

  it("get what is pending for them once it is read, in the order it was written", async () => {
    const { world, mara, jun, read } = await metWhileReading(async (mara, jun) => {
      const { id } = mara;
      await mara.close();
      await jun.warren.chat.sendText(id, "for later");
      await mara.open();
      jun.vanish();
      await mara.warren.room.join();
    });
    await jun.warren.chat.sendText(mara.id, "now");
    await world.clock.advance(1_000);
    expect(mara.texts(jun.id)).toEqual([]);
    await read();
    await world.until(() => mara.texts(jun.id).length === 2);
    await settle();
    expect(mara.texts(jun.id)).toEqual(["for later", "now"]);
  });

  it("resume a file that was accepted before the page closed", async () => {
    const bytes = "bytes".repeat(1_000);
    const { world, mara, jun, read } = await metWhileReading(async (mara, jun) => {
      jun.files.holdAt = 0;
      await mara.warren.chat.sendFile(jun.id, new File([bytes], "a.txt"));
      const [offer] = await jun.untilMessages(mara.id, (messages) => messages.length === 1);
      await jun.warren.chat.acceptFile(offer?.key ?? expect.fail());
      await mara.untilMessages(jun.id, () => stateAt(mara, jun) === "opening");
      jun.files.lose();
    });
    await world.clock.advance(1_000);
    await read();
    await world.until(() => stateAt(jun, mara) === "complete");
  });

  it("are told that an offer is withdrawn if its conversation is deleted meanwhile", async () => {
    const { world, mara, jun, read } = await metWhileReading(async (mara, jun) => {
      await jun.warren.chat.sendFile(mara.id, new File(["bytes"], "a.txt"));
      await mara.untilMessages(jun.id, (messages) => messages.length === 1);
    });
    const deleting = jun.warren.chat.deleteContact(mara.id);
    await world.clock.advance(1_000);
    await read();
    await deleting;
    await world.until(() => stateAt(mara, jun) === "withdrawn");
    expect(jun.messages(mara.id)).toEqual([]);
  });

  it("are told that a file is withdrawn if it is deleted meanwhile", async () => {
    let fid: FileId | null = null;
    const { world, mara, jun, read } = await metWhileReading(async (mara, jun) => {
      await jun.warren.chat.sendFile(mara.id, new File(["bytes"], "a.txt"));
      const [offer] = await mara.untilMessages(jun.id, (messages) => messages.length === 1);
      fid = offer?.type === "file" ? offer.file.fid : null;
    });
    const deleting = jun.warren.chat.deleteFiles([fid ?? expect.fail()]);
    await world.clock.advance(1_000);
    await read();
    await deleting;
    await world.until(() => stateAt(mara, jun) === "withdrawn");
  });
});
