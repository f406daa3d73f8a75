import { messageRates } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { statusOf } from "../messages/message.ts";
import { settle } from "../testing/fake-clock.ts";
import { TestWorld } from "../testing/test-world.ts";

const textCharacters = 199 * 1024;

/** A text that begins with its number. */
const largeText = (index: number) => `${index}`.padEnd(textCharacters, ".");

describe("many large texts for somebody who is away", () => {
  it.each([60, 100])("all arrive in order at the documented rate: %i of 199 KiB", async (count) => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const junId = jun.id;
    await jun.close();
    await settle();
    for (let index = 0; index < count; index++) await mara.warren.chat.sendText(junId, largeText(index));
    const statuses = new Set<string>();
    mara.warren.chat.store.subscribe(() => {
      for (const message of mara.messages(junId)) statuses.add(statusOf(message));
    });
    const issues: string[] = [];
    await jun.open();
    jun.warren.room.on("violation", (_, issue) => issues.push(issue));
    await jun.warren.room.join();
    await world.untilMet(mara, jun);

    const heldUp = () => mara.warren.chat.heldUp.getState()[junId];
    await world.clock.advance(2_000);
    expect(heldUp()).toBe(count - jun.texts(mara.id).length);
    const { burst, perSecond } = messageRates.characters;
    await world.clock.advance((1_000 * (count * textCharacters - burst)) / perSecond + 5_000);
    expect(heldUp()).toBeUndefined();
    expect(issues).toEqual([]);
    expect(jun.texts(mara.id).map((text) => Number.parseInt(text, 10))).toEqual([...Array(count).keys()]);
    expect([...statuses].sort()).toEqual(["received", "sending"]);
  });
});

it("a text that the browser's full buffer refuses is sent once there is space", async () => {
  const world = new TestWorld();
  world.network.path.channelOptions = { bufferBytes: 300 * 1024 };
  const [mara, jun] = await world.twoPeers();
  await Promise.all([0, 1, 2].map((index) => mara.warren.chat.sendText(jun.id, largeText(index))));
  await world.until(() => mara.messages(jun.id).every((message) => statusOf(message) === "received"));
  expect(jun.texts(mara.id)).toHaveLength(3);
});
