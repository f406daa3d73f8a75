import { expect, it } from "vitest";
import { digestOfBlob, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";

const kib = 1024;

/** A file is transferred to Jun at 512 KiB a second, and partly stored. */
async function underWay() {
  const bytes = randomBytes();
  const story = await FileStory.begin();
  const { clock, network } = story.world;
  network.path.channelOptions = { turnBytes: 32 * kib, later: (turn) => void clock.after(64, turn) };
  await story.offer(fileOf(bytes));
  await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
  await story.until(() => story.jun.files.writeCount >= 4);
  const sentBytes = () =>
    network.made.flatMap(({ channels }) => channels).reduce((sum, channel) => sum + channel.sentBytes, 0);
  return { story, bytes, sentBytes };
}

it.each([
  { seconds: 8, server: "stays" },
  { seconds: 8, server: "is cut off too" },
  { seconds: 30, server: "stays" },
  { seconds: 30, server: "is cut off too" },
])(
  "a file resumes by itself after the network was cut for $seconds s while the server $server",
  async ({ seconds, server }) => {
    const { story, bytes, sentBytes } = await underWay();
    const { clock, network, signalling } = story.world;
    network.cut();
    if (server !== "stays") signalling.stop();
    const stored = story.jun.files.writeCount;
    await clock.advance(seconds * 1_000);
    expect(story.jun.files.writeCount).toBeLessThanOrEqual(stored + 1);
    const waits = [story.mara, story.jun].map((person) => story.offerOf(person)?.state === "accepted");
    // After eight seconds the connection is not given up yet, and recovers.
    expect(waits).toEqual([seconds > 20, seconds > 20]);

    network.heal();
    if (server !== "stays") signalling.resume();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    // The data in flight, the conversation, and no more.
    expect(sentBytes() - bytes.byteLength).toBeLessThan(1_024 * kib);
  },
);
