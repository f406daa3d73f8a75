import { type FileDescription, WarrenError } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import type { SharedListing } from "../shares/shared-listing.ts";
import { settle } from "../testing/fake-clock.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";
import { until } from "../testing/until.ts";

const chunk = 512 * 1024;

function listingOf(person: TestPerson, other: TestPerson): SharedListing | undefined {
  return person.warren.chat.listings.getState().get(other.id);
}

/** Requests a person's list of shared files, and waits for the answer. */
async function listed(person: TestPerson, other: TestPerson): Promise<readonly FileDescription[]> {
  const { chat } = person.warren;
  const before = listingOf(person, other)?.files;
  await chat.askShares(other.id);
  await until(chat.listings, (state) => {
    const listing = state.get(other.id);
    return listing?.request.status === "answered" && listing.files !== before;
  });
  return listingOf(person, other)?.files ?? [];
}

/** Sends a file that is accepted at once. */
async function pass(from: TestPerson, to: TestPerson, name: string, sizeBytes = 2_000): Promise<string> {
  to.warren.settings.set("automaticDownload", true);
  await from.warren.chat.sendFile(to.id, new File([new Uint8Array(sizeBytes)], name));
  await untilLast(from, to, "complete");
  const message = from.messages(to.id).findLast(({ type }) => type === "file");
  return message?.type === "file" ? message.file.fid : expect.fail();
}

function lastState(person: TestPerson, other: TestPerson) {
  const message = person.messages(other.id).findLast(({ type }) => type === "file");
  return message?.type === "file" ? person.offerOf(message, other.id) : undefined;
}

const untilLast = (person: TestPerson, other: TestPerson, state: string) =>
  person.untilMessages(other.id, () => lastState(person, other)?.state === state);

describe("a shared file", () => {
  it("is fetched again by a person who lost it, and is complete on both sides", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const fid = await pass(mara, jun, "poster.psd", 3 * chunk + 17);
    await jun.warren.files.remove(fid);
    const [file] = await listed(jun, mara);
    await jun.warren.chat.fetchShares(mara.id, [file ?? expect.fail()]);
    await world.until(() => jun.warren.files.isComplete(fid));
    expect((await jun.warren.files.open(fid))?.size).toBe(3 * chunk + 17);
  });

  it("is returned to its sender, with a message on both sides that shows the request", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const fid = await pass(mara, jun, "poster.psd");
    await mara.warren.files.remove(fid);
    const [file] = await listed(mara, jun);
    await mara.warren.chat.fetchShares(jun.id, [file ?? expect.fail()]);
    await world.until(() => mara.warren.files.isComplete(fid) && jun.messages(mara.id).length === 2);
    await untilLast(mara, jun, "complete");
    const [atMara, atJun] = [mara.messages(jun.id).at(-1), jun.messages(mara.id).at(-1)];
    expect(atMara).toMatchObject({ client: jun.id, type: "file" });
    expect(atJun?.key).toBe(atMara?.key);
  });

  it("resumes automatically when the fetching person is reloaded", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const fid = await pass(mara, jun, "long.mov", 12 * chunk);
    await jun.warren.files.remove(fid);
    const [file] = await listed(jun, mara);
    const written = jun.files.writeCount;
    await jun.warren.chat.fetchShares(mara.id, [file ?? expect.fail()]);
    while (jun.files.writeCount < written + 4) await settle();
    await jun.reload();
    await world.untilMet(mara, jun);
    await untilLast(jun, mara, "complete");
    expect(jun.warren.files.isComplete(fid)).toBe(true);
  });

  it("is queued among many, and all of them arrive", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const fids: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) fids.push(await pass(mara, jun, name));
    for (const fid of fids) await jun.warren.files.remove(fid);
    const files = await listed(jun, mara);
    const { chat } = jun.warren;
    const waiting: (number | undefined)[] = [];
    chat.listings.subscribe(() => waiting.push(listingOf(jun, mara)?.waiting.length));
    await chat.fetchShares(mara.id, files);
    await world.until(() => fids.every((fid) => jun.warren.files.isComplete(fid)));
    expect(waiting).toContain(2);
    expect(listingOf(jun, mara)).toMatchObject({ waiting: [], refused: new Map() });
  });

  it("is cancelled while queued or in transfer", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const fid = await pass(mara, jun, "long.mov", 12 * chunk);
    await jun.warren.files.remove(fid);
    const { chat } = jun.warren;
    await chat.fetchShares(mara.id, await listed(jun, mara));
    await untilLast(jun, mara, "opening");
    await chat.stopShare(mara.id, fid);
    await untilLast(jun, mara, "givenUp");
  });

  it("that was only offered is accepted by fetching it", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await mara.warren.chat.sendFile(jun.id, new File(["words"], "a.txt"));
    await untilLast(jun, mara, "offered");
    const [file] = await listed(jun, mara);
    await jun.warren.chat.fetchShares(mara.id, [file ?? expect.fail()]);
    await untilLast(jun, mara, "complete");
    expect(jun.messages(mara.id)).toHaveLength(1);
  });

  it("can be fetched again if it was being accepted and could not be opened", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await mara.warren.chat.sendFile(jun.id, new File(["words"], "a.txt"));
    await untilLast(jun, mara, "offered");
    const [file = expect.fail()] = await listed(jun, mara);
    let fail: (error: WarrenError) => void = () => {};
    const opening = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    jun.files.before = async (operation) => {
      if (operation === "openSink") await opening;
    };
    const { chat } = jun.warren;
    const accepting = chat.acceptFile(jun.messages(mara.id)[0]?.key ?? expect.fail());
    await settle();
    await chat.fetchShares(mara.id, [file]);
    await settle();
    fail(new WarrenError("storage-failed"));
    await accepting;
    expect(lastState(jun, mara)?.state).toBe("failed");
    jun.files.before = async () => {};
    await chat.fetchShares(mara.id, [file]);
    await untilLast(jun, mara, "complete");
  });

  it("is no longer shared after it was withdrawn", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await mara.warren.chat.sendFile(jun.id, new File(["words"], "a.txt"));
    await untilLast(jun, mara, "offered");
    await mara.warren.chat.cancelFile(mara.messages(jun.id)[0]?.key ?? expect.fail());
    expect(await listed(jun, mara)).toEqual([]);
  });

  it("is listed even if its messages are gone", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const fid = await pass(mara, jun, "poster.psd");
    for (const { key } of jun.messages(mara.id)) await jun.warren.chat.remove(key);
    expect((await listed(mara, jun)).map((file) => file.fid)).toEqual([fid]);
  });

  it("of another person is fetched from a member that shares with the room, and only while it does", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(jun, noor);
    const fid = await pass(mara, jun, "poster.psd");
    expect(await listed(noor, jun)).toEqual([]);
    jun.warren.settings.set("shareFilesWithRoom", true);
    await world.clock.advance(1_000);
    const [file] = await listed(noor, jun);
    await noor.warren.chat.fetchShares(jun.id, [file ?? expect.fail()]);
    await world.until(() => noor.warren.files.isComplete(fid));
    jun.warren.settings.set("trust", "verified");
    await world.clock.advance(1_000);
    const untilVerified = await listed(mara, jun);
    expect(untilVerified.map((shared) => shared.fid)).toEqual([fid]);
    const outsider = await world.person("Elise");
    await outsider.warren.room.join();
    await world.untilMet(jun, outsider);
    expect(await listed(outsider, jun)).toEqual([]);
  });

  it("marked by its owner is listed and sent to everyone, as the only one, until it is unmarked", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const marked = await pass(mara, jun, "poster.psd");
    const unmarked = await pass(mara, jun, "diary.txt");
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(jun, noor);
    await jun.warren.files.setShared(marked, true);
    await jun.reload();
    await world.untilMet(jun, noor);
    const [file = expect.fail(), ...others] = await listed(noor, jun);
    expect([file.fid, others]).toEqual([marked, []]);
    await noor.warren.chat.fetchShares(jun.id, [{ ...file, fid: unmarked }]);
    await untilLast(noor, jun, "failed");
    await noor.warren.chat.fetchShares(jun.id, [file]);
    await world.until(() => noor.warren.files.isComplete(marked));

    const elise = await world.person("Elise");
    await elise.warren.room.join();
    await world.untilMet(jun, elise);
    expect((await listed(elise, jun)).map(({ fid }) => fid)).toEqual([marked]);
    await jun.warren.files.setShared(marked, false);
    await world.clock.advance(1_000);
    expect(await listed(elise, jun)).toEqual([]);
    await elise.warren.chat.fetchShares(jun.id, [file]);
    await untilLast(elise, jun, "failed");
    expect(lastState(elise, jun)).toMatchObject({ error: { code: "cache-not-found" } });
  });

  it("marked by its owner is shown only to verified people if only those are trusted", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(jun, noor);
    await jun.warren.files.setShared(await pass(mara, jun, "poster.psd"), true);
    jun.warren.settings.set("trust", "verified");
    expect(await listed(noor, jun)).toEqual([]);
    jun.warren.chat.markVerified(noor.id);
    await world.clock.advance(1_000);
    expect(await listed(noor, jun)).toHaveLength(1);
  });

  it("that is no longer shared is refused, and the message shows that", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    await pass(mara, jun, "poster.psd");
    const [file = expect.fail()] = await listed(jun, mara);
    await jun.warren.chat.fetchShares(mara.id, [{ ...file, fid: "no-such-file" }]);
    await untilLast(jun, mara, "failed");
    expect(lastState(jun, mara)).toMatchObject({ error: { code: "cache-not-found" } });
    const running = [...jun.warren.transfers.store.getState().values()].filter(
      ({ now }) => now.state === "running" || now.state === "opening",
    );
    expect(running).toEqual([]);
  });

  it("over the size limit is not requested before a person confirms", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    const file = { fileName: "a", mimeType: "", lastModified: 0, chunkSize: chunk, fid: "some-file-id" };
    jun.warren.settings.set("maxFileSize", 1024 * 1024);
    await jun.warren.chat.fetchShares(mara.id, [{ ...file, fileSize: 1024 * 1024 + 1 }]);
    await until(
      jun.warren.chat.listings,
      (state) => state.get(mara.id)?.refused.get("some-file-id") !== undefined,
    );
    expect(listingOf(jun, mara)?.refused.get("some-file-id")).toMatchObject({ code: "file-too-large" });
    expect(jun.messages(mara.id)).toEqual([]);
    await settle();
    await jun.warren.chat.fetchShares(mara.id, [{ ...file, fileSize: 1024 * 1024 + 1 }], { overLimit: true });
    await jun.untilMessages(mara.id, (messages) => messages.length > 0);
  });
});

describe("a list of shared files", () => {
  it("arrives in pages if one frame is too small, each file once", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const head = { mimeType: "", lastModified: 1, chunkSize: chunk, fileSize: 0 };
    const fids = Array.from({ length: 2_300 }, (_, index) => `file-number-${index}`);
    for (const fid of fids) {
      await (await jun.files.openSink(fid, head)).finish();
      await jun.files.writeRecord(fid, {
        description: { ...head, fid, fileName: `${fid}.txt` },
        createdAt: 1,
        direction: "received",
        peers: [mara.id],
        shared: false,
        state: "complete",
        root: "0".repeat(64),
      });
    }
    await jun.reload();
    await world.untilMet(mara, jun);
    const pages: number[] = [];
    mara.warren.room.on("message", (_from, message) => {
      if (message.type === "storage") pages.push(message.data.length);
    });
    await mara.warren.chat.askShares(jun.id);
    await world.until(() => pages.length === 1);
    // The first page is shown meanwhile, with the total.
    expect(listingOf(mara, jun)).toMatchObject({ request: { status: "asking" }, total: fids.length });
    await world.until(() => listingOf(mara, jun)?.request.status === "answered");
    const known = new Set(listingOf(mara, jun)?.files?.map(({ fid }) => fid));
    expect(known).toEqual(new Set(fids));
    expect(pages.length).toBeGreaterThan(2);
  });

  it("gains newly sent files", async () => {
    const [mara, jun] = await new TestWorld().twoPeers();
    expect(await listed(mara, jun)).toEqual([]);
    const fid = await pass(mara, jun, "poster.psd");
    await until(mara.warren.chat.listings, (state) => state.get(jun.id)?.files?.length === 1);
    expect(listingOf(mara, jun)?.files?.[0]?.fid).toBe(fid);
  });

  it("is ignored without a request, and names each file once", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const fid = await pass(mara, jun, "poster.psd");
    const [file = expect.fail()] = await listed(mara, jun);
    jun.warren.room.send(mara.id, { type: "storage", data: [] });
    await settle();
    expect(listingOf(mara, jun)?.files).toHaveLength(1);
    const { chat } = mara.warren;
    let asked = "";
    const room = jun.warren.room;
    const stop = room.on("message", (_from, message) => {
      if (message.type === "request-storage") asked = message.id;
    });
    room.send = () => expect.fail(); // only the forged answer below goes out
    await chat.askShares(jun.id);
    await world.until(() => asked !== "");
    stop();
    mara.exchange.peerShares.receive(jun.id, {
      type: "storage",
      id: asked,
      client: jun.id,
      target: mara.id,
      createdAt: 0,
      data: [file, { ...file, fileName: "another name" }],
    });
    expect(listingOf(mara, jun)?.files?.map((one) => one.fid)).toEqual([fid]);
  });

  it("reports why it does not arrive: no answer, or the peer is away", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    await jun.warren.close();
    const { chat } = mara.warren;
    await chat.askShares(jun.id);
    await world.until(() => listingOf(mara, jun)?.request.status === "failed");
    expect(listingOf(mara, jun)).toMatchObject({ files: null, answeredAt: null });
    await chat.askShares("00000000-0000-4000-8000-000000000000");
    expect(chat.listings.getState().get("00000000-0000-4000-8000-000000000000")).toMatchObject({
      request: { status: "failed", error: { code: "peer-offline" } },
    });
  });

  it("is created at most a few times a second", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const errors: (string | undefined)[] = [];
    mara.warren.room.on("message", (_from, message) => {
      if (message.type === "error") errors.push(message.code);
    });
    for (let n = 0; n < 3; n++) mara.warren.room.send(jun.id, { type: "request-storage" });
    await world.until(() => errors.length === 2);
    expect(errors).toEqual(["rate-limited", "rate-limited"]);
  });
});
