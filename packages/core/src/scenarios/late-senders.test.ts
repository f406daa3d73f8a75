import { describe, expect, it } from "vitest";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";
import type { TransferState } from "../transfer/offer-state.ts";

/** The number of small files transferred from one client at once. */
const atOnce = 8;
/** Longer than an accepted file waits for its first channel. */
const beyondOpenLimitMs = 70_000;

function statesAt(person: TestPerson, otherId: string): (TransferState | undefined)[] {
  return person
    .messages(otherId)
    .map((message) => (message.type === "file" ? person.offerOf(message, otherId) : undefined));
}

/** A person's page sleeps: incoming messages are queued until it wakes. */
function fallAsleep({ warren: { chat } }: TestPerson): () => Promise<void> {
  const receive = chat.receive.bind(chat);
  const waiting: Parameters<typeof receive>[] = [];
  chat.receive = async (...args) => {
    waiting.push(args);
  };
  return async () => {
    chat.receive = receive;
    for (const args of waiting) await receive(...args);
  };
}

/** Mara offers Jun a file. */
async function offered() {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  const ids = { mara: mara.id, jun: jun.id };
  await mara.warren.chat.sendFile(ids.jun, new File(["hello"], "a.txt", { lastModified: 1 }));
  const [message] = await jun.untilMessages(ids.mara, (messages) => messages.length === 1);
  if (!message) throw new Error("nothing was offered");
  return { world, mara, jun, ids, key: message.key };
}

const declined = { state: "declined" };

describe("a file whose sender starts late", () => {
  it("arrives automatically once its sender's page is awake", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.warren.settings.set("automaticDownload", true);
    const wake = fallAsleep(mara);
    for (let n = 0; n < 4; n++)
      await mara.warren.chat.sendFile(jun.id, new File([`file ${n}`], `${n}.txt`, { lastModified: n }));
    await world.clock.advance(beyondOpenLimitMs);
    expect(statesAt(jun, mara.id)).toEqual(Array(4).fill({ state: "accepted" }));
    await wake();
    await world.until(() => {
      const states = [...statesAt(jun, mara.id), ...statesAt(mara, jun.id)];
      return states.length === 8 && states.every((state) => state?.state === "complete");
    });
  });

  it("remains declined if it was declined after being accepted", async () => {
    const { world, mara, jun, ids, key } = await offered();
    const wake = fallAsleep(mara);
    await jun.warren.chat.acceptFile(key);
    await jun.warren.chat.declineFile(key);
    await world.clock.advance(beyondOpenLimitMs);
    expect(statesAt(jun, ids.mara)).toMatchObject([declined]);
    await wake();
    await mara.reload();
    await world.untilMet(mara, jun);
    await world.clock.advance(beyondOpenLimitMs);
    expect(statesAt(jun, ids.mara)).toMatchObject([declined]);
  });

  it("remains declined if it was declined while being accepted", async () => {
    const { world, mara, jun, ids, key } = await offered();
    const accepting = jun.warren.chat.acceptFile(key);
    await jun.warren.chat.declineFile(key);
    await accepting;
    await world.until(() => statesAt(mara, ids.jun)[0]?.state === "declined");
    await world.clock.advance(beyondOpenLimitMs);
    expect(statesAt(jun, ids.mara)).toMatchObject([declined]);
    expect(statesAt(mara, ids.jun)).toMatchObject([declined]);
  });
});

describe("files of an accepted sender that never starts", () => {
  it("do not block those of another sender", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const ivo = await world.person("Ivo");
    await ivo.warren.room.join();
    await world.untilMet(ivo, jun);
    jun.warren.settings.set("automaticDownload", true);
    fallAsleep(ivo);
    const send = async (from: TestPerson, count: number) => {
      for (let n = 0; n < count; n++)
        await from.warren.chat.sendFile(jun.id, new File([`file ${n}`], `${n}.txt`, { lastModified: n }));
    };
    const expectedFrom = (id: string) =>
      [...jun.warren.transfers.store.getState().values()].filter(
        ({ peerId, now }) => peerId === id && (now.state === "opening" || now.state === "running"),
      ).length;
    await send(ivo, atOnce);
    await world.until(() => expectedFrom(ivo.id) === atOnce);
    jun.files.holdAt = 0;
    await send(mara, atOnce + 1);
    await world.until(() => expectedFrom(mara.id) === atOnce);
    expect(expectedFrom(ivo.id)).toBe(atOnce);
    jun.files.release();
    await world.until(() => statesAt(jun, mara.id).every((state) => state?.state === "complete"));
  });
});
