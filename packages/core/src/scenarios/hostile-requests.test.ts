import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FileMessage } from "../messages/message.ts";
import { errorAnswer } from "../messages/wire-error.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { MemoryRecordStorage } from "../shared/storage/memory-record-storage.ts";
import { addressed } from "../testing/addressed.ts";
import { settle } from "../testing/fake-clock.ts";
import { fileOf, randomBytes } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

let world: TestWorld;
let mara: TestPerson;
let jun: TestPerson;

beforeEach(async () => {
  world = new TestWorld();
  [mara, jun] = await world.twoPeers();
});

const filesOf = (person: TestPerson, other: TestPerson): readonly FileMessage[] =>
  person.messages(other.id).filter((message) => message.type === "file");

/** Has a person receive a message as if this client had sent it. */
function receive(person: TestPerson, from: TestPerson, message: OutgoingMessage): Promise<void> {
  return person.warren.chat.receive(from.id, addressed(message, from.id, person.id, world.clock.now()));
}

/** Jun receives a file from Mara. @returns Jun's message about it. */
async function passFile(): Promise<FileMessage> {
  jun.warren.settings.set("automaticDownload", true);
  await mara.warren.chat.sendFile(jun.id, fileOf(randomBytes(2)));
  await world.until(() => filesOf(mara, jun)[0]?.offers[jun.id]?.state === "complete");
  jun.warren.settings.set("automaticDownload", false);
  return filesOf(jun, mara)[0] ?? expect.fail();
}

async function stranger(name: string): Promise<TestPerson> {
  const person = await world.person(name);
  await person.warren.room.join();
  await world.untilMet(person, jun);
  return person;
}

describe("a stranger that knows the id and description of a file held here", () => {
  it("neither gets nor lists it by offering it, and does not learn that it is here", async () => {
    const { file } = await passFile();
    const noor = await stranger("Noor");
    const answers = vi.spyOn(jun.warren.room, "send");
    const lists = vi.spyOn(jun.warren.room, "sendInTurn");
    const { tree: _, ...description } = file;
    const offer = { type: "send-file", ...description } as const;
    for (const id of ["first-offer", "second-offer"]) await receive(jun, noor, { ...offer, id });
    await receive(jun, noor, { type: "request-storage", id: "the-list" });
    await receive(jun, noor, { type: "request-file", id: "the-request", fid: file.fid });
    await settle();
    const toNoor = [...answers.mock.calls, ...lists.mock.calls]
      .filter(([to]) => to === noor.id)
      .map(([, message]) => message);
    expect(toNoor).toContainEqual(expect.objectContaining({ type: "storage", data: [], total: 0 }));
    expect(toNoor).toContainEqual(expect.objectContaining({ id: "the-request", code: "cache-not-found" }));
    expect(JSON.stringify(toNoor)).not.toContain("cache-exists");
    expect([...jun.warren.transfers.store.getState().values()]).not.toContainEqual(
      expect.objectContaining({ peerId: noor.id }),
    );
  });

  it("does not pass it off as another one of its id, neither by an answer nor after a reload", async () => {
    const { file } = await passFile();
    const noor = await stranger("Noor");
    const { tree: _, ...description } = file;
    const other = { ...description, fileSize: file.fileSize + 1 };
    await receive(jun, noor, { type: "send-file", id: "another-file", ...other });
    await noor.warren.room.leave();
    await world.until(() => !jun.warren.room.isReady(noor.id));
    const message = filesOf(jun, noor)[0] ?? expect.fail();
    await jun.warren.chat.acceptFile(message.key);
    const stateNow = () => filesOf(jun, noor)[0]?.offers[noor.id]?.state;
    await jun.reload();
    await settle();
    expect(stateNow()).toBe("accepted");
    await receive(jun, noor, errorAnswer(message.id, new WarrenError("already-complete")));
    await settle();
    expect(stateNow()).toBe("failed");
  });

  it("does not have more than 16 messages about it kept", async () => {
    const head = { fileName: "a.bin", fileSize: 9, mimeType: "", lastModified: 0, chunkSize: 524_288 };
    for (let n = 0; n < 40; n++) {
      await receive(jun, mara, {
        type: "send-file",
        id: `offer-number-${n}`,
        fid: "one-and-the-same",
        ...head,
      });
      await receive(jun, mara, { type: "cancel-file", fid: "one-and-the-same" });
    }
    expect(filesOf(jun, mara)).toHaveLength(16);
  });
});

it("counts what a client's requests have us store as stored by it", async () => {
  const { file } = await passFile();
  const noor = await stranger("Noor");
  jun.warren.settings.set("shareFilesWithRoom", true);
  await receive(jun, noor, { type: "request-file", id: "the-request", fid: file.fid });
  await settle();
  expect(filesOf(jun, noor)).toHaveLength(1);
  expect(jun.warren.chat.store.getState().storageUsage[noor.id]?.bytes).toBeGreaterThan(4_096);
});

it("gives a client's quota back with the message that its request had us store, also after a reload", async () => {
  const { file } = await passFile();
  const noor = await stranger("Noor");
  jun.warren.settings.set("shareFilesWithRoom", true);
  const bytes = () => jun.warren.chat.store.getState().storageUsage[noor.id]?.bytes ?? 0;
  await receive(jun, noor, { type: "send-text", id: "a-first-text", data: "hello" });
  const before = bytes();
  await receive(jun, noor, { type: "request-file", id: "the-request", fid: file.fid });
  await settle();
  expect(bytes()).toBeGreaterThan(before);
  await jun.reload();
  for (const { key } of filesOf(jun, noor)) await jun.warren.chat.remove(key);
  expect(bytes()).toBe(before);
});

it("does not count a request whose id is taken", async () => {
  const { file } = await passFile();
  const noor = await stranger("Noor");
  jun.warren.settings.set("shareFilesWithRoom", true);
  await jun.warren.chat.sendText(mara.id, "thanks");
  const { id } = jun.messages(mara.id).at(-1) ?? expect.fail();
  await receive(jun, noor, { type: "send-text", id: "a-first-text", data: "hello" });
  const before = jun.warren.chat.store.getState().storageUsage[noor.id];
  await receive(jun, noor, { type: "request-file", id, fid: file.fid });
  await settle();
  expect(jun.warren.chat.store.getState().storageUsage[noor.id]).toEqual(before);
});

describe("while storage does not answer", () => {
  /** Has the next lookup of files wait. @returns what answers it. */
  function holdLookup(): () => void {
    let answer = () => {};
    vi.spyOn(MemoryRecordStorage.prototype, "about").mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          answer = () => resolve([]);
        }),
    );
    return () => answer();
  }

  it("requests for a list share one lookup", async () => {
    const { key } = await passFile();
    await jun.warren.chat.remove(key);
    const lookups = vi
      .spyOn(MemoryRecordStorage.prototype, "about")
      .mockImplementation(() => new Promise(() => {}));
    for (let n = 0; n < 20; n++) {
      void receive(jun, mara, { type: "request-storage", id: `the-list-${n}` });
      await world.clock.advance(251);
    }
    expect(lookups).toHaveBeenCalledOnce();
  });

  it("at most 1,000 messages of a client wait, and none is shown once it is blocked", async () => {
    const answer = holdLookup();
    void receive(jun, mara, { type: "resume-file", fid: "no-such-file" });
    const texts = Array.from({ length: 1_500 }, (_, n) =>
      receive(jun, mara, { type: "send-text", id: `text-number-${n}`, data: "x" }),
    );
    await settle();
    answer();
    await Promise.all(texts);
    expect(jun.messages(mara.id).map(({ id }) => id)).toEqual(
      Array.from({ length: 999 }, (_, n) => `text-number-${n}`),
    );

    const again = holdLookup();
    void receive(jun, mara, { type: "resume-file", fid: "no-other-file" });
    const late = receive(jun, mara, { type: "send-text", id: "a-late-text", data: "x" });
    jun.warren.chat.block(mara.id);
    await settle();
    again();
    await late;
    expect(jun.messages(mara.id)).toHaveLength(999);
  });
});

it("accepts nothing by an offer whose id another one had", async () => {
  jun.warren.chat.markVerified(mara.id);
  jun.warren.settings.set("automaticPictures", true);
  const head = { type: "send-file", id: "the-same-id", lastModified: 0, chunkSize: 524_288 } as const;
  const large = { fid: "a-large-file", fileName: "a.exe", fileSize: 500 * 1024 ** 2, mimeType: "" };
  const small = { fid: "a-small-file", fileName: "a.png", fileSize: 1_000, mimeType: "image/png" };
  await Promise.all([large, small].map((file) => receive(jun, mara, { ...head, ...file })));
  await settle();
  expect(filesOf(jun, mara).map(({ file, offers }) => [file.fid, offers[mara.id]])).toEqual([
    ["a-large-file", { state: "offered" }],
  ]);
});

it("accepts nothing by a small file that has the id of a large one", async () => {
  const head = { type: "send-file", fid: "one-and-the-same", lastModified: 0, chunkSize: 524_288 } as const;
  const small = { id: "the-small-one", fileName: "a.png", fileSize: 1_000, mimeType: "image/png" };
  const large = { id: "the-large-one", fileName: "a.exe", fileSize: 500 * 1024 ** 2, mimeType: "" };
  for (const file of [small, large]) await receive(jun, mara, { ...head, ...file });
  const [offer = expect.fail()] = filesOf(jun, mara);
  const maraId = mara.id;
  await mara.close();
  await world.until(() => !jun.warren.room.isReady(maraId));
  await jun.warren.chat.acceptFile(offer.key);
  const offers = jun
    .messages(maraId)
    .flatMap((one) => (one.type === "file" ? [[one.file.fileName, one.offers[maraId]]] : []));
  expect(offers).toEqual([["a.png", { state: "accepted" }]]);
});
