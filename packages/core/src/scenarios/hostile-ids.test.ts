import { hostileFileIds } from "@warren/protocol/testing/hostile-ids";
import { beforeEach, expect, it } from "vitest";
import { compareFiles } from "../files/compare-files.ts";
import { digestOf, rootOf } from "../files/digests/digests.ts";
import { openReceived } from "../testing/file-peers.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";
import { transferKeyOf } from "../transfer/transfer-state.ts";

const ids = hostileFileIds();
let world: TestWorld;
let mara: TestPerson;
let jun: TestPerson;

beforeEach(async () => {
  world = new TestWorld();
  [mara, jun] = await world.twoPeers();
});

const storedIds = (person: TestPerson) => [...person.warren.files.store.getState().keys()].sort();

/** Mara has a file under each id, as if somebody had sent it to her, and passes it on to Jun. */
async function passAll(): Promise<void> {
  jun.warren.settings.set("automaticDownload", true);
  for (const id of ids) {
    const bytes = new TextEncoder().encode(id);
    const head = { fileName: `${id}.txt`, mimeType: "text/plain", lastModified: 0, chunkSize: 524_288 };
    const description = { ...head, fid: id, fileSize: bytes.length };
    const file = await openReceived(mara.warren.files, description, jun.id);
    const digest = await digestOf(bytes);
    await file.write(0, bytes, digest);
    await file.finish(await rootOf(description, [digest]), () => {});
    await file.close();
    await mara.warren.chat.forwardFile(jun.id, id);
  }
  await allComplete();
}

async function allComplete(): Promise<void> {
  for (const id of ids) await world.until(() => jun.warren.files.isComplete(id));
}

it("files whose ids are keys of every object arrive, are listed, survive a reload, and can be deleted", async () => {
  await passAll();
  expect(storedIds(jun)).toEqual([...ids].sort());
  for (const id of ids) {
    expect(await (await jun.warren.files.open(id))?.text()).toBe(id);
    const transfer = jun.warren.transfers.store.getState().get(transferKeyOf(mara.id, id));
    expect(transfer?.now.state).toBe("complete");
  }
  await jun.reload();
  expect(storedIds(jun)).toEqual([...ids].sort());
  await jun.warren.chat.deleteFiles(ids);
  expect(storedIds(jun)).toEqual([]);
  for (const id of ids) expect(await jun.warren.files.open(id)).toBeNull();
});

it("files whose ids are keys of every object are compared, and none is refused before it is fetched", async () => {
  await passAll();
  await jun.warren.chat.deleteFiles(ids);
  await jun.warren.chat.askShares(mara.id);
  const listing = () => jun.warren.chat.listings.getState().get(mara.id);
  await world.until(() => listing()?.files?.length === ids.length);
  const comparisons = compareFiles(listing()?.files ?? [], [...jun.warren.files.store.getState().values()]);
  expect(comparisons.map(({ verdict }) => verdict)).toEqual(ids.map(() => "new"));
  for (const id of ids) expect(listing()?.refused.get(id)).toBeUndefined();
  await jun.warren.chat.fetchShares(mara.id, listing()?.files ?? []);
  await allComplete();
});

it("files that are too large to fetch are refused one by one, whatever their ids", async () => {
  jun.warren.settings.set("maxFileSize", 1024 ** 2);
  const head = { mimeType: "", lastModified: 0, chunkSize: 524_288, fileSize: 1024 ** 2 + 1 };
  await jun.warren.chat.fetchShares(
    mara.id,
    ids.map((fid) => ({ ...head, fid, fileName: fid })),
  );
  const refused = () => jun.warren.chat.listings.getState().get(mara.id)?.refused;
  await world.until(() => refused()?.size === ids.length);
  for (const id of ids) expect(refused()?.get(id)?.code).toBe("file-too-large");
});
