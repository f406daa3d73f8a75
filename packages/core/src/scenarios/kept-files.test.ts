import { describe, expect, it } from "vitest";
import type { FileMessage } from "../messages/message.ts";
import { addressed } from "../testing/addressed.ts";
import { settle } from "../testing/fake-clock.ts";
import { randomBytes } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const chunk = 512 * 1024;

function fileOf(sizeBytes: number): File {
  return new File([new Uint8Array(sizeBytes).fill(7)], "sheet.pdf", { type: "application/pdf" });
}

function fileMessage(person: TestPerson, other: TestPerson): FileMessage {
  const message = person.messages(other.id).findLast(({ type }) => type === "file");
  return message?.type === "file" ? message : expect.fail("no file message");
}

const stateAt = (person: TestPerson, other: TestPerson) =>
  person.offerOf(fileMessage(person, other), other.id);

const untilState = (person: TestPerson, other: TestPerson, state: string) =>
  person.untilMessages(other.id, (messages) =>
    messages.some((message) => message.type === "file" && person.offerOf(message, other.id)?.state === state),
  );

/** Three people in one room: Mara sent Jun a file of `sizeBytes`, and Noor has none. */
async function withKeptFile(sizeBytes: number) {
  const world = new TestWorld();
  const [mara, jun] = await world.twoPeers();
  const noor = await world.person("Noor");
  await noor.warren.room.join();
  await world.untilMet(noor, jun);
  await world.untilMet(noor, mara);
  for (const person of [jun, noor]) person.warren.settings.set("automaticDownload", true);
  await mara.warren.chat.sendFile(jun.id, fileOf(sizeBytes));
  await untilState(jun, mara, "complete");
  return { world, mara, jun, noor, fid: fileMessage(jun, mara).file.fid };
}

type Two = Pick<Awaited<ReturnType<typeof withKeptFile>>, "world" | "mara" | "jun">;

/** Mara sends Jun another file of this many chunks, slowly enough to be still in transfer. */
async function sendSome({ world, mara, jun }: Two, chunks: number) {
  const later = (turn: () => void) => void world.clock.after(250, turn);
  world.network.path.channelOptions = { turnBytes: 32 * 1024, later };
  // Compressed to nothing, it would pass in one turn.
  const file = new File([randomBytes(chunks)], "sheet.pdf", { type: "application/pdf" });
  await mara.warren.chat.sendFile(jun.id, file);
  await jun.untilMessages(mara.id, (messages) => messages.length === 2);
  await world.until(() => stateAt(jun, mara)?.state === "running");
}

describe("a stored file", () => {
  it("has the same key on both sides, with the specified prefix", async () => {
    const { jun, mara, fid } = await withKeptFile(5);
    expect(fid).toMatch(/^file-[0-9a-f-]{36}$/);
    expect(fileMessage(mara, jun).file.fid).toBe(fid);
  });

  it("is forwarded by its id, and arrives completely without its first sender", async () => {
    const { mara, jun, noor, fid } = await withKeptFile(2 * chunk + 5);
    await mara.close();
    await jun.warren.chat.forwardFile(noor.id, fid);
    await untilState(noor, jun, "complete");
    await untilState(jun, noor, "complete");
    expect(fileMessage(noor, jun).file).toEqual(fileMessage(jun, noor).file);
    const arrived = await noor.warren.files.open(fid);
    expect(arrived).toMatchObject({ name: "sheet.pdf", type: "application/pdf", size: 2 * chunk + 5 });
    expect(stateAt(jun, noor)).toEqual({ state: "complete" });
  });

  it("is offered again without being read", async () => {
    const { jun, noor, fid } = await withKeptFile(chunk);
    let reads = 0;
    const { readFile } = jun.files;
    jun.files.readFile = (...args) => {
      reads++;
      return readFile.apply(jun.files, args);
    };
    noor.warren.settings.set("automaticDownload", false);
    await jun.warren.chat.forwardFile(noor.id, fid);
    await untilState(noor, jun, "offered");
    expect(reads).toBe(0);
  });

  it.each([
    ["deleted", (person: TestPerson, fid: string) => person.files.loseBytes(fid)],
    ["cut short", (person: TestPerson, fid: string) => person.files.truncate(fid)],
  ])(
    "whose bytes were %s is missing once it is opened, and comes again when asked for",
    async (_how, lose) => {
      const { world, mara, jun, noor, fid } = await withKeptFile(2 * chunk + 5);
      const stateOf = () => jun.warren.files.store.getState().get(fid)?.state;
      await untilState(mara, jun, "complete");
      lose(jun, fid);
      expect(await jun.warren.files.open(fid)).toBeNull();
      expect(stateOf()).toBe("missing");
      await expect(jun.warren.chat.forwardFile(noor.id, fid)).rejects.toMatchObject({
        code: "cache-data-incomplete",
      });
      await jun.reload();
      await world.untilMet(jun, mara);
      expect(stateOf()).toBe("missing");
      await jun.warren.chat.askAgain(fileMessage(jun, mara).key);
      await world.until(() => stateOf() === "complete");
      expect(await jun.warren.files.open(fid)).toMatchObject({ size: 2 * chunk + 5 });
      expect(stateAt(jun, mara)).toMatchObject({ state: "complete" });
    },
  );

  it("is missing from the start if its bytes were deleted, and complete again if they are back", async () => {
    const { jun, fid } = await withKeptFile(chunk);
    const { listRecords } = jun.files;
    jun.files.listRecords = async () =>
      (await listRecords.call(jun.files)).map((listed) => ({ ...listed, hasBytes: false }));
    await jun.reload();
    const stateOf = () => jun.warren.files.store.getState().get(fid)?.state;
    expect(stateOf()).toBe("missing");
    expect(await jun.warren.files.open(fid)).toMatchObject({ size: chunk });
    expect(stateOf()).toBe("complete");
  });

  it("is not forwarded if it is unknown, incomplete or over the limit", async () => {
    const { world, mara, jun, noor, fid } = await withKeptFile(chunk);
    const forward = (id: string) => jun.warren.chat.forwardFile(noor.id, id);
    await expect(forward("file-nobody-knows")).rejects.toMatchObject({ code: "cache-not-found" });
    jun.warren.settings.set("maxFileSize", 1024 * 1024);
    await expect(forward(fid)).resolves.toBeUndefined();
    jun.warren.settings.set("maxFileSize", 3 * 1024 * 1024);

    await sendSome({ world, mara, jun }, 4);
    await jun.warren.chat.pauseFile(fileMessage(jun, mara).key);
    await expect(forward(fileMessage(jun, mara).file.fid)).rejects.toMatchObject({
      code: "cache-data-incomplete",
    });
  });

  it("is declined by a peer that already has it, and the forwarder is notified", async () => {
    const { mara, jun, noor, fid } = await withKeptFile(1_000);
    await jun.warren.chat.forwardFile(noor.id, fid);
    await untilState(noor, jun, "complete");
    await jun.warren.chat.forwardFile(mara.id, fid);
    await jun.untilMessages(mara.id, () => stateAt(jun, mara)?.state === "failed");
    expect(stateAt(jun, mara)).toMatchObject({ error: { code: "cache-exists" } });
  });

  it("is not revealed to a peer that knows its id but was never offered it", async () => {
    const { jun, noor, fid, mara } = await withKeptFile(1_000);
    const { tree: _tree, ...file } = fileMessage(jun, mara).file;
    jun.warren.settings.set("automaticDownload", false);
    const offer = { type: "send-file", id: "a-guessed-offer", ...file, fid } as const;
    await jun.warren.chat.receive(noor.id, addressed(offer, noor.id, jun.id, 1));
    expect(stateAt(jun, noor)).toEqual({ state: "offered" });
  });

  it("is deleted for good, and its message remains as it was", async () => {
    const { jun, mara, fid } = await withKeptFile(chunk);
    await jun.warren.chat.deleteFiles([fid]);
    expect(jun.warren.files.store.getState()).toEqual(new Map());
    expect(await jun.warren.files.open(fid)).toBeNull();
    expect(stateAt(jun, mara)).toEqual({ state: "complete" });
    await jun.reload();
    expect(jun.warren.files.isLoaded).toBe(true);
    expect(jun.warren.files.store.getState()).toEqual(new Map());
  });

  it("is cancelled before it is deleted during its transfer, and the sender is notified", async () => {
    const { world, mara, jun } = await withKeptFile(1_000);
    await sendSome({ world, mara, jun }, 8);
    const { fid } = fileMessage(jun, mara).file;
    await jun.warren.chat.deleteFiles([fid]);
    expect(jun.warren.files.store.getState().get(fid)).toBeUndefined();
    expect(stateAt(jun, mara)).toEqual({ state: "givenUp" });
    await untilState(mara, jun, "givenUp");
    await settle();
    expect(await jun.files.listRecords()).toHaveLength(1);
  });

  it("is withdrawn when deleted while its offer is pending", async () => {
    const { mara, noor } = await withKeptFile(1_000);
    noor.warren.settings.set("automaticDownload", false);
    await mara.warren.chat.sendFile(noor.id, fileOf(chunk));
    await untilState(noor, mara, "offered");
    await mara.warren.chat.deleteFiles([fileMessage(mara, noor).file.fid]);
    await untilState(noor, mara, "withdrawn");
  });
});
