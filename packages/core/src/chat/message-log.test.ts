import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../shared/log.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { MemoryRecordStorage } from "../testing/memory-record-storage.ts";
import { type ChatMessage, messageKeyOf } from "./message.ts";
import { MessageLog } from "./message-log.ts";

const me = "00000000-0000-4000-8000-000000000001";
const jun = "00000000-0000-4000-8000-000000000002";
const one = "00000000-0000-4000-8000-000000000011";
const two = "00000000-0000-4000-8000-000000000012";

/** A disk that has deleted long before it says so. */
class SlowDisk extends MemoryRecordStorage {
  failure: WarrenError | null = null;
  confirm: () => void = () => {};

  override async deleteGroup(...args: Parameters<MemoryRecordStorage["deleteGroup"]>): Promise<void> {
    if (this.failure === null) await super.deleteGroup(...args);
    await new Promise<void>((resolve) => {
      this.confirm = resolve;
    });
    if (this.failure) throw this.failure;
  }
}

/** Lets what has been asked of the disk happen. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve));

function said(id: string, sortedAt: number): ChatMessage {
  const head = { key: messageKeyOf(jun, id), id, conversation: jun, client: jun, deliveries: {} };
  return { ...head, type: "text", data: `This is ${id}`, createdAt: sortedAt, sortedAt };
}

describe("forgetting somebody", () => {
  let disk: SlowDisk;
  let log: MessageLog;
  const open = async (): Promise<MessageLog> => {
    const opened = new MessageLog({ storage: disk, clock: new FakeClock(), log: silentLog });
    await opened.load(me, (message) => message);
    return opened;
  };
  const idsOf = (page: MessageLog) => page.conversation(jun).messages.map(({ id }) => id);

  beforeEach(async () => {
    disk = new SlowDisk();
    log = await open();
    log.remember({ clientId: jun, name: "Jun", proven: true });
    for (const [at, id] of [one, two].entries()) await log.add(said(id, at + 1), { read: true });
  });

  it("shows them until they are gone from storage, so that no reload brings them back", async () => {
    const forgetting = log.forget(jun);
    await aMoment();
    expect(log.contact(jun)?.name).toBe("Jun");
    expect(idsOf(log)).toEqual([one, two]);
    disk.confirm();
    await forgetting;
    for (const page of [log, await open()]) {
      expect(page.contact(jun)).toBeUndefined();
      expect(idsOf(page)).toEqual([]);
    }
  });

  it("leaves everything where storage fails", async () => {
    disk.failure = new WarrenError("storage-failed", { reason: "no disk" });
    const forgetting = log.forget(jun);
    await aMoment();
    disk.confirm();
    await expect(forgetting).rejects.toMatchObject({ code: "storage-failed" });
    expect(log.contact(jun)?.name).toBe("Jun");
    log.update(messageKeyOf(jun, two), (message) => ({ ...message, createdAt: 7 }));
    for (const page of [log, await open()]) {
      expect(idsOf(page)).toEqual([one, two]);
      expect(page.find(messageKeyOf(jun, two))?.createdAt).toBe(7);
    }
  });

  it("writes nothing of what was said that would come after the deletion", async () => {
    const forgetting = log.forget(jun);
    await aMoment();
    log.update(messageKeyOf(jun, two), (message) => ({ ...message, createdAt: 7 }));
    disk.confirm();
    await forgetting;
    expect(idsOf(await open())).toEqual([]);
  });

  it("keeps whoever is met anew meanwhile", async () => {
    const forgetting = log.forget(jun);
    await aMoment();
    log.remember({ clientId: jun, name: "Jun-ho", proven: true });
    disk.confirm();
    await forgetting;
    for (const page of [log, await open()]) expect(page.contact(jun)?.name).toBe("Jun-ho");
  });
});
