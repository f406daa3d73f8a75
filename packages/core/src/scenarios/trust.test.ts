import { describe, expect, it } from "vitest";
import type { ChatService } from "../chat/chat-service.ts";
import { everyone } from "../messages/message.ts";
import { mayAlert } from "../messages/trust.ts";
import { peersOf } from "../room/room-state.ts";
import { settle } from "../testing/fake-clock.ts";
import { hostilePicture, type TestPerson, TestWorld } from "../testing/test-world.ts";
import { until } from "../testing/until.ts";

const contactOf = (person: TestPerson, id: string) => person.warren.chat.store.getState().contacts[id];
const peerOf = (person: TestPerson, id: string) => peersOf(person.warren.room.store.getState())[id];
const file = (name: string, size = 1_000) => new File([new Uint8Array(size)], name);

async function offered(world: TestWorld, from: TestPerson, to: TestPerson): Promise<string | undefined> {
  await from.warren.chat.sendFile(to.id, file("a.bin"));
  await to.untilMessages(from.id, (messages) => messages.length > 0);
  await world.clock.advance(3_000);
  return transferStatus(from, to);
}

function transferStatus(from: TestPerson, to: TestPerson): string | undefined {
  const [message] = to.messages(from.id);
  return message?.type === "file" ? to.offerOf(message, from.id)?.state : undefined;
}

describe("a matching safety code", () => {
  it("verifies the person, and survives a reload of either side", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    expect(contactOf(mara, jun.id)?.trustLevel).toBe("unverified");
    mara.warren.chat.markVerified(jun.id);
    expect(contactOf(mara, jun.id)?.trustLevel).toBe("verified");
    await mara.reload();
    expect(contactOf(mara, jun.id)?.trustLevel).toBe("verified");
    await jun.reload();
    await world.untilMet(mara, jun);
    expect(contactOf(mara, jun.id)?.trustLevel).toBe("verified");
    expect(contactOf(jun, mara.id)?.trustLevel).toBe("unverified");
  });

  it("cannot be confirmed for an absent person", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const junId = jun.id;
    await jun.close();
    await settle();
    expect(() => mara.warren.chat.markVerified(junId)).toThrow(
      expect.objectContaining({ code: "no-session" }),
    );
  });

  it("applies only to the id: a person without its storage is somebody new", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.markVerified(jun.id);
    const other = await world.person("Jun");
    await other.warren.room.join();
    await world.untilMet(mara, other);
    expect(contactOf(mara, other.id)).toMatchObject({ trustLevel: "unverified", autoAccept: false });
  });
});

describe("drawing attention", () => {
  const mayAlertMe = (me: TestPerson, other: TestPerson) => mayAlert(contactOf(me, other.id));

  it("takes that we wrote to somebody alone: who writes to everyone accepts nobody", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await mara.warren.chat.sendText(everyone, "Hello room");
    await jun.untilMessages(everyone, (messages) => messages.length === 1);
    await jun.warren.chat.sendText(mara.id, "Hello");
    await mara.untilMessages(jun.id, (messages) => messages.length === 1);
    expect([mayAlertMe(mara, jun), mayAlertMe(jun, mara)]).toEqual([false, true]);
    await mara.warren.chat.sendText(jun.id, "Hello Jun");
    await mara.reload();
    expect(mayAlertMe(mara, jun)).toBe(true);
  });

  const attachment = new File(["at ten"], "notes.txt");
  const attachments = { kind: "files", name: "Files", emptyFolders: [] } as const;
  it.each<[string, (chat: ChatService) => Promise<void>]>([
    ["wrote", (chat) => chat.sendText(everyone, "Hello room")],
    ["offered a file", (chat) => chat.sendFile(everyone, attachment)],
    [
      "offered several",
      (chat) => chat.sendTree(everyone, { ...attachments, files: [{ path: "notes.txt", file: attachment }] }),
    ],
  ])("takes, in a room with a password, that we %s to everyone there", async (_, post) => {
    const world = new TestWorld();
    const [mara, jun] = await Promise.all(["Mara", "Jun"].map((name) => world.person(name, "tidal-forest")));
    if (!mara || !jun) throw new Error("nobody is there");
    for (const person of [mara, jun]) await person.warren.room.join();
    await world.untilMet(mara, jun);
    const mayAlertInRoom = () => mayAlert(contactOf(mara, jun.id), mara.warren.chat.rooms.getState()[0]);
    expect(mayAlertInRoom()).toBe(false);
    await post(mara.warren.chat);
    expect([mayAlertInRoom(), mayAlertMe(mara, jun)]).toEqual([true, false]);
    await mara.reload();
    expect([mayAlertInRoom(), mayAlertMe(mara, jun)]).toEqual([true, false]);
    mara.warren.chat.block(jun.id);
    expect(mayAlertInRoom()).toBe(false);
  });

  it("takes that we verified somebody, until we block them", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.markVerified(jun.id);
    const undo = mara.warren.chat.block(jun.id);
    undo();
    expect(contactOf(mara, jun.id)).toMatchObject({ trustLevel: "verified", accepted: true });
    mara.warren.chat.block(jun.id);
    mara.warren.chat.unblock(jun.id);
    expect(contactOf(mara, jun.id)).toMatchObject({ trustLevel: "unverified", accepted: false });
  });

  it("takes that we accepted a file of somebody", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    expect(await offered(world, mara, jun)).toBe("offered");
    expect(mayAlertMe(jun, mara)).toBe(false);
    const [message] = jun.messages(mara.id);
    if (!message) throw new Error("no offer");
    await jun.warren.chat.acceptFile(message.key);
    expect(mayAlertMe(jun, mara)).toBe(true);
    jun.warren.chat.block(mara.id);
    expect(mayAlertMe(jun, mara)).toBe(false);
  });

  it("is another matter than being muted", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.warren.chat.setMuted(mara.id, true);
    expect(contactOf(jun, mara.id)).toMatchObject({ muted: true, accepted: false });
  });
});

describe("small pictures", () => {
  const picture = (name: string, size: number, type = "image/png") =>
    new File([new Uint8Array(size)], name, { type });

  it("are accepted automatically only from people met before, and only if that is on", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const statuses = async (...files: readonly File[]) => {
      const before = jun.messages(mara.id).length;
      for (const one of files) await mara.warren.chat.sendFile(jun.id, one);
      await jun.untilMessages(mara.id, (messages) => messages.length === before + files.length);
      await world.clock.advance(3_000);
      return jun
        .messages(mara.id)
        .slice(before)
        .map((message) => message.type === "file" && message.offers[mara.id]?.state);
    };
    expect(await statuses(picture("stranger.png", 1))).toEqual(["offered"]);
    await jun.warren.chat.sendText(everyone, "Hello room");
    expect(await statuses(picture("to-everyone.png", 2))).toEqual(["offered"]);
    await jun.warren.chat.sendText(mara.id, "Hello Mara");
    expect(await statuses(picture("answered.png", 3))).toEqual(["complete"]);
    jun.warren.settings.set("automaticPictures", false);
    expect(await statuses(picture("off.png", 5))).toEqual(["offered"]);
    jun.warren.settings.set("automaticPictures", true);
    jun.warren.settings.set("trust", "verified");
    expect(await statuses(picture("trust.png", 6))).toEqual(["offered"]);
    jun.warren.chat.markVerified(mara.id);
    expect(await statuses(picture("verified.png", 7))).toEqual(["complete"]);
    const others = [
      picture("large.png", 2 * 1024 ** 2 + 1),
      picture("drawing.svg", 4, "image/svg+xml"),
      file("a.bin"),
    ];
    expect(await statuses(...others)).toEqual(["offered", "offered", "offered"]);
  });

  it("are accepted from somebody met on an earlier visit", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await jun.warren.chat.sendText(mara.id, "Hello");
    await mara.untilMessages(jun.id, (messages) => messages.length === 1);
    await jun.reload();
    await world.untilMet(mara, jun);
    await mara.warren.chat.sendFile(jun.id, picture("again.png", 1));
    await jun.untilMessages(mara.id, (messages) =>
      messages.some((message) => message.type === "file" && message.offers[mara.id]?.state === "complete"),
    );
  });
});

describe("a person without a key", () => {
  it("can be neither verified nor granted permissions", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara");
    const kiosk = await world.keylessPerson("Kiosk");
    await mara.warren.room.join();
    await kiosk.warren.room.join();
    await world.untilMet(mara, kiosk);
    const notVerifiable = expect.objectContaining({ code: "not-verifiable" });
    expect(peerOf(mara, kiosk.id)?.proof?.verifiable).toBe(false);
    expect(() => mara.warren.chat.markVerified(kiosk.id)).toThrow(notVerifiable);
    expect(() => mara.warren.chat.permit(kiosk.id, { autoAccept: true })).toThrow(notVerifiable);
    expect(contactOf(mara, kiosk.id)).toMatchObject({ trustLevel: "unverified", autoAccept: false });
  });
});

describe("a blocked person", () => {
  it("is notified that the session ended, and does not retry automatically", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.block(jun.id);
    await world.until(() => peerOf(jun, mara.id)?.ready === false);
    const made = world.network.made.length;
    await world.clock.advance(10 * 60_000);
    expect(world.network.made).toHaveLength(made);
    expect(peerOf(jun, mara.id)).toMatchObject({
      session: "disconnected",
      nextAttemptAtMs: null,
      error: { code: "session-ended" },
    });
    expect(peerOf(mara, jun.id)).toMatchObject({ session: "closed", ready: false });
    await mara.reload();
    expect(contactOf(mara, jun.id)).toMatchObject({ trustLevel: "blocked", blockedByHand: true });
  });

  it("sees nothing after a reload of either side, however long it retries", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.block(jun.id);
    await world.until(() => peerOf(jun, mara.id)?.ready === false);
    for (const person of [mara, jun]) {
      await person.reload();
      await world.clock.advance(120_000);
      expect(peerOf(mara, jun.id)).toMatchObject({ session: "closed", ready: false });
      expect(peerOf(jun, mara.id)).toMatchObject({ ready: false, proof: null });
    }
  });

  it("is connected again, with the previous permissions, once unblocked", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.markVerified(jun.id);
    mara.warren.chat.permit(jun.id, { autoAccept: true });
    const undo = mara.warren.chat.block(jun.id);
    await world.until(() => peerOf(jun, mara.id)?.ready === false);
    undo();
    await world.untilMet(mara, jun);
    expect(contactOf(mara, jun.id)).toMatchObject({ trustLevel: "verified", autoAccept: true });
  });
});

describe("a different safety code", () => {
  it("ends the session at once and revokes the permissions", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.permit(jun.id, { autoAccept: true, clipboardAllowed: true });
    mara.warren.chat.reportMismatch(jun.id);
    expect(peerOf(mara, jun.id)).toMatchObject({ session: "closed", ready: false });
    expect(contactOf(mara, jun.id)).toMatchObject({
      trustLevel: "blocked",
      autoAccept: false,
      clipboardAllowed: false,
    });
    expect(() => mara.warren.room.send(jun.id, { type: "send-clipboard", data: "x" })).toThrow();
  });

  it("excludes the person for good, through reloads of both sides", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.reportMismatch(jun.id);
    await jun.warren.chat.sendText(mara.id, "still me");
    await world.clock.advance(60_000);
    await mara.reload();
    await world.clock.advance(60_000);
    await jun.reload();
    await world.clock.advance(60_000);
    expect(peerOf(mara, jun.id)).toMatchObject({ session: "closed", ready: false });
    expect(peerOf(jun, mara.id)?.ready).toBe(false);
    expect(mara.messages(jun.id)).toEqual([]);
  });

  it("also applies if the room is joined before history has been read", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.reportMismatch(jun.id);
    await mara.close();
    await mara.open({ joinFirst: true });
    await world.clock.advance(60_000);
    expect(peerOf(mara, jun.id)).toMatchObject({ session: "closed", ready: false });
    expect(contactOf(mara, jun.id)).toMatchObject({ trustLevel: "blocked", name: "Jun" });
    await mara.reload();
    expect(contactOf(mara, jun.id)?.trustLevel).toBe("blocked");
  });

  it.each([
    ["unblocks", (mara: TestPerson, id: string) => mara.warren.chat.unblock(id)],
    ["deletes", (mara: TestPerson, id: string) => void mara.warren.chat.deleteContact(id)],
  ])("is forgotten when one %s the person, who is then treated like anybody", async (_how, forgive) => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.chat.markVerified(jun.id);
    mara.warren.chat.reportMismatch(jun.id);
    await world.clock.advance(60_000);
    forgive(mara, jun.id);
    await world.untilMet(mara, jun);
    expect(contactOf(mara, jun.id)?.trustLevel).toBe("unverified");
    await jun.warren.chat.sendText(mara.id, "back");
    await mara.untilMessages(jun.id, (messages) => messages.length === 1);
  });

  it("leaves all other members in the room", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(mara, noor);
    mara.warren.chat.reportMismatch(jun.id);
    await noor.warren.chat.sendText(mara.id, "hello");
    await mara.untilMessages(noor.id, (messages) => messages.length === 1);
    expect(peerOf(mara, noor.id)?.ready).toBe(true);
  });
});

describe("automatic actions", () => {
  it("do not happen by default", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    expect(await offered(world, jun, mara)).toBe("offered");
    await jun.warren.chat.sendClipboard(mara.id, "secret");
    await settle();
    expect(mara.clipboard).toEqual(["secret"]);
    expect(mara.writtenClipboard).toEqual([]);
  });

  it("are limited to one permitted person", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(mara, noor);
    mara.warren.chat.permit(jun.id, { autoAccept: true, clipboardAllowed: true });
    await offered(world, jun, mara);
    await world.until(() => transferStatus(jun, mara) === "complete");
    expect(await offered(world, noor, mara)).toBe("offered");
    await jun.warren.chat.sendClipboard(mara.id, "from Jun");
    await noor.warren.chat.sendClipboard(mara.id, "from Noor");
    await settle();
    expect(mara.writtenClipboard).toEqual(["from Jun"]);
  });

  it("never include a file over the size limit", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.settings.set("maxFileSize", 1024 * 1024);
    mara.warren.chat.permit(jun.id, { autoAccept: true });
    await jun.warren.chat.sendFile(mara.id, file("big.bin", 1024 * 1024 + 1));
    const [message] = await mara.untilMessages(jun.id, (messages) => messages.length > 0);
    await world.clock.advance(3_000);
    expect(message?.type).toBe("file");
    expect(mara.warren.transfers.store.getState()).toEqual(new Map());
  });

  it("require the safety code if only verified people are trusted", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    mara.warren.settings.set("trust", "verified");
    mara.warren.settings.set("automaticDownload", true);
    mara.warren.chat.permit(jun.id, { autoAccept: true, clipboardAllowed: true });
    expect(await offered(world, jun, mara)).toBe("offered");
    await jun.warren.chat.sendClipboard(mara.id, "before");
    await settle();
    mara.warren.chat.markVerified(jun.id);
    await jun.warren.chat.sendClipboard(mara.id, "after");
    await settle();
    expect(mara.writtenClipboard).toEqual(["after"]);
    await jun.warren.chat.sendFile(mara.id, file("b.bin"));
    await mara.untilMessages(jun.id, (messages) => {
      const last = messages.at(-1);
      return last?.type === "file" && last.offers[jun.id]?.state === "complete";
    });
  });
});

describe("clipboard texts", () => {
  it("are messages, which a reload keeps: the newest 50 of each person", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await jun.warren.chat.sendText(mara.id, "written");
    for (let i = 1; i <= 55; i++) await jun.warren.chat.sendClipboard(mara.id, `text ${i}`);
    const newest = ["written", ...Array.from({ length: 50 }, (_, i) => `text ${i + 6}`)];
    const isTrimmed = () => mara.messages(jun.id).length === 51 && mara.texts(jun.id).includes("text 55");
    await until(mara.warren.chat.store, isTrimmed);
    const unread = () => mara.warren.chat.store.getState().conversations[jun.id]?.unread;
    expect(mara.texts(jun.id)).toEqual(newest);
    expect(unread()).toBe(51);
    await mara.reload();
    expect(mara.texts(jun.id)).toEqual(newest);
    expect(unread()).toBe(51);
    await world.untilMet(mara, jun);
    await jun.warren.chat.sendClipboard(mara.id, "text 56");
    await until(mara.warren.chat.store, () => !mara.texts(jun.id).includes("text 6"));
    expect(mara.texts(jun.id).slice(0, 2)).toEqual(["written", "text 7"]);
  });

  it("to everyone are in the conversation with everyone", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await jun.warren.chat.sendClipboard(everyone, "for all");
    await until(mara.warren.chat.store, () => mara.messages(everyone).length === 1);
    expect(mara.messages(everyone)).toMatchObject([{ data: "for all", clipboard: true, client: jun.id }]);
    expect(jun.messages(everyone)).toEqual([]);
  });

  it("are dropped where clipboard sharing is off", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    mara.warren.settings.set("enableClipboard", false);
    await jun.warren.chat.sendClipboard(mara.id, "unwanted");
    await jun.warren.chat.sendText(mara.id, "written");
    await until(mara.warren.chat.store, () => mara.messages(jun.id).length > 0);
    expect(mara.texts(jun.id)).toEqual(["written"]);
  });
});

describe("another person's picture", () => {
  const picture = "data:image/png;base64,iVBORw0KGgo=";

  it("is shown and stored only once it was redrawn", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await world.clock.advance(1_000);
    jun.warren.profile.update({ avatar: picture });
    await settle();
    expect(peerOf(mara, jun.id)?.profile?.avatar).toBe(`${picture}#redrawn`);
    expect(contactOf(mara, jun.id)?.avatar).toBe(`${picture}#redrawn`);
    await mara.reload();
    await world.untilMet(mara, jun);
    await settle();
    expect(contactOf(mara, jun.id)?.avatar).toBe(`${picture}#redrawn`);
  });

  it("is kept while the code that redraws it cannot be fetched, and taken later", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await world.clock.advance(1_000);
    jun.warren.profile.update({ avatar: picture });
    await settle();
    const other = "data:image/png;base64,iVBORw0KGgoA";
    mara.hasCodeForPictures = false;
    await world.clock.advance(1_000);
    jun.warren.profile.update({ avatar: other });
    await world.clock.advance(1_000);
    expect(peerOf(mara, jun.id)?.profile?.avatar).toBe(`${picture}#redrawn`);
    expect(contactOf(mara, jun.id)?.avatar).toBe(`${picture}#redrawn`);
    mara.hasCodeForPictures = true;
    await world.until(() => contactOf(mara, jun.id)?.avatar === `${other}#redrawn`);
    expect(peerOf(mara, jun.id)?.profile?.avatar).toBe(`${other}#redrawn`);
  });

  it("is replaced by initials if it cannot be decoded, or is withdrawn", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    for (const next of [hostilePicture, null]) {
      await world.clock.advance(1_000);
      jun.warren.profile.update({ avatar: picture });
      await settle();
      expect(peerOf(mara, jun.id)?.profile?.avatar).toBe(`${picture}#redrawn`);
      await world.clock.advance(1_000);
      jun.warren.profile.update({ avatar: next });
      await settle();
      expect(peerOf(mara, jun.id)?.profile?.avatar).toBeNull();
      expect(contactOf(mara, jun.id)?.avatar).toBeNull();
    }
  });
});
