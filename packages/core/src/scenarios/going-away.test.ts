import { WarrenError } from "@warren/protocol";
import { describe, expect, it, vi } from "vitest";
import { statusOf } from "../messages/message.ts";
import { peersOf } from "../room/room-state.ts";
import { settle } from "../testing/fake-clock.ts";
import { digestOfBlob, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const statuses = (person: TestPerson, other: string) => person.messages(other).map(statusOf);

const sees = (person: TestPerson, other: string) =>
  peersOf(person.warren.room.store.getState())[other] !== undefined;

/** Completes all running work without elapsing time. */
async function rest() {
  for (let turn = 0; turn < 10; turn++) await settle();
}

describe("a person who closes the tab", () => {
  it("is shown as away at once, and receives later messages on return", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const junId = jun.id;
    jun.vanish();
    await rest();
    expect(sees(mara, junId)).toBe(false);
    await mara.warren.chat.sendText(junId, "for later");
    await world.clock.advance(30_000);
    expect(statuses(mara, junId)).toEqual(["sending"]);
    await jun.reopen();
    await world.untilMet(mara, jun);
    await world.until(() => statuses(mara, junId)[0] === "received");
    expect(jun.texts(mara.id)).toEqual(["for later"]);
  });

  it.each(["leaves the room", "closes the tab"])(
    "is gone within 3 s though no packet of the farewell arrives, who %s",
    async (how) => {
      const world = new TestWorld();
      const [mara, jun] = await world.twoPeers();
      const junId = jun.id;
      world.network.cut();
      if (how === "closes the tab") jun.vanish();
      else jun.warren.room.leave();
      await rest();
      expect(sees(mara, junId)).toBe(true);
      await world.clock.advance(3_000);
      expect(sees(mara, junId)).toBe(false);
    },
  );

  it.each(["mara", "jun"] as const)("loses nothing of a file if it was a reload: %s", async (name) => {
    const bytes = randomBytes();
    const story = await FileStory.begin();
    const { clock, network } = story.world;
    network.path.channelOptions = { turnBytes: 32 * 1024, later: (turn) => void clock.after(64, turn) };
    await story.offer(fileOf(bytes));
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.until(() => story.jun.files.writeCount >= 4);
    expect(story.offerOf(story.mara)?.state).toBe("running");
    story[name].vanish();
    await story[name].open();
    await story[name].warren.room.join();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });
});

describe("an unanswered text", () => {
  it("becomes pending again once packets stop, and arrives automatically", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.stall();
    await mara.warren.chat.sendText(jun.id, "still there?");
    await world.clock.advance(5_000);
    expect(statuses(mara, jun.id)).toEqual(["error"]);
    world.network.cut();
    await world.clock.advance(2_000);
    expect(statuses(mara, jun.id)).toEqual(["sending"]);
    jun.resume();
    world.network.heal();
    await world.until(() => statuses(mara, jun.id)[0] === "received");
    expect(jun.texts(mara.id)).toEqual(["still there?"]);
  });

  it("is not an error while the connection is recovering, nor after it was given up", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    world.network.cut();
    await mara.warren.chat.sendText(jun.id, "just before");
    await world.clock.advance(3_000);
    expect(peersOf(mara.warren.room.store.getState())[jun.id]?.session).toBe("reconnecting");
    await mara.warren.chat.sendText(jun.id, "meanwhile");
    for (let second = 0; second < 30; second++) {
      await world.clock.advance(1_000);
      expect(statuses(mara, jun.id)).toEqual(["sending", "sending"]);
    }
    world.network.heal();
    await world.until(() => statuses(mara, jun.id).every((status) => status === "received"));
    expect(jun.texts(mara.id)).toEqual(["just before", "meanwhile"]);
  });

  it("is also pending for an absent peer after a reload of the sender", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const junId = jun.id;
    jun.stall();
    await mara.warren.chat.sendText(junId, "still there?");
    await world.clock.advance(5_000);
    expect(statuses(mara, junId)).toEqual(["error"]);
    mara.vanish();
    await mara.open();
    expect(statuses(mara, junId)).toEqual(["sending"]);
  });
});

describe("a channel that closes while a person decides about a file", () => {
  const closed = () => {
    throw new WarrenError("channel-not-open");
  };

  it("delays the bytes of one that they accept until both are back", async () => {
    const bytes = randomBytes(2);
    const story = await FileStory.begin();
    const { jun } = story;
    await story.offer(fileOf(bytes));
    const send = vi.spyOn(jun.warren.room, "send").mockImplementation(closed);
    await jun.warren.chat.acceptFile(story.message(jun).key);
    await rest();
    expect(send).toHaveBeenCalled();
    expect(story.offerOf(jun)?.state).toBe("opening");
    send.mockRestore();
    await story.world.clock.advance(1_000); // the sender's copy is made
    await story.reloadSender();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("delays their refusal", async () => {
    const story = await FileStory.begin();
    const { mara, jun } = story;
    await story.offer(fileOf(randomBytes(2)));
    const send = vi.spyOn(jun.warren.room, "send").mockImplementation(closed);
    await jun.warren.chat.declineFile(story.message(jun).key);
    await rest();
    expect(send).toHaveBeenCalled();
    send.mockRestore();
    await jun.close();
    await mara.close();
    for (const person of [mara, jun]) {
      await person.reopen();
    }
    await story.until(() => story.offerOf(mara)?.state === "declined");
  });
});
