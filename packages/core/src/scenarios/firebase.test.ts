import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { statusOf } from "../messages/message.ts";
import { peersOf } from "../room/room-state.ts";
import { systemClock } from "../shared/system-clock.ts";
import { FirebasePages } from "../testing/firebase/firebase-pages.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const patient = { timeout: 30_000 };
let pages: FirebasePages;
let people: TestPerson[];

beforeEach(async () => {
  pages = new FirebasePages();
  people = [];
  await pages.open();
});
afterEach(async () => {
  for (const person of people) await person.close();
  await pages.close();
});

const peer = (person: TestPerson, id: string) => peersOf(person.warren.room.store.getState())[id];

it("two meet over Firebase in a room with a password, talk, and one is seen to be gone", async () => {
  const world = new TestWorld();
  world.newSignalling = () => pages.page();
  const [mara, jun] = [
    await world.person("Mara", "tidal", systemClock),
    await world.person("Jun", "tidal", systemClock),
  ];
  people = [mara, jun];
  await mara.warren.room.join();
  await jun.warren.room.join();
  await vi.waitFor(
    () => expect([peer(mara, jun.id)?.ready, peer(jun, mara.id)?.ready]).toEqual([true, true]),
    patient,
  );

  await mara.warren.chat.sendText(jun.id, "hello");
  await jun.warren.chat.sendText(mara.id, "hello yourself");
  await mara.untilMessages(jun.id, (messages) => messages.map(statusOf).join() === "received,received");
  expect(mara.texts(jun.id)).toEqual(["hello", "hello yourself"]);
  // What the database saw of it: no text, no room name, no address.
  expect(JSON.stringify(pages.double.written)).not.toMatch(/hello yourself|burrow|candidate:|v=0/);

  const code = (await mara.warren.shortCodes()).show("https://warren.test/r/burrow");
  const words = await vi.waitFor(() => {
    const state = code.store.getState();
    if (state.status !== "shown") throw new Error(state.status);
    return state.words;
  }, patient);
  expect(await (await jun.warren.shortCodes()).redeem(words)).toBe("https://warren.test/r/burrow");

  // Jun's machine loses power.
  world.network.cut();
  pages.double.block(pages.accountOf(jun.id, "locked"));
  await vi.waitFor(() => expect(peer(mara, jun.id)).toBeUndefined(), patient);
  expect(Object.keys(pages.stored("locked", "members") ?? {})).toHaveLength(1);
});
