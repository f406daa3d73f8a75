import { describe, expect, it, vi } from "vitest";
import type { FileMessage } from "../messages/message.ts";
import { addressed } from "../testing/addressed.ts";
import { type Bytes, digestOfBlob, fileOf, flipped, randomBytes } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const already = { state: "complete", already: true };
/** An offset in a file of several MiB outside of all sampled pieces. */
const betweenSamples = 65_536 + 1_000;

function filesOf(person: TestPerson, other: TestPerson): readonly FileMessage[] {
  return person.messages(other.id).filter((message) => message.type === "file");
}

function stateOf(person: TestPerson, other: TestPerson, index: number) {
  const message = filesOf(person, other)[index];
  return message && person.offerOf(message, other.id);
}

/** Records the types of a person's messages to another from now on. */
function listenTo(person: TestPerson, other: TestPerson): () => readonly string[] {
  const send = vi.spyOn(person.warren.room, "send");
  return () => send.mock.calls.filter(([to]) => to === other.id).map(([, { type }]) => type);
}

/** Two people, one of whom has sent the other a file. */
async function withSentFile(bytes: Bytes = randomBytes(3)) {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  jun.warren.settings.set("automaticDownload", true);
  await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
  await world.until(() => stateOf(mara, jun, 0)?.state === "complete");
  return { world, mara, jun, bytes };
}

describe("a file that both people have", () => {
  it("is complete at once when sent again, without transferring bytes", async () => {
    const { world, mara, jun, bytes } = await withSentFile();
    const written = jun.files.writeCount;
    await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
    await world.until(() => stateOf(mara, jun, 1)?.state === "complete");
    await world.until(() => stateOf(jun, mara, 1)?.state === "complete");
    expect(stateOf(mara, jun, 1)).toEqual(already);
    expect(stateOf(jun, mara, 1)).toEqual(already);
    expect(jun.files.writeCount).toBe(written);
    expect([...jun.warren.transfers.store.getState().keys()]).toHaveLength(1);
    const [first, second] = filesOf(jun, mara);
    expect(second?.file.fid).toBe(first?.file.fid);
  });

  it("is recognized after both pages were reloaded, and when it is sent back", async () => {
    const { world, mara, jun, bytes } = await withSentFile();
    await world.until(() => filesOf(mara, jun).every(({ file }) => isStored(mara, file.fid)));
    await mara.reload();
    await jun.reload();
    await world.untilMet(mara, jun);
    await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
    await world.until(() => stateOf(jun, mara, 1)?.state === "complete");
    expect(stateOf(jun, mara, 1)).toEqual(already);
    await jun.warren.chat.sendFile(mara.id, fileOf(bytes));
    await world.until(() => stateOf(mara, jun, 2)?.state === "complete");
    expect(stateOf(mara, jun, 2)).toEqual(already);
  });

  it("with one changed byte arrives like any other, though its sample is equal", async () => {
    const { world, mara, jun, bytes } = await withSentFile(randomBytes(8));
    const other = flipped(bytes, betweenSamples);
    const said = listenTo(jun, mara);
    await mara.warren.chat.sendFile(jun.id, fileOf(other));
    await world.until(() => stateOf(jun, mara, 1)?.state === "complete");
    expect(said()).toContain("same-file");
    expect(stateOf(jun, mara, 1)).toEqual({ state: "complete" });
    const fid = filesOf(jun, mara)[1]?.file.fid ?? expect.fail();
    const arrived = await jun.warren.files.open(fid);
    expect(await digestOfBlob(arrived ?? expect.fail())).toBe(await digestOfBlob(new Blob([other])));
  });

  it("arrives like any other if the sender does not report its own root", async () => {
    const { world, mara, jun, bytes } = await withSentFile();
    vi.spyOn(mara.warren.files, "openSource").mockResolvedValueOnce(false);
    await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
    await world.until(() => stateOf(jun, mara, 1)?.state === "complete");
    expect(stateOf(jun, mara, 1)).toEqual({ state: "complete" });
  });

  it("is recognized at the next meeting if the sender's answer was lost, though the file is gone there", async () => {
    const { world, mara, jun, bytes } = await withSentFile();
    jun.warren.settings.set("automaticDownload", false);
    const { room } = mara.warren;
    const send = room.send.bind(room);
    vi.spyOn(room, "send").mockImplementation((to, message) =>
      message.type === "same-file" ? addressed(message, mara.id, to, 0) : send(to, message),
    );
    await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
    await world.until(() => stateOf(mara, jun, 1)?.state === "complete");
    const fid = filesOf(mara, jun)[1]?.file.fid ?? expect.fail();
    await mara.warren.chat.deleteFiles([fid]);
    expect(stateOf(jun, mara, 1)).toEqual({ state: "offered" });
    const written = jun.files.writeCount;
    await mara.reload();
    await world.untilMet(mara, jun);
    await world.until(() => stateOf(jun, mara, 1)?.state === "complete");
    expect([stateOf(mara, jun, 1), stateOf(jun, mara, 1)]).toEqual([already, already]);
    expect(jun.files.writeCount).toBe(written);
  });

  it("is not recognized by a root that the sender only claims", async () => {
    const { world, mara, jun } = await withSentFile();
    jun.warren.settings.set("automaticDownload", false);
    await mara.warren.chat.sendFile(jun.id, fileOf(randomBytes(2)));
    await world.until(() => filesOf(jun, mara).length === 2);
    const id = filesOf(jun, mara)[1]?.id ?? expect.fail();
    const claim = { type: "same-file", id, root: "0".repeat(64) } as const;
    await jun.warren.chat.receive(mara.id, addressed(claim, mara.id, jun.id, 0));
    expect(stateOf(jun, mara, 1)).toEqual({ state: "offered" });
  });

  it("is searched only among files exchanged by the two", async () => {
    const { world, mara, jun, bytes } = await withSentFile();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(noor, jun);
    const said = listenTo(jun, noor);
    await noor.warren.chat.sendFile(jun.id, fileOf(bytes));
    await world.until(() => stateOf(jun, noor, 0)?.state === "complete");
    expect(said()).not.toContain("same-file");
    expect(stateOf(jun, noor, 0)).toEqual({ state: "complete" });
    expect(stateOf(jun, mara, 0)).toEqual({ state: "complete" });
  });

  it("is read for one comparison, however many requests come with any root", async () => {
    const { world, mara, jun } = await withSentFile();
    jun.warren.settings.set("automaticDownload", false);
    await mara.warren.chat.sendFile(jun.id, fileOf(randomBytes(2)));
    await world.until(() => filesOf(jun, mara).length === 2);
    const said = listenTo(mara, jun);
    const id = filesOf(mara, jun)[1]?.id ?? expect.fail();
    const wrong = { type: "same-file", id, root: "0".repeat(64) } as const;
    for (let time = 0; time < 3; time++)
      await mara.warren.chat.receive(jun.id, addressed(wrong, jun.id, mara.id, 0));
    const strange = { ...wrong, id: "no-offer-of-mine" };
    await mara.warren.chat.receive(jun.id, addressed(strange, jun.id, mara.id, 0));
    expect(said()).toEqual(["same-file"]);
    expect(stateOf(mara, jun, 1)).toEqual({ state: "offered" });
  });
});

describe("a file sent again before it has arrived", () => {
  async function underWay() {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const bytes = randomBytes(8);
    await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
    await world.until(() => filesOf(jun, mara).length === 1);
    jun.files.holdAt = 2;
    const accept = () => jun.warren.chat.acceptFile(filesOf(jun, mara)[0]?.key ?? expect.fail());
    const sendAgain = async () => {
      await mara.warren.chat.sendFile(jun.id, fileOf(bytes));
      await world.until(() => filesOf(jun, mara).length === 2);
    };
    const both = (state: string) =>
      [0, 1].every(
        (index) => stateOf(jun, mara, index)?.state === state && stateOf(mara, jun, index)?.state === state,
      );
    return { world, mara, jun, accept, sendAgain, both };
  }

  it("joins the running transfer", async () => {
    const { world, jun, mara, accept, sendAgain, both } = await underWay();
    await accept();
    await world.until(() => jun.files.writeCount >= 2 && stateOf(mara, jun, 0)?.state === "running");
    await sendAgain();
    expect(both("running")).toBe(true);
    jun.files.release();
    await world.until(() => both("complete"));
    expect(jun.files.writeCount).toBe(8);
    expect([...jun.warren.transfers.store.getState().keys()]).toHaveLength(1);
  });

  it("is withdrawn as one", async () => {
    const { world, mara, jun, sendAgain, both } = await underWay();
    await sendAgain();
    expect(both("offered")).toBe(true);
    await mara.warren.chat.cancelFile(filesOf(mara, jun)[0]?.key ?? expect.fail());
    await world.until(() => both("withdrawn"));
  });

  it("continues though one of its messages is removed", async () => {
    const { world, mara, jun, accept, sendAgain } = await underWay();
    await sendAgain();
    await accept();
    await world.until(() => jun.files.writeCount >= 2);
    await mara.warren.chat.remove(filesOf(mara, jun)[0]?.key ?? expect.fail());
    jun.files.release();
    await world.until(() => stateOf(jun, mara, 1)?.state === "complete");
    expect(stateOf(mara, jun, 0)?.state).toBe("complete");
  });

  it("is a different file if one byte differs", async () => {
    const { world, mara, jun } = await underWay();
    await mara.warren.chat.sendFile(jun.id, fileOf(randomBytes(8)));
    await world.until(() => filesOf(jun, mara).length === 2);
    const [first, second] = filesOf(jun, mara);
    expect(second?.file.fid).not.toBe(first?.file.fid);
  });
});

function isStored(person: TestPerson, fid: string): boolean {
  return person.warren.files.store.getState().get(fid)?.location === "storage";
}
