import { type LogEntry, WarrenError } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import { newIdentity } from "../handshake/testing/handshake-fixtures.ts";
import { everyone, statusOf } from "../messages/message.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { type Entry, writeEntry } from "../room-log/entry.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { addressed } from "../testing/addressed.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

async function three() {
  const world = new TestWorld();
  const [mara, jun, kai] = [await world.person("Mara"), await world.person("Jun"), await world.person("Kai")];
  await world.gather(mara, jun, kai);
  return { world, mara, jun, kai };
}

const isSigned = (person: TestPerson) =>
  person.messages(everyone).every((message) => message.type === "text" && message.entry !== undefined);

const deliveryOf = (person: TestPerson, to: TestPerson) => person.messages(everyone)[0]?.deliveries[to.id];

describe("a text to everyone", () => {
  it("goes to nobody, and says so, if the room is left while it is signed", async () => {
    const { world, mara, jun, kai } = await three();
    await kai.goTo("attic");
    const sending = mara.warren.chat.sendText(everyone, "For the burrow");
    const outcome = sending.catch((thrown: unknown) => thrown);
    await mara.goTo("attic");
    expect(await outcome).toMatchObject({ code: "no-session" });
    await world.untilMet(mara, kai);
    await world.clock.advance(10_000);
    for (const person of [mara, jun, kai]) expect(person.texts(everyone)).toEqual([]);
  });

  it("is sent, shown and received while the disks of some are full, and is theirs once they are not", async () => {
    const { world, mara, jun, kai } = await three();
    for (const person of [mara, jun]) person.setDiskFull(true);
    await mara.warren.chat.sendText(everyone, "My disk is full");
    await kai.warren.chat.sendText(everyone, "Mine is not");
    await world.until(() => [mara, jun, kai].every((person) => person.texts(everyone).length === 2));
    await world.clock.advance(6_000);
    expect(deliveryOf(mara, kai)).toEqual({ status: "received" });
    expect(deliveryOf(mara, jun)).toMatchObject({ error: { code: "send-timeout" } });
    for (const person of [mara, jun]) person.setDiskFull(false);
    await world.until(() => deliveryOf(mara, jun)?.status === "received");
    await jun.reload();
    expect([...jun.texts(everyone)].sort()).toEqual(["Mine is not", "My disk is full"]);
  });

  it("is refused where nothing more can wait for a full disk, and the next one follows the last that was sent", async () => {
    const { world, mara, jun } = await three();
    mara.setDiskFull(true);
    for (let n = 0; n < 1_000; n++)
      mara.warren.chat.remember({ clientId: jun.id, name: `Jun ${n}`, proven: true, isNearby: false });
    for (let n = 0; n < 600; n++) await mara.warren.chat.sendText(everyone, "text").catch(() => {});
    await expect(mara.warren.chat.sendText(everyone, "too many")).rejects.toBeInstanceOf(WarrenError);
    const sent = mara.texts(everyone).length;
    mara.setDiskFull(false);
    await world.clock.advance(10_000);
    await mara.warren.chat.sendText(everyone, "fits again");
    await world.until(() => jun.texts(everyone).includes("fits again"));
    const last = jun.messages(everyone).at(-1);
    expect(last?.type === "text" && last.entry).toBe(sent + 1);
  });

  it("does not keep a page from closing while its disk hangs", async () => {
    const { world, mara, jun } = await three();
    jun.stall();
    await mara.warren.chat.sendText(everyone, "Stored?");
    await world.clock.advance(2_000);
    let isClosed = false;
    void jun.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(true);
  });

  it("goes as before while the log cannot be read, and by the log once it can", async () => {
    const world = new TestWorld();
    const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
    const letRead = jun.holdLogs();
    await world.gather(mara, jun);
    await jun.warren.chat.sendText(everyone, "I cannot sign");
    await mara.warren.chat.sendText(everyone, "I can");
    await world.until(() => mara.texts(everyone).length === 2);
    letRead();
    await world.until(() => jun.texts(everyone).length === 2);
    await jun.warren.chat.sendText(everyone, "Now I can");
    await world.until(() => mara.texts(everyone).length === 3);
    const entries = (person: TestPerson) =>
      person.messages(everyone).map((message) => message.type === "text" && message.entry);
    for (const person of [mara, jun]) expect(entries(person).sort()).toEqual([1, 1, undefined]);
    await world.until(() => mara.messages(everyone).every((message) => statusOf(message) === "received"));
  });

  it("waits for storage that leaves a read of the log out no longer than half a minute", async () => {
    const world = new TestWorld();
    const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
    const answerAgain = jun.leaveLogsUnanswered();
    await world.gather(mara, jun);
    answerAgain();
    const sending = jun.warren.chat.sendText(everyone, "Late");
    await world.clock.advance(40_000);
    await sending;
    await mara.warren.chat.sendText(everyone, "I see it");
    await world.until(() => jun.texts(everyone).length === 2 && mara.texts(everyone).length === 2);
    expect(isSigned(mara)).toBe(false);
    await jun.warren.chat.sendText(everyone, "By the log");
    await world.until(() => mara.texts(everyone).length === 3);
    expect(mara.messages(everyone).at(-1)).toMatchObject({ data: "By the log", entry: expect.any(Number) });
  });

  it("arrives with what is not well formed in it replaced, and so do those after it", async () => {
    const { world, mara, jun, kai } = await three();
    for (const text of ["half a \ud83d", "whole"]) await mara.warren.chat.sendText(everyone, text);
    await world.until(() => [jun, kai].every((person) => person.texts(everyone).length === 2));
    expect(jun.texts(everyone)).toEqual(["half a \ufffd", "whole"]);
    expect(isSigned(kai)).toBe(true);
  });

  it("is shown before the history has been read, and sent", async () => {
    const { world, mara, jun, kai } = await three();
    await mara.warren.chat.sendText(everyone, "Earlier");
    await world.until(() => jun.texts(everyone).length === 1);
    await jun.close();
    const release = jun.holdHistory();
    const opening = jun.open({ isIdle: false });
    await jun.warren.room.join();
    await world.untilMet(mara, jun);
    await jun.warren.chat.sendText(everyone, "At once");
    expect(jun.texts(everyone)).toEqual(["At once"]);
    await world.until(() => kai.texts(everyone).includes("At once"));
    release();
    await opening;
    await world.until(() => jun.messages(everyone).every((message) => statusOf(message) === "received"));
    expect(jun.texts(everyone)).toEqual(["Earlier", "At once"]);
  });

  it("shows in time that one has not received it, and once that one has", async () => {
    const { world, mara, jun, kai } = await three();
    kai.stall();
    await mara.warren.chat.sendText(everyone, "Anybody?");
    await world.clock.advance(4_500);
    expect(deliveryOf(mara, kai)).toEqual({ status: "sending" });
    await world.clock.advance(1_000);
    expect(deliveryOf(mara, kai)).toMatchObject({ error: { code: "send-timeout" } });
    expect(deliveryOf(mara, jun)).toEqual({ status: "received" });
    kai.resume();
    await world.until(() => deliveryOf(mara, kai)?.status === "received");
  });

  it("counts as received in each part that is there without a gap", async () => {
    const { world, mara, jun, kai } = await three();
    kai.stall();
    for (const text of ["one", "two", "three"]) await mara.warren.chat.sendText(everyone, text);
    await world.until(() => jun.texts(everyone).length === 3);
    const hash = encodeBase64url(new Uint8Array(32));
    const head = { author: mara.id, from: 1, whole: 3, n: 3, count: 2, hash };
    const heads: OutgoingMessage = { type: "heads", heads: [head], members: [] };
    await mara.warren.chat.receive(kai.id, addressed(heads, kai.id, mara.id, world.clock.now()));
    expect(
      mara.messages(everyone).map(({ deliveries }) => deliveries[kai.id]?.status === "received"),
    ).toEqual([false, false, true]);
    kai.resume();
  });
});

describe("a text that was removed", () => {
  it("by its author is given to nobody any more, also after a reload, and the log goes on", async () => {
    const { world, mara, jun, kai } = await three();
    await kai.close();
    await jun.close();
    await world.clock.advance(5_000);
    const lea = await world.person("Lea");
    await world.gather(lea);
    await world.untilMet(lea, mara);
    for (const text of ["secret", "harmless"]) await mara.warren.chat.sendText(everyone, text);
    await world.until(() => lea.texts(everyone).length === 2);
    await lea.close();
    const [secret] = mara.messages(everyone);
    await mara.warren.chat.remove(secret?.key ?? expect.fail());
    await kai.reopen();
    await world.until(() => kai.texts(everyone).length > 0);
    await world.clock.advance(20_000);
    expect(kai.texts(everyone)).toEqual(["harmless"]);
    await mara.reload();
    await jun.reopen();
    await mara.warren.chat.sendText(everyone, "Back").catch(() => {});
    await world.until(() => jun.texts(everyone).includes("Back") || mara.texts(everyone).includes("Back"));
    await world.clock.advance(20_000);
    expect(jun.texts(everyone)).not.toContain("secret");
    expect(mara.texts(everyone)).toEqual(["harmless", "Back"]);
  });

  it("by its author for everybody is given to nobody who returns, by whoever had it", async () => {
    const { world, mara, jun, kai } = await three();
    await kai.close();
    await world.clock.advance(5_000);
    for (const text of ["secret", "harmless"]) await mara.warren.chat.sendText(everyone, text);
    await world.until(() => jun.texts(everyone).length === 2);
    await mara.warren.chat.deleteMessage(mara.messages(everyone)[0]?.key ?? expect.fail());
    await world.until(() => jun.texts(everyone)[0] === "");
    await mara.close();
    await jun.reload();
    await kai.reopen();
    await world.until(() => kai.texts(everyone).includes("harmless"));
    await world.clock.advance(20_000);
    expect(kai.texts(everyone)).toEqual(["harmless"]);
  });

  it("by its author is deleted at those too who got it later, by whoever", async () => {
    const { world, mara, jun, kai } = await three();
    await kai.close();
    await world.clock.advance(5_000);
    await mara.warren.chat.sendText(everyone, "to be deleted");
    await kai.reopen();
    await world.until(() => kai.texts(everyone).length === 1);
    await world.until(() => deliveryOf(mara, kai)?.status === "received");
    await mara.warren.chat.deleteMessage(mara.messages(everyone)[0]?.key ?? expect.fail());
    await world.until(() => [jun, kai].every((person) => person.texts(everyone)[0] === ""));
  });

  it("by a reader does not come back to it, and the reader does not pass it on", async () => {
    const { world, mara, jun, kai } = await three();
    await kai.close();
    await world.clock.advance(5_000);
    await mara.warren.chat.sendText(everyone, "not for me");
    await jun.untilMessages(everyone, (messages) => messages.length === 1);
    const [message] = jun.messages(everyone);
    await jun.warren.chat.remove(message?.key ?? expect.fail());
    await world.clock.advance(20_000);
    expect(jun.texts(everyone)).toEqual([]);
    await mara.close();
    await jun.reload();
    await kai.reopen();
    await world.untilMet(jun, kai);
    await world.clock.advance(20_000);
    for (const person of [jun, kai]) expect(person.texts(everyone)).toEqual([]);
  });
});

describe("what a peer brings of authors we have never met", () => {
  it("uses up the space of who brought it, who learns when that is full", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await world.clock.advance(3_000);
    const usage = (client: string) => mara.warren.chat.store.getState().storageUsage[client]?.bytes ?? 0;
    const errors: string[] = [];
    jun.warren.room.on("message", (_from, message) => {
      if (message.type === "error" && message.code !== undefined) errors.push(message.code);
    });
    const body = "x".repeat(199 * 1_024);
    // More than 32 MiB; an author has 8 MiB in the log.
    for (let author = 0; author < 6; author++) {
      const lea = await newIdentity();
      let before: Entry | null = null;
      const entries: LogEntry[] = [];
      for (let n = 1; n <= 30; n++) {
        const content = { time: n, name: "Lea", kind: "text", body };
        before = await writeEntry(lea, roomTagOf("burrow"), before, content);
        const { tag: _tag, author: _author, hash: _hash, ...wire } = before;
        entries.push(wire);
      }
      const key = encodeBase64url(lea.publicKey);
      const page: OutgoingMessage = { type: "entries", author: lea.clientId, key, entries };
      const message = addressed(page, jun.id, mara.id, world.clock.now());
      await mara.warren.chat.receive(jun.id, message);
      expect(usage(lea.clientId)).toBe(0);
    }
    expect(usage(jun.id)).toBeGreaterThan(30 * 1_024 ** 2);
    expect(usage(jun.id)).toBeLessThan(33 * 1_024 ** 2);
    await world.clock.advance(1_000);
    expect(errors).toContain("history-full");
  });
});
