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
  it("lets go of a database that another tab deletes, and opens it again", async () => {
    const storage = open("deleted");
    await storage.write({ put: [{ key: "k", group: "a", order: 1, value: 1 }] });
    await deleteDB("deleted");
    expect(await storage.list("a")).toEqual([]);
    storage.close();
  });

  it("hands a change over at once, so that a page that is reloaded then does not take it back", async () => {
    const storage = open("handed-over");
    await storage.groups();
    const commit = vi.spyOn(IDBTransaction.prototype, "commit");
    await storage.write({ put: [{ key: "k", group: "a", order: 1, value: 1 }] });
    expect(commit).toHaveBeenCalledOnce();
    commit.mockRestore();
    storage.close();
  });

  it("stores changes in a browser that can only wait for them", async () => {
    const { commit } = IDBTransaction.prototype;
    Reflect.deleteProperty(IDBTransaction.prototype, "commit");
    const storage = open("waited-for");
    await storage.write({ put: [{ key: "k", group: "a", order: 1, value: 1 }] });
    expect(await storage.groups()).toEqual(["a"]);
    IDBTransaction.prototype.commit = commit;
    storage.close();
  });

  it("keeps the records of a database of an earlier version, and finds later ones by subject", async () => {
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

  it("says db-not-initialized when the database does not open", async () => {
    const later = await openDB("from-the-future", 3);
    later.close();
    const storage = open("from-the-future");
    await expect(storage.list("a")).rejects.toMatchObject({
      code: "db-not-initialized",
      values: { reason: "VersionError" },
    });
  });

  it("says storage-failed when a value cannot be stored", async () => {
    const storage = open("failing");
    const change = storage.write({ put: [{ key: "k", group: "a", order: 1, value: () => {} }] });
    await expect(change).rejects.toMatchObject({
      code: "storage-failed",
      values: { reason: "DataCloneError" },
    });
    storage.close();
  });
});
