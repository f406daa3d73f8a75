import "fake-indexeddb/auto";
import { randomUUID } from "node:crypto";
import { describeRecordStorage } from "@warren/core/testing";
import { deleteDB, openDB } from "idb";
import { describe, expect, it, vi } from "vitest";
import { IndexedDbRecordStorage } from "./indexeddb-record-storage.ts";

const names = new WeakMap<object, string>();

function open(name: string): IndexedDbRecordStorage {
  const storage = new IndexedDbRecordStorage(name);
  names.set(storage, name);
  return storage;
}

describeRecordStorage(
  "IndexedDB",
  async () => open(randomUUID()),
  async (storage) => {
    storage.close();
    return open(names.get(storage) ?? "");
  },
);

describe("IndexedDB record storage", () => {
  it("closes a database that another tab deletes, and opens it again", async () => {
    const storage = open("deleted");
    await storage.write({ put: [{ key: "k", group: "a", order: 1, value: 1 }] });
    await deleteDB("deleted");
    expect(await storage.list("a")).toEqual([]);
    storage.close();
  });

  it("submits a change immediately, so that a reload right after does not lose it", async () => {
    const storage = open("handed-over");
    await storage.groups();
    const commit = vi.spyOn(IDBTransaction.prototype, "commit");
    await storage.write({ put: [{ key: "k", group: "a", order: 1, value: 1 }] });
    expect(commit).toHaveBeenCalledOnce();
    commit.mockRestore();
    storage.close();
  });

  it("stores changes in a browser without explicit commits", async () => {
    const { commit } = IDBTransaction.prototype;
    Reflect.deleteProperty(IDBTransaction.prototype, "commit");
    const storage = open("waited-for");
    await storage.write({ put: [{ key: "k", group: "a", order: 1, value: 1 }] });
    expect(await storage.groups()).toEqual(["a"]);
    IDBTransaction.prototype.commit = commit;
    storage.close();
  });

  it("keeps the records of an earlier version's database, and finds later ones by subject", async () => {
    const earlier = await openDB("earlier", 1, {
      upgrade: (database) => {
        database.createObjectStore("records", { keyPath: "key" }).createIndex("by-group", ["group", "order"]);
      },
    });
    const record = { key: "k", group: "a", order: 1, value: 1 };
    await earlier.put("records", record);
    earlier.close();
    const storage = open("earlier");
    expect(await storage.list("a")).toEqual([record]);
    await storage.write({ put: [{ ...record, subject: "x" }] });
    expect(await storage.about(["x"])).toEqual([{ ...record, subject: "x" }]);
    storage.close();
  });

  it("rejects with db-not-initialized if the database does not open", async () => {
    const later = await openDB("from-the-future", 3);
    later.close();
    const storage = open("from-the-future");
    await expect(storage.list("a")).rejects.toMatchObject({
      code: "db-not-initialized",
      values: { reason: "VersionError" },
    });
  });

  it("rejects with storage-failed if a value cannot be stored", async () => {
    const storage = open("failing");
    const change = storage.write({ put: [{ key: "k", group: "a", order: 1, value: () => {} }] });
    await expect(change).rejects.toMatchObject({
      code: "storage-failed",
      values: { reason: "DataCloneError" },
    });
    storage.close();
  });
});
