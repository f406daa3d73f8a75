import { expect, it } from "vitest";
import { everyone } from "../messages/message.ts";
import { layoutRecord } from "../messages/stored-chat.ts";
import { localTagOf, roomTagOf } from "../room/room-tag.ts";
import { TestWorld } from "../testing/test-world.ts";

const byName = roomTagOf("burrow");
const tag = localTagOf({ roomId: "burrow", password: "tidal" });
const { everyoneIs: _later, ...ofOneRoom } = Object(layoutRecord(byName).value);
const room = { id: "burrow", tag: byName, password: "tidal", firstVisit: 1, lastVisit: 1, title: "Home" };

it.each([
  ["with one conversation for all rooms", [{ ...layoutRecord(byName), value: ofOneRoom }]],
  [
    "that kept a room under the tag of its name",
    [layoutRecord(byName), { key: `room/${byName}`, group: "rooms", order: 1, value: room }],
  ],
])("50,000 messages of a version %s are those of the room of name and password", async (_name, layout) => {
  const world = new TestWorld();
  const mara = await world.person("Mara", "tidal");
  const jun = await world.person("Jun", "tidal");
  const from = jun.id;
  await mara.close();
  const texts = Array.from({ length: 50_000 }, (_, index) => {
    const [at, id] = [index + 1, `said-text-${index + 1}`];
    const head = { id, conversation: everyone, client: from, createdAt: at, sortedAt: at, deliveries: {} };
    const value = { ...head, type: "text", data: `text ${at}` };
    return { key: `${from}/${id}`, group: `messages/${everyone}`, order: at, value };
  });
  const read = { key: `read/${everyone}`, group: "reads", order: 0, value: { readUntil: 49_990 } };
  await mara.store([...layout, read, ...texts]);

  const unread = () => mara.warren.chat.store.getState().conversations[everyone]?.unread;
  const goTo = async (password: string | null) => {
    mara.warren.room.leave();
    mara.warren.profile.update({ password });
    await mara.warren.room.join();
  };
  for (const visit of ["the first", "a later"]) {
    await mara.open();
    expect(mara.texts(everyone).at(-1), visit).toBe("text 50000");
    expect(unread(), visit).toBe(10);
    for (const other of [null, "salt"]) {
      await goTo(other);
      expect(mara.texts(everyone), visit).toEqual([]);
      expect(mara.texts(tag).at(-1), visit).toBe("text 50000");
    }
    await goTo("tidal");
    expect(mara.texts(everyone).at(-1), visit).toBe("text 50000");
    await mara.close();
  }
  const stored = await mara.storedRecords();
  expect(stored.filter(({ group }) => group === `messages/${everyone}`)).toHaveLength(50_000);

  await mara.reopen();
  await jun.warren.room.join();
  await world.untilMet(mara, jun);
  await jun.warren.chat.sendText(everyone, "after the upgrade");
  await mara.untilMessages(everyone, () => mara.texts(everyone).at(-1) === "after the upgrade");
  await mara.reload();
  expect(mara.texts(everyone).slice(-2)).toEqual(["text 50000", "after the upgrade"]);
});
