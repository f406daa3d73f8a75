import { WarrenError } from "@warren/protocol";
import { expect, it } from "vitest";
import { TestWorld } from "../testing/test-world.ts";
import type { MetByCode } from "../warren.ts";

const trustOf = (person: Awaited<ReturnType<TestWorld["person"]>>, id: string) =>
  person.warren.chat.store.getState().contacts[id]?.trustLevel;

const scanned = { isScanned: true };

/** What a meeting gives once both codes were read; signals pass as in any test. */
function metIn(world: TestWorld, peerId: string): MetByCode {
  return {
    peerId,
    room: { roomId: "here-abcdefghijklmnopqrstuv", password: "known to both" },
    opened: async () => {},
    createClient: (seat) => world.signalling.createClient(seat),
  };
}

it("two who read each other's codes are in a room of their own, and verified", async () => {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  await mara.warren.joinMet(metIn(world, jun.id), scanned);
  await jun.warren.joinMet(metIn(world, mara.id), scanned);
  await world.untilMet(mara, jun);
  expect([trustOf(mara, jun.id), trustOf(jun, mara.id)]).toEqual(["verified", "verified"]);
  expect(mara.warren.profile.get()).toMatchObject({
    roomId: "here-abcdefghijklmnopqrstuv",
    password: "known to both",
  });
  // A third that was let in later was in no code.
  const kim = await world.person("Kim", "known to both");
  kim.warren.profile.update({ roomId: "here-abcdefghijklmnopqrstuv" });
  await kim.warren.room.join();
  await world.untilMet(mara, kim);
  expect(trustOf(mara, kim.id)).toBe("unverified");
});

it("whoever got the other's code as text does not count it as verified, whatever the other did", async () => {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  await mara.warren.joinMet(metIn(world, jun.id), { isScanned: false });
  await jun.warren.joinMet(metIn(world, mara.id), scanned);
  await world.untilMet(mara, jun);
  expect([trustOf(mara, jun.id), trustOf(jun, mara.id)]).toEqual(["unverified", "verified"]);
});

it("somebody else in the place of the one in the code is not verified", async () => {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  const other = await world.person("Jun");
  await mara.warren.joinMet(metIn(world, jun.id), scanned);
  await other.warren.joinMet(metIn(world, mara.id), scanned);
  await world.untilMet(mara, other);
  expect(trustOf(mara, other.id)).toBe("unverified");
});

it("one without a key is met, but not verified", async () => {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara"), await world.keylessPerson("Jun")];
  await mara.warren.joinMet(metIn(world, jun.id), scanned);
  await jun.warren.joinMet(metIn(world, mara.id), scanned);
  await world.untilMet(mara, jun);
  expect(trustOf(mara, jun.id)).toBe("unverified");
});

it("the profile names the room of before if that of the two cannot be entered, and nobody is verified by it later", async () => {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara", "ours"), await world.person("Jun", "ours")];
  await mara.warren.room.join();
  const before = mara.warren.profile.get();
  const createClient = () => Promise.reject(new WarrenError("connect-timeout"));
  const joining = mara.warren.joinMet({ ...metIn(world, jun.id), createClient }, scanned);
  await expect(joining).rejects.toMatchObject({ code: "connect-timeout" });
  expect(mara.warren.profile.get()).toEqual(before);
  await mara.warren.room.join();
  await jun.warren.room.join();
  await world.untilMet(mara, jun);
  expect(trustOf(mara, jun.id)).toBe("unverified");
});

it("their room is kept once they have met, as that of the two", async () => {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  await mara.warren.joinMet(metIn(world, jun.id), scanned);
  expect(mara.warren.chat.rooms.getState()).toEqual([]);
  await jun.warren.joinMet(metIn(world, mara.id), { isScanned: false });
  await world.untilMet(mara, jun);
  const room = { id: "here-abcdefghijklmnopqrstuv", password: "known to both" };
  expect(mara.warren.chat.rooms.getState()).toMatchObject([{ ...room, metWith: jun.id }]);
  expect(jun.warren.chat.rooms.getState()).toMatchObject([{ ...room, metWith: mara.id }]);
});

it("a code in another's name leaves no room behind, nor a new password of the one that is kept", async () => {
  const world = new TestWorld();
  const [mara, jun] = [await world.person("Mara"), await world.person("Jun")];
  const other = await world.person("Jun");
  await mara.warren.joinMet(metIn(world, jun.id), scanned);
  await other.warren.joinMet(metIn(world, mara.id), scanned);
  await world.untilMet(mara, other);
  expect(mara.warren.chat.rooms.getState()).toEqual([]);
});
