import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeRecordStorage } from "@warren/core/testing";
import { afterAll, expect, it } from "vitest";
import { JournalRecordStorage } from "./journal-record-storage.ts";

const folder = mkdtempSync(join(tmpdir(), "warren-records-"));
afterAll(() => rmSync(folder, { recursive: true }));
let journals = 0;
const pathOf = new WeakMap<object, string>();

function openAt(path: string): JournalRecordStorage {
  const storage = new JournalRecordStorage(path);
  pathOf.set(storage, path);
  return storage;
}

describeRecordStorage(
  "journal",
  async () => openAt(join(folder, `journal-${journals++}`)),
  async (storage) => {
    storage.close();
    return openAt(pathOf.get(storage) ?? "");
  },
);

it("keeps every change before the one that a crash cut short", async () => {
  const path = join(folder, "cut-short");
  const record = (key: string) => ({ key, group: "a", order: 1, value: key });
  const storage = openAt(path);
  await storage.write({ put: [record("whole")] });
  await storage.write({ put: [record("cut"), record("short")] });
  truncateSync(path, readFileSync(path).length - 1);
  const again = openAt(path);
  expect((await again.list("a")).map(({ key }) => key)).toEqual(["whole"]);
  await again.write({ put: [record("later")] });
  expect((await openAt(path).list("a")).map(({ key }) => key)).toEqual(["later", "whole"]);
});

it("does not grow by records that are gone", async () => {
  const path = join(folder, "compact");
  const storage = openAt(path);
  for (let order = 0; order < 50; order++)
    await storage.write({ put: [{ key: "same", group: "a", order, value: "x".repeat(1_000) }] });
  await openAt(path).groups();
  expect(readFileSync(path).length).toBeLessThan(3_000);
});
