import { describe, expect, it } from "vitest";
import { everyone } from "../messages/message.ts";
import { isAutomatic } from "../messages/trust.ts";
import { peersOf } from "../room/room-state.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const contactOf = (person: TestPerson, id: string) => person.warren.chat.store.getState().contacts[id];
const statusOf = (person: TestPerson) => person.warren.nearby.store.getState();
const peersNear = (person: TestPerson) => Object.keys(peersOf(person.warren.room.store.getState()));
const file = (name: string, size = 1_000) => new File([new Uint8Array(size)], name);

function turnOn(person: TestPerson): void {
  person.warren.settings.set("nearby", true);
  person.warren.nearby.start();
}

async function twoNearby(world: TestWorld): Promise<[TestPerson, TestPerson]> {
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  for (const person of [mara, jun]) turnOn(person);
  await world.untilMet(mara, jun);
  return [mara, jun];
}

async function offerState(world: TestWorld, from: TestPerson, to: TestPerson): Promise<string | undefined> {
  const before = to.messages(from.id).length;
  await from.warren.chat.sendFile(to.id, file("a.bin"));
  await to.untilMessages(from.id, (messages) => messages.length > before);
  await world.clock.advance(3_000);
  const message = to.messages(from.id).at(-1);
  return message?.type === "file" ? to.offerOf(message, from.id)?.state : undefined;
}

describe("pages nearby", () => {
  it("meet as in a room without a name, and write to each other", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    expect([statusOf(mara), statusOf(jun)]).toEqual(["on", "on"]);
    expect(mara.warren.room.store.getState().status).toBe("nearby");
    expect(contactOf(jun, mara.id)).toMatchObject({ name: "Mara", proven: true, trustLevel: "unverified" });
    await mara.warren.chat.sendText(jun.id, "hello");
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    expect(jun.texts(mara.id)).toEqual(["hello"]);
  });

  it("meet nobody before the page begins, nor without the option", async () => {
    const world = new TestWorld();
    const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
    turnOn(mara);
    jun.warren.nearby.start();
    const kim = await world.person("Kim");
    kim.warren.settings.set("nearby", true);
    await world.clock.advance(5_000);
    expect(peersNear(mara)).toEqual([]);
    expect(statusOf(jun)).toBe("off");
  });

  it("have no conversation of everyone: none is sent to, and what claims to be for it is the sender's", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    await expect(mara.warren.chat.sendText(everyone, "to all")).rejects.toMatchObject({ code: "no-session" });
    const wire = { id: "scoped-text", type: "send-text", data: "spam for all", scope: "room" } as const;
    mara.warren.room.send(jun.id, wire);
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    expect(jun.texts(everyone)).toEqual([]);
  });

  it("have no call, whatever a stranger announces", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    mara.warren.room.send(jun.id, { type: "media-sources", seq: 0, sources: [] });
    mara.warren.room.send(jun.id, { type: "ring", video: false });
    await world.clock.advance(1_000);
    await settle();
    expect(jun.warren.call.store.getState()).toBeNull();
    expect(jun.warren.call.ringing.store.getState().incoming).toEqual([]);
    await expect(jun.warren.call.open()).rejects.toMatchObject({ code: "connection-closed" });
  });

  it("are gone for all within 5 s of turning it off", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    jun.warren.settings.set("nearby", false);
    await world.clock.advance(5_000);
    expect(peersNear(mara)).toEqual([]);
    expect(jun.warren.room.store.getState()).toEqual({ status: "disconnected", error: null });
    turnOn(jun);
    await world.untilMet(mara, jun);
  });

  it("give way to a room, and come back after it", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    await jun.warren.room.join();
    expect(statusOf(jun)).toBe("away");
    await world.clock.advance(5_000);
    expect(peersNear(mara)).toEqual([]);
    jun.warren.room.leave();
    await world.untilMet(mara, jun);
    expect(statusOf(jun)).toBe("on");
  });

  it("give way to a room even while they are being joined", async () => {
    const world = new TestWorld();
    const jun = await world.person("Jun");
    turnOn(jun);
    expect(statusOf(jun)).toBe("joining");
    await jun.warren.room.join();
    expect(jun.warren.room.store.getState().status).toBe("connected");
    expect(statusOf(jun)).toBe("away");
  });

  it("are remembered: a reloaded page meets them again", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    await jun.close();
    await jun.open();
    jun.warren.nearby.start();
    await world.untilMet(mara, jun);
  });

  it("try again later where too many are, and say so", async () => {
    const world = new TestWorld();
    world.signalling.nearbyRefusal = "room-full";
    const jun = await world.person("Jun");
    turnOn(jun);
    await settle();
    expect(statusOf(jun)).toBe("full");
    world.signalling.nearbyRefusal = null;
    await world.clock.advance(30_000);
    expect(statusOf(jun)).toBe("on");
  });

  it.each([
    ["nearby-unavailable", "unavailable"],
    ["signalling-unreachable", "unreachable"],
  ] as const)("say why they are not met: %s", async (code, status) => {
    const world = new TestWorld();
    world.signalling.nearbyRefusal = code;
    const jun = await world.person("Jun");
    turnOn(jun);
    await settle();
    expect(statusOf(jun)).toBe(status);
    expect(jun.warren.room.store.getState()).toEqual({ status: "disconnected", error: null });
    world.signalling.nearbyRefusal = null;
    jun.warren.nearby.retry();
    await settle();
    expect(statusOf(jun)).toBe("on");
  });

  it("are met by one tab of a browser, until the other asks for them", async () => {
    const world = new TestWorld();
    const jun = await world.person("Jun");
    turnOn(jun);
    await settle();
    const { nearbyTag } = await import("../room/room-tag.ts");
    await world.signalling.createClient({ roomTag: nearbyTag, clientId: jun.id, nearby: true });
    await world.clock.advance(120_000);
    expect(statusOf(jun)).toBe("elsewhere");
    jun.warren.nearby.retry();
    await settle();
    expect(statusOf(jun)).toBe("on");
  });
});

describe("a stranger nearby", () => {
  it("gets nothing without a question that those known from a room get", async () => {
    const world = new TestWorld();
    const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
    for (const person of [mara, jun]) await person.warren.room.join();
    await world.untilMet(mara, jun);
    for (const person of [mara, jun]) person.warren.room.leave();
    const stranger = await world.person("Mara");
    for (const person of [mara, jun, stranger]) turnOn(person);
    await world.untilMet(mara, jun);
    await world.untilMet(stranger, jun);
    jun.warren.settings.update({ automaticDownload: true, shareFilesWithRoom: true });
    expect(await offerState(world, mara, jun)).toBe("complete");
    expect(await offerState(world, stranger, jun)).toBe("offered");
    const automatic = (id: string) =>
      (["accept-file", "write-clipboard", "share-all-files", "share-marked-files"] as const).filter(
        (action) => isAutomatic(action, contactOf(jun, id), jun.warren.settings.get()),
      );
    expect(automatic(stranger.id)).toEqual([]);
    jun.warren.chat.permit(stranger.id, { autoAccept: true, clipboardAllowed: true });
    expect(automatic(stranger.id)).toEqual([]);
    jun.warren.chat.markVerified(stranger.id);
    expect(automatic(stranger.id)).toHaveLength(4);
  });

  it("is one until a file of it was accepted, or it was written to, also after a reload", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    expect(contactOf(jun, mara.id)).toMatchObject({ nearby: true, accepted: false });
    expect(await offerState(world, mara, jun)).toBe("offered");
    // Who offers has chosen whom to.
    expect(contactOf(mara, jun.id)).toMatchObject({ nearby: true, accepted: true });
    await jun.close();
    await jun.open();
    expect(contactOf(jun, mara.id)).toMatchObject({ nearby: true, accepted: false });
    jun.warren.nearby.start();
    await world.untilMet(mara, jun);
    const [message] = jun.messages(mara.id);
    if (!message) throw new Error("no offer");
    await jun.warren.chat.acceptFile(message.key);
    expect(contactOf(jun, mara.id)).toMatchObject({ nearby: true, accepted: true });
  });

  it("is not seen to write, and changes nothing that it wrote, until it is answered", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    await mara.warren.chat.sendText(jun.id, "Hello?");
    await world.until(() => mara.messages(jun.id)[0]?.deliveries[jun.id]?.status === "received");
    const before = jun.messages(mara.id);
    const [text] = before;
    if (text === undefined) throw new Error("no text");
    mara.warren.chat.sendTyping(jun.id);
    await mara.warren.chat.react(text.key, "👋");
    await mara.warren.chat.editText(text.key, "Hello!");
    await world.clock.advance(3_000);
    expect([jun.messages(mara.id), jun.warren.chat.typing.getState()]).toEqual([before, {}]);
    await mara.warren.chat.deleteMessage(text.key);
    await world.clock.advance(3_000);
    expect(jun.messages(mara.id)).toEqual(before);
    jun.warren.chat.acceptContact(mara.id);
    mara.warren.chat.sendTyping(jun.id);
    await world.until(() => jun.warren.chat.typing.getState()[mara.id]?.length === 1);
    await mara.close();
    await mara.open();
    mara.warren.nearby.start();
    await world.untilMet(mara, jun);
    await world.until(() => jun.texts(mara.id)[0] === "");
  });

  it("is one no longer once it was met in a room", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    for (const person of [mara, jun]) await person.warren.room.join();
    await world.untilMet(mara, jun);
    expect(contactOf(jun, mara.id)).not.toHaveProperty("nearby");
  });

  it("that is blocked is not met again", async () => {
    const world = new TestWorld();
    const [mara, jun] = await twoNearby(world);
    jun.warren.chat.block(mara.id);
    await mara.close();
    await mara.open();
    mara.warren.nearby.start();
    await world.clock.advance(20_000);
    expect(peersOf(jun.warren.room.store.getState())[mara.id]?.ready).not.toBe(true);
  });
});
