import { expect, it } from "vitest";
import { digestOfBlob, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";
import { TestWorld } from "../testing/test-world.ts";

const dayMs = 86_400_000;

it.each([
  { clock: "stands in 1969", aheadMs: Date.UTC(1969, 6, 20) - 1_700_000_000_000 },
  { clock: "is 400 days behind", aheadMs: -400 * dayMs },
  { clock: "is 30 years ahead", aheadMs: 30 * 365 * dayMs },
])(
  "two people meet and write, and find it after a reload, when the clock of one $clock",
  async ({ aheadMs }) => {
    const world = new TestWorld();
    const { clock } = world;
    const mara = await world.person("Mara", "secret", {
      now: () => clock.now() + aheadMs,
      elapsedMs: () => clock.elapsedMs(),
      after: (...timer) => clock.after(...timer),
      every: (...timer) => clock.every(...timer),
    });
    const jun = await world.person("Jun", "secret");
    await mara.warren.room.join();
    await jun.warren.room.join();
    await world.untilMet(mara, jun);
    await mara.warren.chat.sendText(jun.id, "from Mara");
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    await jun.warren.chat.sendText(mara.id, "from Jun");
    await mara.untilMessages(jun.id, (messages) => messages.length === 2);
    const isReceived = () => mara.messages(jun.id)[0]?.deliveries[jun.id]?.status === "received";
    await world.until(isReceived);

    const id = jun.id;
    await mara.reload();
    await world.untilMet(mara, jun);
    expect(mara.texts(id)).toEqual(["from Mara", "from Jun"]);
    expect(jun.texts(mara.id)).toEqual(["from Mara", "from Jun"]);
  },
);

it.each([
  { how: "back to 1969", now: Date.UTC(1969, 6, 20) },
  { how: "30 years ahead", now: Date.UTC(2053, 0, 1) },
])(
  "a file resumes after a lost connection, and texts keep their order, when the clock is set $how",
  async ({ now }) => {
    const bytes = randomBytes();
    const story = await FileStory.begin();
    const { clock, network } = story.world;
    network.path.channelOptions = { turnBytes: 32 * 1024, later: (turn) => void clock.after(64, turn) };
    await story.offer(fileOf(bytes));
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.until(() => story.jun.files.writeCount >= 4);
    await story.mara.warren.chat.sendText(story.jun.id, "before");
    await story.until(() => story.jun.texts(story.mara.id).length === 1);
    clock.set(now);
    network.cut();
    await clock.advance(30_000);
    network.heal();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    await story.mara.warren.chat.sendText(story.jun.id, "after");
    await story.until(() => story.jun.texts(story.mara.id).length === 2);
    expect(story.jun.texts(story.mara.id)).toEqual(["before", "after"]);
  },
);
