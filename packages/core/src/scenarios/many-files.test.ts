import { describe, expect, it, vi } from "vitest";
import { everyone } from "../messages/message.ts";
import { digestOfBlob, fileOf, randomBytes } from "../testing/file-story.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";
import type { TransferState } from "../transfer/offer-state.ts";

const count = 40;
/** The number of small files transferred from one client at once. */
const atOnce = 8;

function isQueued(state: TransferState | undefined): boolean {
  return state?.state === "queued" || state?.state === "queuedThere";
}

function statesAt(person: TestPerson, otherId: string): (TransferState | undefined)[] {
  return person
    .messages(otherId)
    .map((message) => (message.type === "file" ? person.offerOf(message, otherId) : undefined));
}

async function sendMany(from: TestPerson, toId: string): Promise<void> {
  for (let n = 0; n < count; n++)
    await from.warren.chat.sendFile(toId, new File([`file ${n}`], `${n}.txt`, { lastModified: n }));
}

describe("many files sent one by one", () => {
  it("arrive a few at a time, while the others are shown as queued", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.warren.settings.set("automaticDownload", true);
    let most = 0;
    jun.files.holdAt = 0;
    jun.warren.transfers.store.subscribe((transfers) => {
      const isMoving = ({ now }: { readonly now: TransferState }) =>
        now.state === "opening" || now.state === "running";
      most = Math.max(most, [...transfers.values()].filter(isMoving).length);
    });
    await sendMany(mara, jun.id);
    const waiting = () => statesAt(jun, mara.id).filter(isQueued).length;
    await world.until(() => waiting() === count - atOnce);
    jun.files.release();
    await world.until(() => {
      const states = [...statesAt(jun, mara.id), ...statesAt(mara, jun.id)];
      return states.length === 2 * count && states.every((state) => state?.state === "complete");
    });
    expect(most).toBe(atOnce);
  });

  it("all arrive automatically though the receiver's page is reloaded while most are queued", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    const ids = { mara: mara.id, jun: jun.id };
    jun.warren.settings.set("automaticDownload", true);
    jun.files.holdAt = 0;
    await sendMany(mara, ids.jun);
    await world.until(() => statesAt(jun, ids.mara).filter(isQueued).length === count - atOnce);
    jun.files.lose();
    await jun.reload();
    await world.until(() => {
      const states = statesAt(jun, ids.mara);
      return states.length === count && states.every((state) => state?.state === "complete");
    });
  });

  it("are not prepared again each time their sender asks", async () => {
    const world = new TestWorld();
    const [mara, jun] = await world.twoPeers();
    jun.warren.settings.set("automaticDownload", true);
    jun.files.holdAt = 0;
    await sendMany(mara, jun.id);
    await world.until(() => statesAt(jun, mara.id).filter(isQueued).length === count - atOnce);
    const last = mara.messages(jun.id).at(-1);
    const getReady = vi.spyOn(jun.exchange.transfers, "expect");
    for (let n = 0; n < 20; n++) await mara.warren.chat.resumeFile(last?.key ?? expect.fail());
    await world.clock.advance(1_000);
    expect(getReady).not.toHaveBeenCalled();
    jun.files.release();
    await world.until(() => statesAt(jun, mara.id).every((state) => state?.state === "complete"));
  });
});

describe("one file sent to seven people who accept it at once", () => {
  it("is on its way to all of them at the same time", async () => {
    const world = new TestWorld();
    const mara = await world.person("Mara");
    await mara.warren.room.join();
    const others: TestPerson[] = [];
    for (let n = 1; n <= 7; n++) {
      const other = await world.person(`Jun ${n}`);
      other.warren.settings.set("automaticDownload", true);
      await other.warren.room.join();
      await world.untilMet(other, mara);
      others.push(other);
    }
    // Every disk hangs before the file is whole, so that nobody's end can let the next one begin.
    for (const { files } of others) files.holdAt = 1;
    const bytes = randomBytes();
    await mara.warren.chat.sendFile(everyone, fileOf(bytes));
    await world.until(() => others.every(({ files }) => files.writeCount >= 1));
    await world.clock.advance(500); // until progress is published
    const sending = [...mara.warren.transfers.store.getState().values()];
    expect(sending.map(({ now }) => now.state)).toEqual(Array(7).fill("running"));
    for (const other of others) expect(statesAt(other, mara.id).some(isQueued)).toBe(false);

    for (const { files } of others) files.release();
    const fid = mara
      .messages(everyone)
      .flatMap((message) => (message.type === "file" ? message.file.fid : []))[0];
    for (const other of others) {
      await world.until(() => other.warren.files.isComplete(fid ?? expect.fail("no offer")));
      const arrived = await other.warren.files.open(fid ?? "");
      expect(await digestOfBlob(arrived ?? expect.fail("nothing here"))).toBe(
        await digestOfBlob(new Blob([bytes])),
      );
    }
  });
});
