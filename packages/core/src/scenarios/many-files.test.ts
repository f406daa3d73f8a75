import { describe, expect, it, vi } from "vitest";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";
import type { TransferState } from "../transfer/transfer-state.ts";

const count = 40;
/** The number of small files transferred from one client at once. */
const atOnce = 8;

function isQueued(state: TransferState | undefined): boolean {
  return state?.status === "paused" && state.by === "queue";
}

function statesAt(person: TestPerson, otherId: string): (TransferState | undefined)[] {
  return person
    .messages(otherId)
    .map((message) => (message.type === "file" ? message.transfers[otherId] : undefined));
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
      const isMoving = ({ state }: { readonly state: TransferState }) =>
        state.status === "init" || state.status === "transferring";
      most = Math.max(most, Object.values(transfers).filter(isMoving).length);
    });
    await sendMany(mara, jun.id);
    const waiting = () => statesAt(jun, mara.id).filter(isQueued).length;
    await world.until(() => waiting() === count - atOnce);
    jun.files.release();
    await world.until(() => {
      const states = [...statesAt(jun, mara.id), ...statesAt(mara, jun.id)];
      return states.length === 2 * count && states.every((state) => state?.status === "complete");
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
      return states.length === count && states.every((state) => state?.status === "complete");
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
    const getReady = vi.spyOn(jun.warren.transfers, "expect");
    for (let n = 0; n < 20; n++) await mara.warren.chat.resumeFile(last?.key ?? expect.fail());
    await world.clock.advance(1_000);
    expect(getReady).not.toHaveBeenCalled();
    jun.files.release();
    await world.until(() => statesAt(jun, mara.id).every((state) => state?.status === "complete"));
  });
});
