import { beforeEach, describe, expect, it } from "vitest";
import { ringMs } from "../call/ringing.ts";
import { everyone } from "../messages/message.ts";
import { fakeTrack } from "../testing/fake-track.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

let world: TestWorld;
let mara: TestPerson;
let jun: TestPerson;

const toOne = { video: false, toRoom: false };

beforeEach(async () => {
  world = new TestWorld();
  await import("../call/call.ts");
  await import("../call/codec-preferences.ts");
  [mara, jun] = await world.twoPeers();
});

const ringingOf = (person: TestPerson) => person.warren.call.ringing;
const rings = (person: TestPerson) => ringingOf(person).store.getState().incoming.length > 0;
const unread = (person: TestPerson, id: string) =>
  person.warren.chat.store.getState().conversations[id]?.unread;

/** The calls of a conversation: how each ended, who called, and for how many seconds. */
function callsOf(person: TestPerson, conversation: string) {
  return person
    .messages(conversation)
    .flatMap((message) =>
      message.type === "call"
        ? [[message.outcome, message.caller, Math.round(message.durationMs / 1_000)]]
        : [],
    );
}

describe("a call that is over", () => {
  it("is a line on both sides, also after a reload", async () => {
    ringingOf(mara).ring([jun.id], toOne);
    await world.until(() => rings(jun));
    ringingOf(jun).join(mara.id);
    await world.until(() => ringingOf(mara).store.getState().partner !== null);
    // Browsers measure fractions of a millisecond.
    await world.clock.advance(90_000.25);
    ringingOf(jun).hangUp();
    await mara.untilMessages(jun.id, (messages) => messages.length === 1);
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    const line = [["ended", mara.id, 90]];
    expect([callsOf(mara, jun.id), callsOf(jun, mara.id)]).toEqual([line, line]);
    await jun.reload();
    expect(callsOf(jun, mara.id)).toEqual(line);
    expect(unread(jun, mara.id)).toBe(0);
  });

  it("is also read as earlier versions stored it, with a fraction of a millisecond", async () => {
    ringingOf(mara).ring([jun.id], toOne);
    await world.until(() => rings(jun));
    ringingOf(jun).join(mara.id);
    await world.until(() => ringingOf(mara).store.getState().partner !== null);
    ringingOf(jun).hangUp();
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    await jun.close();
    const stored = await jun.storedRecords();
    await jun.store(
      stored.map((one) => {
        const value = one.value as object;
        return "durationMs" in value ? { ...one, value: { ...value, durationMs: 90_000.25 } } : one;
      }),
    );
    await jun.reopen();
    expect(callsOf(jun, mara.id)).toEqual([["ended", mara.id, 90]]);
  });

  it("is unread only where it was missed", async () => {
    ringingOf(mara).ring([jun.id], toOne);
    await world.until(() => rings(jun));
    await world.clock.advance(ringMs);
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    await mara.untilMessages(jun.id, (messages) => messages.length === 1);
    expect(callsOf(jun, mara.id)).toEqual([["missed", mara.id, 0]]);
    expect(callsOf(mara, jun.id)).toEqual([["unanswered", mara.id, 0]]);
    expect([unread(jun, mara.id), unread(mara, jun.id)]).toEqual([1, 0]);
    await jun.reload();
    expect(unread(jun, mara.id)).toBe(1);
  });

  it("is said to everyone where the room was called, and for those who joined once they leave", async () => {
    ringingOf(mara).ring([jun.id], { video: true, toRoom: true });
    await world.until(() => rings(jun));
    const call = await mara.warren.call.open();
    call.share({ kind: "microphone", track: fakeTrack("audio", "Headset") });
    ringingOf(jun).decline(mara.id);
    await jun.untilMessages(everyone, (messages) => messages.length === 1);
    expect(callsOf(jun, everyone)).toEqual([["declined", mara.id, 0]]);
    // One who declined may still join where the call is offered.
    const theirs = await jun.warren.call.open();
    theirs.setAudioEnabled(true);
    theirs.share({ kind: "microphone", track: fakeTrack("audio", "Headset") });
    await world.until(() => call.store.getState().sinceMs !== null);
    await world.clock.advance(30_000);
    mara.warren.call.leave();
    jun.warren.room.leave();
    // The one that nobody answered, or that was declined, is the one that was then joined.
    for (const person of [mara, jun]) {
      await world.until(() => callsOf(person, everyone)[0]?.[0] === "ended");
      expect(callsOf(person, everyone)).toEqual([["ended", person.id, 30]]);
    }
  });

  it("stays declined to everyone where the next one is joined", async () => {
    const call = await mara.warren.call.open();
    const theirs = await jun.warren.call.open();
    const share = () => call.share({ kind: "microphone", track: fakeTrack("audio", "Headset") });
    const shared = () => theirs.store.getState().remote.length;
    ringingOf(mara).ring([jun.id], { video: true, toRoom: true });
    await world.until(() => rings(jun));
    share();
    await world.until(() => shared() === 1);
    ringingOf(jun).decline(mara.id);
    await jun.untilMessages(everyone, (messages) => messages.length === 1);
    mara.warren.call.leave();
    await world.until(() => shared() === 0);
    share();
    await world.until(() => shared() === 1);
    theirs.setAudioEnabled(true);
    theirs.share({ kind: "microphone", track: fakeTrack("audio", "Headset") });
    await world.until(() => call.store.getState().sinceMs !== null);
    jun.warren.call.leave();
    await jun.untilMessages(everyone, (messages) => messages.length === 2);
    expect(callsOf(jun, everyone).map(([outcome]) => outcome)).toEqual(["declined", "ended"]);
  });

  it("is not noted of one who only watches a screen", async () => {
    const call = await mara.warren.call.open();
    call.share({ kind: "screen", track: fakeTrack("video", "Report", { width: 640, height: 360 }) });
    await world.until(() => jun.warren.call.store.getState()?.store.getState().remote.length === 1);
    const theirs = await jun.warren.call.open();
    theirs.setVideoEnabled(true);
    expect(theirs.store.getState().sinceMs).not.toBeNull();
    jun.warren.call.leave();
    await world.clock.advance(1_000);
    expect(callsOf(jun, everyone)).toEqual([]);
  });

  it("has an id of its own, so that who called can neither change nor delete it", async () => {
    ringingOf(mara).ring([jun.id], toOne);
    await world.until(() => rings(jun));
    const id = ringingOf(mara).store.getState().outgoing?.id ?? "";
    ringingOf(mara).hangUp();
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    expect(jun.messages(mara.id)[0]?.id).not.toBe(id);
  });
});
