import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordRange, RecordStorage, StoredRecord } from "../../ports/record-storage.ts";

function record(key: string, group: string, order: number, value: unknown = { text: key }): StoredRecord {
  return { key, group, order, value };
}

const notCloneable = record("broken", "a", 1, () => {});

/**
 * The contract of every record storage.
 * @param open returns a new, empty storage.
 * @param reopen returns the same storage as after a reload, if the adapter survives one.
 */
export function describeRecordStorage(
  name: string,
  open: () => Promise<RecordStorage>,
  reopen?: (storage: RecordStorage) => Promise<RecordStorage>,
): void {
  describe(`record storage: ${name}`, () => {
    let storage: RecordStorage;
    const keysOf = async (group: string) => (await storage.list(group)).map(({ key }) => key);

    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    it("is empty at first", async () => {
      expect(await storage.list("a")).toEqual([]);
      expect(await storage.groups()).toEqual([]);
    });

    it("lists a group by order, then by key, and no other group", async () => {
      await storage.write({
        put: [
          record("late", "a", 30),
          record("b", "a", 10.5),
          record("a", "a", 10.5),
          record("else", "b", 1),
        ],
      });
      expect(await keysOf("a")).toEqual(["a", "b", "late"]);
    });

    it("returns a record as it was put", async () => {
      const value = { text: "hi", when: new Date(5), bytes: new Uint8Array([1, 2]), nothing: null };
      await storage.write({ put: [record("k", "a", -1, value)] });
      expect(await storage.list("a")).toEqual([record("k", "a", -1, value)]);
    });

    it("keeps its own copy of a value", async () => {
      const value = { text: "before" };
      await storage.write({ put: [record("k", "a", 1, value)] });
      value.text = "after";
      expect(await storage.list("a")).toEqual([record("k", "a", 1, { text: "before" })]);
    });

    it("finds records by their keys, whatever their groups", async () => {
      const [one, two] = [record("one", "a", 1), record("two", "b", 2)];
      await storage.write({ put: [one, two, record("three", "a", 3)] });
      const found = await storage.get(["two", "one", "none", "one"]);
      expect(found.toSorted((a, b) => a.order - b.order)).toEqual([one, two]);
    });

    it("finds records by what they are about, whatever their groups, and as they are now", async () => {
      const about = (key: string, group: string, order: number, subject: string) => ({
        ...record(key, group, order),
        subject,
      });
      await storage.write({
        put: [about("one", "a", 1, "x"), about("two", "b", 2, "x"), about("three", "b", 3, "y")],
      });
      await storage.addIfAbsent(about("four", "a", 4, "x"));
      await storage.write({ put: [record("five", "a", 5), about("two", "a", 2, "z")], delete: ["one"] });
      const keysAbout = async (...subjects: string[]) =>
        (await storage.about(subjects)).map(({ key }) => key).toSorted();
      expect(await keysAbout("x")).toEqual(["four"]);
      expect(await keysAbout("z", "y", "none", "y")).toEqual(["three", "two"]);
      expect(await keysAbout()).toEqual([]);
      await storage.deleteGroups(["a"]);
      expect(await keysAbout("x", "y", "z")).toEqual(["three"]);
    });

    it("replaces a record of the same key, even into another group", async () => {
      await storage.write({ put: [record("k", "a", 1)] });
      await storage.write({ put: [record("k", "b", 2, "new")] });
      expect(await keysOf("a")).toEqual([]);
      expect(await storage.list("b")).toEqual([record("k", "b", 2, "new")]);
    });

    it("puts and deletes atomically, and ignores missing records when deleting", async () => {
      await storage.write({ put: [record("old", "a", 1)] });
      await storage.write({ put: [record("new", "a", 2)], delete: ["old", "never"] });
      expect(await keysOf("a")).toEqual(["new"]);
    });

    it("changes nothing when one of the changes fails", async () => {
      await storage.write({ put: [record("kept", "a", 1)] });
      const change = storage.write({ put: [record("half", "a", 2), notCloneable], delete: ["kept"] });
      await expect(change).rejects.toThrow();
      expect(await keysOf("a")).toEqual(["kept"]);
    });

    it("adds a record once", async () => {
      expect(await storage.addIfAbsent(record("k", "a", 1, "first"))).toBe(true);
      expect(await storage.addIfAbsent(record("k", "a", 2, "second"))).toBe(false);
      expect(await storage.list("a")).toEqual([record("k", "a", 1, "first")]);
    });

    it("applies further changes only together with an added record", async () => {
      await storage.write({ put: [record("gone", "a", 0)] });
      const further = { put: [record("more", "a", 2)], delete: ["gone"] };
      expect(await storage.addIfAbsent(record("k", "a", 1), further)).toBe(true);
      expect(await keysOf("a")).toEqual(["k", "more"]);

      const refused = { put: [record("no", "a", 3)], delete: ["more"] };
      expect(await storage.addIfAbsent(record("k", "a", 1), refused)).toBe(false);
      expect(await keysOf("a")).toEqual(["k", "more"]);
    });

    it("adds a record once among many concurrent attempts", async () => {
      const added = await Promise.all(
        [1, 2, 3, 4].map((order) => storage.addIfAbsent(record("k", "a", order))),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    it("names each group that holds a record", async () => {
      await storage.write({
        put: [record("1", "b", 1), record("2", "b", 2), record("3", "a", 9), record("4", "", 0)],
      });
      await storage.write({ put: [record("5", "c", 1)], delete: ["3"] });
      expect((await storage.groups()).sort()).toEqual(["", "b", "c"]);
    });

    it("lists the first or last records of a group, or those between two orders", async () => {
      await storage.write({
        put: [5, 1, 3, 2, 4].map((order) => record(`k${order}`, "a", order)).concat(record("z", "b", 3)),
      });
      const listed = async (range: RecordRange) => (await storage.list("a", range)).map(({ order }) => order);
      expect(await listed({ last: 2 })).toEqual([4, 5]);
      expect(await listed({ last: 1 })).toEqual([5]);
      expect(await listed({ last: 9 })).toEqual([1, 2, 3, 4, 5]);
      expect(await listed({ before: 4, last: 2 })).toEqual([2, 3]);
      expect(await listed({ from: 2, before: 4 })).toEqual([2, 3]);
      expect(await listed({ before: 1, last: 2 })).toEqual([]);
      expect(await listed({ first: 2 })).toEqual([1, 2]);
      expect(await listed({ from: 2, before: 5, first: 1 })).toEqual([2]);
      expect(await listed({ from: -Infinity, before: 4, first: 9 })).toEqual([1, 2, 3]);
      for (const range of [
        { from: 3, before: 3 },
        { from: 4, before: 2, last: 1 },
        { from: 3, before: 3, first: 1 },
      ])
        expect(await listed(range)).toEqual([]);
    });

    it("does not split records of the same order", async () => {
      await storage.write({
        put: ["p", "q", "r"].map((key) => record(key, "a", 7)).concat(record("s", "a", 8)),
      });
      expect((await storage.list("a", { first: 2 })).map(({ key }) => key)).toEqual(["p", "q", "r"]);
      expect((await storage.list("a", { last: 2 })).map(({ key }) => key)).toEqual(["p", "q", "r", "s"]);
    });

    it("counts the records of a group above an order", async () => {
      await storage.write({ put: [1, 2, 2.5, 3].map((order) => record(`k${order}`, "a", order)) });
      expect(await storage.countAfter("a", 2)).toBe(2);
      expect(await storage.countAfter("a", -1)).toBe(4);
      expect(await storage.countAfter("b", 0)).toBe(0);
    });

    it("removes whole groups and nothing else", async () => {
      await storage.write({ put: [record("1", "a", 1), record("2", "a", 2), record("3", "aa", 1)] });
      await storage.write({ put: [record("4", "b", 1)] });
      await storage.deleteGroups(["a", "b"]);
      expect(await storage.groups()).toEqual(["aa"]);
    });

    it("applies further changes with the removal of a group, or removes nothing", async () => {
      await storage.write({ put: [record("1", "a", 1), record("2", "b", 1), record("3", "b", 2)] });
      const broken = storage.deleteGroups(["a"], { put: [notCloneable], delete: ["2"] });
      await expect(broken).rejects.toThrow();
      expect([...(await keysOf("a")), ...(await keysOf("b"))]).toEqual(["1", "2", "3"]);

      await storage.deleteGroups(["a"], { put: [record("4", "b", 3)], delete: ["2"] });
      expect([...(await keysOf("a")), ...(await keysOf("b"))]).toEqual(["3", "4"]);
    });

    if (reopen) {
      it("keeps records across a reload", async () => {
        await storage.write({ put: [record("k", "a", 1)] });
        storage = await reopen(storage);
        expect(await keysOf("a")).toEqual(["k"]);
      });
    }
  });
}
