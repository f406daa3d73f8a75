import { describe, expect, it } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { hostilePicture, type TestPerson, TestWorld } from "../testing/test-world.ts";

const thumbnail = "data:image/webp;base64,UklGRgAA";
/** In these tests a file that contains a thumbnail's data URL is a picture. */
const picture = (name = "Harbour.jpg", holds = thumbnail) => new File([holds], name, { type: "image/jpeg" });

function offered(at: TestPerson, by: TestPerson) {
  const message = at.messages(by.id).findLast(({ type }) => type === "file");
  if (message?.type !== "file") throw new Error("no offer");
  return message;
}

describe("the thumbnail of an offered picture", () => {
  it("is sent with the offer, redrawn on arrival, and kept with the message", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await mara.warren.chat.sendFile(jun.id, picture());
    await settle();
    expect(offered(mara, jun).thumbnail).toBe(thumbnail);
    // The fake browser marks its drawings; only those are shown.
    expect(offered(jun, mara).thumbnail).toBe(`${thumbnail}REDRAWN`);
    expect(offered(jun, mara).offers[mara.id]).toEqual({ state: "offered" });
  });

  it("survives reloads of both sides, before and after the offer arrived", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.stall();
    await mara.warren.chat.sendFile(jun.id, picture());
    await mara.reload();
    jun.resume();
    await world.untilMet(mara, jun);
    await settle();
    await jun.reload();
    await world.untilMet(mara, jun);
    expect(offered(mara, jun).thumbnail).toBe(thumbnail);
    expect(offered(jun, mara).thumbnail).toBe(`${thumbnail}REDRAWN`);
  });

  it("is sent with several files as one offer, and with a forwarded file", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const files = [1, 2].map((n) => ({ path: `${n}.jpg`, file: picture(`${n}.jpg`) }));
    await mara.warren.chat.sendTree(jun.id, { kind: "files", name: "Files", files, emptyFolders: [] });
    await settle();
    expect(offered(jun, mara).thumbnail).toBe(`${thumbnail}REDRAWN`);

    await mara.warren.chat.sendFile(jun.id, picture());
    await settle();
    const { key, file } = offered(jun, mara);
    await jun.warren.chat.acceptFile(key);
    await world.until(() => jun.warren.files.store.getState().get(file.fid)?.state === "complete");
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(jun, noor);
    await jun.warren.chat.forwardFile(noor.id, file.fid);
    await settle();
    expect(offered(noor, jun).thumbnail).toBe(`${thumbnail}REDRAWN`);
  });

  it("is missing for a file that is not a picture, without harm", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await mara.warren.chat.sendFile(jun.id, picture("notes.txt", "words"));
    await settle();
    expect(offered(jun, mara).thumbnail).toBeUndefined();
  });

  it.each([
    ["cannot be drawn", hostilePicture],
    ["is no picture", "data:image/svg+xml;base64,PHN2Zy8+"],
    ["is too large", thumbnail.padEnd(9_000, "A")],
  ])("is dropped if it %s, and the offer is kept", async (_why, bad) => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await mara.warren.chat.sendFile(jun.id, picture("Harbour.jpg", bad));
    await settle();
    const { key, file, ...message } = offered(jun, mara);
    expect(message.thumbnail).toBeUndefined();
    await jun.warren.chat.acceptFile(key);
    await world.until(() => jun.warren.files.store.getState().get(file.fid)?.state === "complete");
  });

  it("counts towards its sender's storage quota", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    /** The contact is stored with the first message. */
    const ofContact = 64 * 1024;
    const storedOfMara = () => jun.warren.chat.store.getState().storageUsage[mara.id]?.bytes ?? 0;
    await mara.warren.chat.sendFile(jun.id, picture("notes.txt", "words"));
    await settle();
    const plain = storedOfMara() - ofContact;
    const large = thumbnail.padEnd(8_000, "A");
    await mara.warren.chat.sendFile(jun.id, picture("Harbour.jpg", large));
    await settle();
    expect(storedOfMara() - ofContact - 2 * plain).toBe(`${large}REDRAWN`.length);
    for (const { key } of jun.messages(mara.id)) await jun.warren.chat.remove(key);
    await settle();
    expect(storedOfMara()).toBe(ofContact);
  });
});
