import { expect, it } from "vitest";
import { describeRecordStorage } from "../../testing/contracts/describe-record-storage.ts";
import { FakeClock } from "../../testing/fake-clock.ts";
import { answeredRecords } from "./answered-records.ts";
import { MemoryRecordStorage } from "./memory-record-storage.ts";

describeRecordStorage(
  "with answers in time",
  async () => answeredRecords(new MemoryRecordStorage(), new FakeClock()),
  async (storage) => storage,
);

it("rejects each call that is never answered, and goes on with the next", async () => {
  const clock = new FakeClock();
  const memory = new MemoryRecordStorage();
  const never = () => new Promise<never>(() => {});
  const silent = { ...{ list: never, get: never, about: never, countAfter: never, groups: never } };
  const storage = answeredRecords(
    { ...silent, ...{ write: never, addIfAbsent: never, deleteGroups: never, close: () => memory.close() } },
    clock,
  );
  const record = { key: "key", group: "group", order: 0, value: 0 };
  const calls = [
    storage.list("group"),
    storage.get(["key"]),
    storage.about(["subject"]),
    storage.countAfter("group", 0),
    storage.groups(),
    storage.write({ put: [record] }),
    storage.addIfAbsent(record),
    storage.deleteGroups(["group"]),
  ];
  const failed = Promise.all(
    calls.map((call) => expect(call).rejects.toMatchObject({ code: "storage-failed" })),
  );
  await clock.advance(30_000);
  await failed;
});
