import { beforeEach, describe, expect, it } from "vitest";
import { everyone } from "../messages/message.ts";
import { settle } from "../testing/fake-clock.ts";
import { EditedFile } from "../testing/fake-disk.ts";
import {
  type Bytes,
  chunk,
  chunkCount,
  digestOfBlob,
  FileStory,
  fileOf,
  flipped,
  randomBytes,
  time,
} from "../testing/file-story.ts";
import type { TestPerson } from "../testing/test-world.ts";

let story: FileStory;

beforeEach(async () => {
  story = await FileStory.begin();
});

describe("a file whose sender is reloaded", () => {
  it("resumes automatically from the stored copy of a small file", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    await story.reloadSender();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    expect(story.jun.files.writeCount).toBe(chunkCount);
  });

  it("stays accepted if the sender goes before the receiver's storage has opened", async () => {
    const bytes = randomBytes();
    await story.offer(fileOf(bytes));
    await story.until(() => story.isCopied());
    const { mara, jun } = story;
    const maraId = mara.id;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const readDigests = jun.files.readDigests.bind(jun.files);
    jun.files.readDigests = (fid) => opened.then(() => readDigests(fid));
    const accepted = jun.warren.chat.acceptFile(story.message(jun).key);
    await mara.close();
    await story.until(() => !jun.warren.room.isReady(maraId));
    open();
    await accepted;
    await mara.reopen();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("is not offered before it is stored how to reopen it", async () => {
    const { mara, jun } = story;
    let store = (): void => {};
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const writeRecord = mara.files.writeRecord.bind(mara.files);
    mara.files.writeRecord = (...args) => stored.then(() => writeRecord(...args));
    const sent = mara.warren.chat.sendFile(jun.id, fileOf(randomBytes()));
    await story.world.clock.advance(1_000);
    expect(jun.messages(mara.id)).toEqual([]);
    store();
    await sent;
    await story.until(() => jun.messages(mara.id).length === 1);
  });

  it("resumes automatically if the browser can reopen the file", async () => {
    const bytes = randomBytes();
    story.mara.warren.settings.set("keepSentFiles", false);
    story.mara.disk.files.set("long.mov", fileOf(bytes));
    await story.sendSome(fileOf(bytes));
    await story.reloadSender();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("waits for a person's click if the browser asks before it reopens the file", async () => {
    const bytes = randomBytes();
    story.mara.warren.settings.set("keepSentFiles", false);
    story.mara.disk.files.set("long.mov", fileOf(bytes));
    story.mara.disk.permitted = false;
    await story.sendSome(fileOf(bytes));
    await story.reloadSender();
    await story.bothWait("needsSource");
    expect(await story.mara.warren.chat.resumeFile(story.message(story.mara).key)).toBe(true);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("is shown on both sides as having to be chosen again, and then sends only the rest", async () => {
    const bytes = randomBytes();
    story.mara.warren.settings.set("keepSentFiles", false);
    await story.sendSome(fileOf(bytes));
    await story.reloadSender();
    await story.bothWait("needsSource");
    const { key } = story.message(story.mara);
    expect(await story.mara.warren.chat.resumeFile(key)).toBe(false);
    await story.mara.warren.chat.chooseFile(key, fileOf(bytes));
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    expect(story.jun.files.writeCount).toBe(chunkCount);
  });

  it.each([
    ["another size", (bytes: Bytes) => fileOf(bytes.subarray(1))],
    ["another time", (bytes: Bytes) => new File([bytes], "long.mov", { lastModified: 1_700_000_000_000 })],
    ["other bytes where it was sent", (bytes: Bytes) => fileOf(flipped(bytes, 0))],
  ])("accepts no file of %s in its place, and mixes nothing", async (_what, other) => {
    const bytes = randomBytes();
    story.mara.warren.settings.set("keepSentFiles", false);
    await story.sendSome(fileOf(bytes));
    await story.reloadSender();
    await story.bothWait("needsSource");
    const { key } = story.message(story.mara);
    await expect(story.mara.warren.chat.chooseFile(key, other(bytes))).rejects.toMatchObject({
      code: "wrong-file",
    });
    await settle();
    expect(story.offerOf(story.jun)).toEqual({ state: "needsSource" });
    await story.mara.warren.chat.chooseFile(key, fileOf(bytes));
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("never becomes a mixture if previously sent parts differ where the chosen file was not checked", async () => {
    const bytes = randomBytes(40);
    story.mara.warren.settings.set("keepSentFiles", false);
    await story.sendSome(fileOf(bytes), 38);
    await story.reloadSender();
    await story.bothWait("needsSource");
    // Choosing a file compares one of 38 chunks out of every two.
    await story.mara.warren.chat.chooseFile(story.message(story.mara).key, fileOf(flipped(bytes, chunk + 1)));
    await story.until(() => story.offerOf(story.jun)?.state === "failed");
    expect(story.offerOf(story.jun)).toMatchObject({ error: { code: "source-changed" } });
    expect(story.offerOf(story.mara)).toMatchObject({ error: { code: "source-changed" } });
    expect(story.jun.warren.files.isComplete(story.message(story.jun).file.fid)).toBe(false);
  });

  it("resumes after both are reloaded", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    story.jun.files.lose();
    await Promise.all([story.mara.reload(), story.jun.reload()]);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("is shown to its owner as having to be chosen again before anybody accepts, and then sent", async () => {
    const bytes = randomBytes();
    story.mara.warren.settings.set("keepSentFiles", false);
    await story.offer(fileOf(bytes));
    await story.mara.close();
    await story.mara.open();
    await story.mara.warren.room.join();
    await story.until(() => story.offerOf(story.mara)?.state === "needsSource");
    expect(story.offerOf(story.jun)).toEqual({ state: "offered" });
    await story.mara.warren.chat.chooseFile(story.message(story.mara).key, fileOf(bytes));
    await story.until(() => story.offerOf(story.mara)?.state === "offered");
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("removes data that is no longer needed", async () => {
    story.mara.warren.settings.set("keepSentFiles", false);
    await story.sendSome(fileOf(randomBytes()));
    await story.reloadSender();
    await story.bothWait("needsSource");
    await story.mara.warren.chat.cancelFile(story.message(story.mara).key);
    await story.mara.reload();
    expect(await story.mara.files.listRecords()).toEqual([]);
  });
});

describe("a file that is edited while it is sent", () => {
  it("is no longer waiting for other recipients either: its owner has to choose it again", async () => {
    const { world, mara, jun } = story;
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(mara, noor);
    mara.warren.settings.set("keepSentFiles", false);
    const file = new EditedFile([randomBytes()], "long.mov", time);
    file.readsLeft = 1;
    await mara.warren.chat.sendFile(everyone, file);
    const shownIn = (person: TestPerson) => {
      const [message] = person.messages(everyone).filter(({ type }) => type === "file");
      return message?.type === "file" ? message : null;
    };
    await world.until(() => shownIn(jun) !== null && shownIn(noor) !== null);
    await jun.warren.chat.acceptFile(shownIn(jun)?.key ?? expect.fail());
    await world.until(() => shownIn(mara)?.offers[jun.id]?.state === "failed");
    expect(shownIn(mara)?.offers[noor.id]).toEqual({ state: "needsSource" });
    expect(shownIn(noor)?.offers[mara.id]).toEqual({ state: "offered" });
  });

  it("ends with the reason on both sides, and resumes when the unchanged file is chosen", async () => {
    const bytes = randomBytes();
    story.mara.warren.settings.set("keepSentFiles", false);
    const file = new EditedFile([bytes], "long.mov", time);
    file.readsLeft = 1;
    await story.offer(file);
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.until(
      () => story.offerOf(story.jun)?.state === "failed" && story.offerOf(story.mara)?.state === "failed",
    );
    for (const state of [story.offerOf(story.jun), story.offerOf(story.mara)])
      expect(state).toMatchObject({ error: { code: "source-changed" } });
    const { files } = story.mara.warren;
    const { fid } = story.message(story.mara).file;
    // It can still be read to find out what changed.
    expect([await files.open(fid), files.offered.changedFileOf(fid)]).toEqual([null, file]);
    await story.jun.warren.chat.resumeFile(story.message(story.jun).key);
    await story.bothWait("needsSource");
    await story.mara.warren.chat.chooseFile(story.message(story.mara).key, fileOf(bytes));
    expect(files.offered.changedFileOf(fid)).toBeNull();
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("arrives as it was offered if its receiver asks again and a copy was kept", async () => {
    const bytes = randomBytes();
    const file = new EditedFile([bytes], "long.mov", time);
    await story.offer(file);
    await story.until(() => story.isCopied());
    file.readsLeft = 1;
    await story.jun.warren.chat.acceptFile(story.message(story.jun).key);
    await story.until(() => story.offerOf(story.jun)?.state === "failed");
    await story.jun.warren.chat.resumeFile(story.message(story.jun).key);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });
});
