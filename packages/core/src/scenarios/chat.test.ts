import { describe, expect, it } from "vitest";
import { everyone, statusOf } from "../messages/message.ts";
import { settle } from "../testing/fake-clock.ts";
import { TestWorld } from "../testing/test-world.ts";

const received = (messages: Parameters<typeof statusOf>[0][]) => messages.map(statusOf);

describe("chat between two", () => {
  it("delivers texts both ways and shows each as received", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await mara.warren.chat.sendText(jun.id, "Morning");
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    await jun.warren.chat.sendText(mara.id, "Morning, Mara");
    const atMara = await mara.untilMessages(
      jun.id,
      (messages) => messages.length === 2 && messages.every((message) => statusOf(message) === "received"),
    );
    expect(mara.texts(jun.id)).toEqual(["Morning", "Morning, Mara"]);
    expect(jun.texts(mara.id)).toEqual(["Morning", "Morning, Mara"]);
    expect(received([...atMara])).toEqual(["received", "received"]);
  });

  it("shows the other's name from the start, and again when it changes", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    expect(mara.warren.chat.store.getState().contacts[jun.id]?.name).toBe("Jun");
    await world.clock.advance(1_000);
    jun.warren.profile.update({ name: "Jun Tanaka" });
    await settle();
    expect(mara.warren.chat.store.getState().contacts[jun.id]?.name).toBe("Jun Tanaka");
  });

  it("counts unread messages until the conversation is open", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await mara.warren.chat.sendText(jun.id, "one");
    await mara.warren.chat.sendText(jun.id, "two");
    await jun.untilMessages(mara.id, (messages) => messages.length === 2);
    const unread = () => jun.warren.chat.store.getState().conversations[mara.id]?.unread;
    expect(unread()).toBe(2);
    await jun.reload();
    expect(unread()).toBe(2);
    jun.warren.chat.open(mara.id);
    expect(unread()).toBe(0);
    await jun.reload();
    expect(unread()).toBe(0);
  });

  it("delivers clipboard text, which only the recipient keeps", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await mara.warren.chat.sendClipboard(jun.id, "copied");
    await settle();
    expect(jun.clipboard).toEqual(["copied"]);
    expect(jun.messages(mara.id)).toMatchObject([{ type: "text", data: "copied", clipboard: true }]);
    expect(mara.messages(jun.id)).toEqual([]);
  });

  it("sends clipboard text again when a connection broke before it arrived, and shows it once", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    world.network.cut();
    const sent = mara.warren.chat.sendClipboard(jun.id, "copied");
    await world.clock.advance(25_000);
    world.network.heal();
    await world.untilMet(mara, jun);
    await sent;
    // It arrived, but the connection broke before that was known.
    jun.stall();
    const again = mara.warren.chat.sendClipboard(jun.id, "and again");
    await settle();
    world.network.cut();
    jun.resume();
    await world.clock.advance(25_000);
    world.network.heal();
    await world.untilMet(mara, jun);
    await again;
    expect(jun.clipboard).toEqual(["copied", "and again"]);
    expect(jun.texts(mara.id)).toEqual(["copied", "and again"]);
  });

  it("says when clipboard text was not acknowledged, or its recipient stayed away", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const failure = (sent: Promise<void>) =>
      sent.then(
        () => "sent",
        ({ code }) => code,
      );
    jun.stall();
    const slow = failure(mara.warren.chat.sendClipboard(jun.id, "one"));
    await world.clock.advance(5_000);
    expect(await slow).toBe("send-timeout");
    jun.resume();
    world.network.cut();
    const lost = failure(mara.warren.chat.sendClipboard(jun.id, "two"));
    await world.clock.advance(60_000);
    expect(await lost).toBe("peer-offline");
    expect(await failure(mara.warren.chat.sendClipboard(jun.id, "three"))).toBe("no-session");
  });

  it("does not bring clipboard text for everyone into another room", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    world.network.cut();
    const lost = mara.warren.chat.sendClipboard(everyone, "for the burrow").then(
      () => "sent",
      ({ code }) => code,
    );
    for (const { warren } of [mara, jun]) {
      warren.room.leave();
      warren.profile.update({ roomId: "quay" });
      await warren.room.join();
    }
    world.network.heal();
    await world.untilMet(mara, jun);
    expect(await lost).toBe("no-session");
    expect(jun.clipboard).toEqual([]);
  });

  it("rejects a text over the limit and shows no part of it", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await expect(mara.warren.chat.sendText(jun.id, "x".repeat(200 * 1024 + 1))).rejects.toMatchObject({
      code: "frame-too-large",
    });
    expect(mara.messages(jun.id)).toEqual([]);
  });
});

describe("a message to an absent peer", () => {
  it("is pending without an error and arrives when the peer is back", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const junId = jun.id;
    await jun.close();
    await settle();
    await mara.warren.chat.sendText(junId, "for later");
    await world.clock.advance(60_000);
    expect(received([...mara.messages(junId)])).toEqual(["sending"]);
    await jun.reopen();
    await world.untilMet(mara, jun);
    await mara.untilMessages(junId, ([message]) => message !== undefined && statusOf(message) === "received");
    expect(jun.texts(mara.id)).toEqual(["for later"]);
  });

  it("survives a reload of the sender and keeps its order", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const junId = jun.id;
    await jun.close();
    await settle();
    for (const text of ["one", "two", "three"]) await mara.warren.chat.sendText(junId, text);
    await mara.reload();
    expect(mara.texts(junId)).toEqual(["one", "two", "three"]);
    await jun.reopen();
    await jun.untilMessages(mara.id, (messages) => messages.length === 3);
    expect(jun.texts(mara.id)).toEqual(["one", "two", "three"]);
  });

  it("is an error after 5 s without acknowledgement on a live session, and is shown once when it is sent again", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.stall();
    await mara.warren.chat.sendText(jun.id, "are you there");
    await world.clock.advance(4_999);
    expect(statusOf(mara.messages(jun.id)[0] ?? expect.fail())).toBe("sending");
    await world.clock.advance(1);
    expect(mara.messages(jun.id)[0]?.deliveries[jun.id]).toMatchObject({
      status: "error",
      error: { code: "send-timeout" },
    });
    jun.resume();
    mara.warren.chat.retry(mara.messages(jun.id)[0]?.key ?? expect.fail());
    await mara.untilMessages(
      jun.id,
      ([message]) => message !== undefined && statusOf(message) === "received",
    );
    await settle();
    expect(jun.texts(mara.id)).toEqual(["are you there"]);
  });

  it("is delivered automatically at the next meeting after a send timeout", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.stall();
    await mara.warren.chat.sendText(jun.id, "still there?");
    await world.clock.advance(5_000);
    jun.resume();
    await jun.reload();
    await world.untilMet(mara, jun);
    await mara.untilMessages(
      jun.id,
      ([message]) => message !== undefined && statusOf(message) === "received",
    );
    expect(jun.texts(mara.id)).toEqual(["still there?"]);
  });
});

describe("everyone", () => {
  it("delivers a text to all present members and shows who received it", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(noor, mara);
    await world.untilMet(noor, jun);
    await mara.warren.chat.sendText(everyone, "The call sheet is up");
    await mara.untilMessages(
      everyone,
      ([message]) => message !== undefined && statusOf(message) === "received",
    );
    expect(Object.keys(mara.messages(everyone)[0]?.deliveries ?? {}).sort()).toEqual(
      [jun.id, noor.id].sort(),
    );
    expect(jun.texts(everyone)).toEqual(["The call sheet is up"]);
    expect(noor.texts(everyone)).toEqual(["The call sheet is up"]);
    expect(noor.messages(mara.id)).toEqual([]);
  });

  it("rejects a message to an empty room without a log, and to everyone outside of rooms", async () => {
    const nora = await new TestWorld().person("Nora");
    await expect(nora.warren.chat.sendText(everyone, "anyone?")).rejects.toMatchObject({
      code: "no-session",
    });
    const mara = await new TestWorld({ roomLog: false }).person("Mara");
    await mara.warren.room.join();
    await expect(mara.warren.chat.sendText(everyone, "anyone?")).rejects.toMatchObject({
      code: "no-session",
    });
  });
});
