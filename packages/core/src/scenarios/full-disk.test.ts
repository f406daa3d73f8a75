import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { recordOf } from "../files/stored-file.ts";
import { statusOf } from "../messages/message.ts";
import { starterId } from "../messages/starter.ts";
import { peersOf } from "../room/room-state.ts";
import { randomUuid } from "../shared/ids.ts";
import { settle } from "../testing/fake-clock.ts";
import { digestOfBlob, FileStory, fileOf, randomBytes } from "../testing/file-story.ts";
import type { TestPerson } from "../testing/test-world.ts";

let story: FileStory;
let mara: TestPerson;
let jun: TestPerson;

beforeEach(async () => {
  story = await FileStory.begin();
  ({ mara, jun } = story);
});

const unsaved = (person: TestPerson) => person.warren.chat.store.getState().unsaved;

describe("a disk that another program fills and frees again", () => {
  it("still shows new messages, and stores and acknowledges them once there is space", async () => {
    jun.setDiskFull(true);
    await mara.warren.chat.sendText(jun.id, "one");
    await jun.warren.chat.sendText(mara.id, "two");
    await story.until(() => jun.texts(mara.id).length === 2 && mara.texts(jun.id).length === 2);
    expect(unsaved(jun)).toBeGreaterThan(0);
    const sent = () => mara.messages(jun.id).find(({ client }) => client === mara.id);
    expect(sent()?.deliveries[jun.id]?.status).not.toBe("received");
    jun.setDiskFull(false);
    await story.until(() => mara.messages(jun.id).every((message) => statusOf(message) === "received"));
    expect(unsaved(jun)).toBe(0);
    await jun.reload();
    expect(jun.texts(mara.id).toSorted()).toEqual(["one", "two"]);
    expect(jun.messages(mara.id).map(statusOf)).toEqual(["received", "received"]);
  });

  it("receives unstored messages again if the page is closed before there is space", async () => {
    jun.setDiskFull(true);
    await mara.warren.chat.sendText(jun.id, "one");
    await story.until(() => jun.texts(mara.id).length === 1);
    const { id } = jun;
    jun.vanish();
    jun.setDiskFull(false);
    await jun.open();
    expect(jun.texts(mara.id)).toEqual([]);
    await jun.warren.room.join();
    await story.until(() => mara.messages(id).every((message) => statusOf(message) === "received"));
    expect(jun.texts(mara.id)).toEqual(["one"]);
  });

  it("stores the last of several changes, and no message that was removed meanwhile", async () => {
    await mara.warren.chat.sendText(jun.id, "kept");
    await story.until(() => jun.texts(mara.id).length === 1);
    jun.setDiskFull(true);
    for (const text of ["removed", "also kept"]) await mara.warren.chat.sendText(jun.id, text);
    await story.until(() => jun.texts(mara.id).length === 3);
    const removed = jun.messages(mara.id)[1];
    if (removed) await jun.warren.chat.remove(removed.key);
    jun.warren.chat.setRedirect(mara.id, true);
    await settle();
    jun.warren.chat.setRedirect(mara.id, false);
    await settle();
    jun.setDiskFull(false);
    await story.until(() => unsaved(jun) === 0);
    await jun.reload();
    expect(jun.texts(mara.id)).toEqual(["kept", "also kept"]);
    expect(jun.warren.chat.store.getState().contacts[mara.id]?.redirect).toBe(false);
  });

  it("is used again after the browser emptied its storage: the page's data survives a reload", async () => {
    await story.offer(fileOf(randomBytes()));
    await jun.warren.chat.acceptFile(story.message(jun).key);
    await story.complete();
    const { fid } = story.message(jun).file;
    for (const text of ["one", "two"]) await mara.warren.chat.sendText(jun.id, text);
    await jun.untilMessages(mara.id, (messages) => messages.length === 3);
    jun.warren.chat.setRedirect(mara.id, true);
    await settle();
    jun.setDiskFull(true);
    await jun.emptyStorage();
    await mara.warren.chat.sendText(jun.id, "three");
    await jun.untilMessages(mara.id, (messages) => messages.length === 4);
    jun.setDiskFull(false);
    await story.until(() => unsaved(jun) === 0 && jun.timesKeptWereRestored > 0);
    await settle();
    await jun.reload();
    expect(jun.texts(mara.id)).toEqual(["one", "two", "three"]);
    const { contacts, conversations } = jun.warren.chat.store.getState();
    expect(contacts[mara.id]).toMatchObject({ name: "Mara", redirect: true });
    expect(conversations[mara.id]?.unread).toBe(4);
    // Its bytes are lost for good, and reported as missing.
    expect(jun.warren.files.store.getState().get(fid)?.state).toBe("missing");
  });

  it("resumes a file automatically, whether storage rejected bytes or the record", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    jun.setDiskFull(true);
    jun.files.release();
    await story.bothWait("needsSpace");
    await story.world.clock.advance(120_000);
    expect(story.offerOf(jun)?.state).toBe("needsSpace");
    jun.setDiskFull(false);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("starts a file that was accepted meanwhile", async () => {
    const bytes = randomBytes();
    await story.offer(fileOf(bytes));
    jun.setDiskFull(true);
    await jun.warren.chat.acceptFile(story.message(jun).key);
    await story.bothWait("needsSpace");
    jun.setDiskFull(false);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("is waited for although the sender asks again while the file is being prepared", async () => {
    await story.offer(fileOf(randomBytes()));
    jun.setDiskFull(true);
    await jun.warren.chat.acceptFile(story.message(jun).key);
    await story.bothWait("needsSpace");
    jun.setDiskFull(false);
    jun.files.limitBytes = 0;
    const { fid } = story.message(jun).file;
    for (let n = 0; n < 2; n++) mara.warren.room.send(jun.id, { type: "resume-file", fid });
    await story.world.clock.advance(1_000);
    expect(story.offerOf(jun)).toEqual({ state: "needsSpace" });
  });

  it("completes a file that had all its bytes", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes), 11);
    const write = jun.files.writeRecord.bind(jun.files);
    jun.files.writeRecord = async (...args) => {
      jun.setDiskFull(true);
      await write(...args);
    };
    jun.files.release();
    await story.until(() => story.offerOf(jun)?.state === "needsSpace");
    jun.files.writeRecord = write;
    jun.setDiskFull(false);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("is waited for by a page that is reloaded meanwhile: file and messages continue once there is space", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    // No message needs this file any more, and it cannot be deleted on a full disk.
    const unneeded = { ...story.message(jun).file, fid: randomUuid() };
    await jun.files.writeRecord(unneeded.fid, recordOf(unneeded, mara.id, 0));
    const { remove } = jun.files;
    jun.files.remove = () => Promise.reject(new WarrenError("storage-failed"));
    jun.setDiskFull(true);
    jun.files.release();
    await story.bothWait("needsSpace");
    await jun.reload();
    await mara.warren.chat.sendText(jun.id, "while it is full");
    await story.until(() => jun.texts(mara.id).includes("while it is full"));
    jun.files.remove = remove;
    jun.setDiskFull(false);
    await story.complete();
    await story.until(() => mara.messages(jun.id).every((sent) => statusOf(sent) === "received"));
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
    expect(unsaved(jun)).toBe(0);
    await jun.reload();
    expect(jun.texts(mara.id)).toEqual(["while it is full"]);
  });
});

describe("a page opened while its databases do not open", () => {
  it("meets nobody, since it knows nobody, and takes everything up once they open", async () => {
    const bytes = randomBytes();
    await story.sendSome(fileOf(bytes));
    jun.warren.chat.setRedirect(mara.id, true);
    await mara.warren.chat.sendText(jun.id, "before");
    await jun.untilMessages(mara.id, (messages) => messages.length === 2);
    const closing = jun.close();
    jun.files.lose();
    await closing;
    jun.setStorageUnreadable(true);
    await jun.reopen();
    await mara.warren.chat.sendText(jun.id, "meanwhile");
    await story.world.clock.advance(60_000);
    expect(jun.warren.chat.store.getState()).toMatchObject({
      loaded: false,
      loadError: { code: "db-not-initialized" },
    });
    expect(peersOf(jun.warren.room.store.getState())[mara.id]?.ready).toBe(false);
    expect(story.offerOf(mara)?.state).toBe("accepted");
    jun.setStorageUnreadable(false);
    await story.until(() => jun.texts(mara.id).length === 2);
    expect(jun.texts(mara.id)).toEqual(["before", "meanwhile"]);
    expect(jun.warren.chat.store.getState()).toMatchObject({ loaded: true, loadError: null });
    expect(jun.warren.chat.store.getState().contacts[mara.id]?.redirect).toBe(true);
    await story.complete();
    expect(await story.arrived()).toBe(await digestOfBlob(new Blob([bytes])));
  });

  it("delivers what was written meanwhile, beside what was stored before", async () => {
    await mara.warren.chat.sendText(jun.id, "before");
    await jun.untilMessages(mara.id, (messages) => messages.length === 1);
    await jun.close();
    jun.setStorageUnreadable(true);
    await jun.reopen();
    await story.world.clock.advance(1_000);
    await jun.warren.chat.sendText(mara.id, "mine");
    await jun.warren.chat.sendFile(mara.id, fileOf(randomBytes()));
    await jun.warren.chat.addStarter("Warren", ["Welcome"]);
    await story.world.clock.advance(60_000);
    expect(unsaved(jun)).toBeGreaterThan(0);
    jun.setStorageUnreadable(false);
    await story.until(() => mara.messages(jun.id).length === 3);
    const isOnScreen = () => {
      expect(jun.messages(mara.id).map(({ type }) => type)).toEqual(["text", "text", "file"]);
      expect(jun.texts(mara.id)).toEqual(["before", "mine"]);
      expect(jun.texts(starterId)).toEqual(["Welcome"]);
      expect(Object.values(jun.warren.chat.store.getState().contacts).map(({ name }) => name)).toEqual(
        expect.arrayContaining(["Mara", "Warren"]),
      );
    };
    isOnScreen();
    await story.until(() => unsaved(jun) === 0);
    const offer = mara.messages(jun.id).find(({ type }) => type === "file");
    if (offer) await mara.warren.chat.acceptFile(offer.key);
    await story.until(() =>
      [...mara.warren.files.store.getState().values()].some(({ state }) => state === "complete"),
    );
    await jun.reload();
    isOnScreen();
  });
});
