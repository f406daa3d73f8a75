import { WarrenError } from "@warren/protocol";
import { describe, expect, it, vi } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { digestOfBlob, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const missing = new WarrenError("app-code-missing");
const file = () => new File(["hello"], "a.txt", { lastModified: 1 });
const isLoaded = ({ warren }: TestPerson) => warren.chat.exchange.value !== null;

/** Two people who have just met: Mara's page has the code for files, Jun's has not. */
async function justMet() {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  await reopen(jun);
  await mara.warren.room.join();
  await jun.warren.room.join();
  await world.untilMet(mara, jun);
  return { world, mara, jun };
}

async function reopen(person: TestPerson): Promise<void> {
  await person.close();
  await person.open({ isIdle: false });
}

/** Holds the code for files back. */
function hold({ warren }: TestPerson): () => void {
  const { exchange } = warren.chat;
  const load = exchange.load.bind(exchange);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.spyOn(exchange, "load").mockImplementation(() => held.then(load));
  return release;
}

describe("the code for files", () => {
  it("is not loaded by meeting, texts, clipboard or a reconnection", async () => {
    const { world, mara, jun } = await justMet();
    await mara.warren.chat.sendText(jun.id, "one");
    await jun.warren.chat.sendText(mara.id, "two");
    await mara.warren.chat.sendClipboard(jun.id, "three");
    await world.until(() => jun.clipboard.length === 1 && mara.texts(jun.id).length === 2);
    await mara.reload();
    await world.untilMet(mara, jun);
    await world.clock.advance(60_000);
    expect(isLoaded(jun)).toBe(false);
  });

  it("is not loaded by a meeting with a client whose files have all ended", async () => {
    const { world, mara, jun } = await justMet();
    await mara.warren.chat.sendFile(jun.id, file());
    const [offer] = await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    await jun.warren.chat.declineFile(offer?.key ?? expect.fail());
    await settle();
    await reopen(jun);
    await jun.warren.room.join();
    await world.untilMet(mara, jun);
    await world.clock.advance(60_000);
    expect(isLoaded(jun)).toBe(false);
  });

  it("is not loaded to delete a message about a file that was declined, or its conversation", async () => {
    const { world, mara, jun } = await justMet();
    for (const name of ["a.txt", "b.txt"]) await mara.warren.chat.sendFile(jun.id, new File([name], name));
    const offers = await jun.untilMessages(mara.id, (messages) => messages.length === 2);
    for (const { key } of offers) await jun.warren.chat.declineFile(key);
    await settle();
    await reopen(jun);
    await world.clock.advance(1_000);
    await jun.warren.chat.remove(offers[0]?.key ?? expect.fail());
    expect(jun.messages(mara.id)).toHaveLength(1);
    await jun.warren.chat.deleteContact(mara.id);
    expect(jun.messages(mara.id)).toEqual([]);
    expect(isLoaded(jun)).toBe(false);
  });

  it("is loaded by an offer, which stays before the texts that follow it", async () => {
    const { world, mara, jun } = await justMet();
    const release = hold(jun);
    await mara.warren.chat.sendText(jun.id, "before");
    await mara.warren.chat.sendFile(jun.id, file());
    await mara.warren.chat.sendText(jun.id, "after");
    await world.until(() => jun.texts(mara.id).length === 1);
    await world.clock.advance(2_000);
    expect(jun.messages(mara.id)).toHaveLength(1);
    release();
    await world.until(() => jun.messages(mara.id).length === 3);
    expect(jun.messages(mara.id).map(({ type }) => type)).toEqual(["text", "file", "text"]);
  });

  it("leaves out what a client sent that was blocked while it was fetched", async () => {
    const { world, mara, jun } = await justMet();
    const release = hold(jun);
    await mara.warren.chat.sendFile(jun.id, file());
    await world.clock.advance(1_000);
    jun.warren.chat.block(mara.id);
    release();
    await world.clock.advance(1_000);
    expect(isLoaded(jun)).toBe(true);
    expect(jun.messages(mara.id)).toEqual([]);
  });

  it("holds up no text when it cannot be fetched; the offer arrives when it is sent again", async () => {
    const { world, mara, jun } = await justMet();
    const load = vi.spyOn(jun.warren.chat.exchange, "load").mockRejectedValue(missing);
    await mara.warren.chat.sendFile(jun.id, file());
    await mara.warren.chat.sendText(jun.id, "after");
    await world.until(() => jun.texts(mara.id).length === 1);
    expect(jun.messages(mara.id)).toHaveLength(1);
    const offer = () => mara.messages(jun.id)[0] ?? expect.fail();
    await world.until(() => offer().deliveries[jun.id]?.status === "error");
    expect(offer()).toMatchObject({
      deliveries: { [jun.id]: { error: { code: "send-timeout" } } },
      offers: { [jun.id]: { state: "offered" } },
    });
    load.mockRestore();
    mara.warren.chat.retry(offer().key);
    await world.until(() => jun.messages(mara.id).length === 2);
    expect(offer().deliveries[jun.id]).toEqual({ status: "received" });
  });

  it("is reported as missing to a person who needs it, and the same action works once it can be fetched", async () => {
    const { world, mara, jun } = await justMet();
    vi.spyOn(jun.warren.chat.exchange, "load").mockRejectedValueOnce(missing).mockRejectedValueOnce(missing);
    await expect(jun.warren.chat.sendFile(mara.id, file())).rejects.toEqual(missing);
    expect(jun.messages(mara.id)).toEqual([]);
    await jun.warren.chat.askShares(mara.id);
    expect(jun.warren.chat.listings.getState().get(mara.id)?.request).toEqual({
      status: "failed",
      error: missing.describe(),
    });
    await jun.warren.chat.sendFile(mara.id, file());
    await world.until(() => mara.messages(jun.id).length === 1);
    await jun.warren.chat.askShares(mara.id);
    await world.until(() => jun.warren.chat.listings.getState().get(mara.id)?.request.status === "answered");
  });

  it("is loaded by a channel that comes before it, which is closed and answered like any unexpected one", async () => {
    const { world, mara, jun } = await justMet();
    await mara.warren.chat.sendFile(jun.id, file());
    const [offer] = await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    if (offer?.type !== "file") throw new Error("nothing was offered");
    await jun.warren.chat.declineFile(offer.key);
    await settle();
    await reopen(jun);
    await jun.warren.room.join();
    await world.untilMet(mara, jun);
    expect(isLoaded(jun)).toBe(false);
    const send = vi.spyOn(jun.warren.room, "send");
    const channel = mara.warren.room.openTransferChannel(jun.id, `${offer.file.fid}-0`, { ordered: true });
    await world.until(() => channel.readyState === "closed");
    await world.until(() => send.mock.calls.length > 0);
    expect(send.mock.calls).toMatchObject([[mara.id, { type: "error", code: "transfer-declined" }]]);
  });

  it("is asked for by 64 channels at most, as peers open them without asking", async () => {
    const { world, mara, jun } = await justMet();
    hold(jun);
    for (let n = 0; n < 100; n++) {
      const channel = mara.warren.room.openTransferChannel(jun.id, `file-${n}-0`, { ordered: true });
      await world.until(() => channel.readyState === "closed");
    }
    expect(vi.mocked(jun.warren.chat.exchange.load)).toHaveBeenCalledTimes(64);
  });

  it("resumes a file of two reloaded pages as soon as they meet", async () => {
    const story = await FileStory.begin();
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    story.jun.files.lose();
    for (const person of [story.mara, story.jun]) await reopen(person);
    for (const person of [story.mara, story.jun]) await person.warren.room.join();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("is not started on a page that was closed while it was fetched", async () => {
    const { jun } = await justMet();
    const release = hold(jun);
    const { chat } = jun.warren;
    const loading = chat.exchange.load();
    await jun.close();
    release();
    await expect(loading).rejects.toEqual(new WarrenError("transferer-closed"));
    expect(chat.exchange.value).toBeNull();
  });
});
