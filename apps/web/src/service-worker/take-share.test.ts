import "fake-indexeddb/auto";
import { describe, expect, test, vi } from "vitest";
import { SharedItems } from "../platform/storage/shared-items.ts";
import { openSharedStore, type PendingSize, type SharedRecord } from "./shared-store.ts";
import { takeShare } from "./take-share.ts";

/** A store that records what is added, and rejects files with a given name. */
function fakeStore(pending: PendingSize = { count: 0, bytes: 0 }, full = "") {
  const records: SharedRecord[] = [];
  return {
    records,
    pendingSize: async () => pending,
    since: async (at: number) => records.filter(({ share }) => share.at >= at),
    add: async (record: SharedRecord) => {
      if (record.type === "file" && record.file.name === full) throw new Error("QuotaExceededError");
      records.push(record);
    },
  };
}

function form(fields: readonly (readonly [name: string, value: string | File])[]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

const file = (name: string, size = 1) => {
  const made = new File(["x"], name);
  Object.defineProperty(made, "size", { value: size });
  return made;
};
const namesIn = (records: readonly SharedRecord[]) =>
  records.map((record) => (record.type === "file" ? record.file.name : record.type));

describe("an incoming share", () => {
  test("is stored unchanged: fields as text, files in order", async () => {
    const store = fakeStore();
    const shared = form([
      ["title", "Tides"],
      ["text", "<b>High</b> at nine"],
      ["url", "javascript:alert(1)"],
      ["files", file("a.png")],
      ["files", file("b.png")],
    ]);
    expect(await takeShare(shared, store)).toEqual({ leftOut: 0 });
    expect(store.records[0]).toEqual({
      type: "fields",
      title: "Tides",
      text: "<b>High</b> at nine",
      url: "javascript:alert(1)",
      share: { id: expect.any(String), at: expect.any(Number) },
    });
    expect(new Set(store.records.map(({ share }) => share.id)).size).toBe(1);
    expect(namesIn(store.records)).toEqual(["fields", "a.png", "b.png"]);
  });

  test("is stored where the page's tray reads it", async () => {
    const store = await openSharedStore("shared-test");
    for (let posts = 0; posts < 2; posts++) await takeShare(form([["text", "High at nine"]]), store);
    expect(await store.pendingSize()).toEqual({ count: 1, bytes: 0 });
    store.close();
    const kept = new SharedItems("shared-test");
    expect(await kept.list()).toMatchObject([
      [1, { type: "fields", title: "", text: "High at nine", url: "" }],
    ]);
    kept.close();
  });

  test("expires after a day", async () => {
    const store = await openSharedStore("stale-test");
    await takeShare(form([["text", "High at nine"]]), store);
    const sharedBy = Date.now();
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.UTC(1969, 6, 20));
    expect(await store.pendingSize()).toMatchObject({ count: 1 });
    now.mockReturnValue(sharedBy + 24 * 60 * 60 * 1_000 + 1);
    expect(await store.pendingSize()).toEqual({ count: 0, bytes: 0 });
    now.mockRestore();
    store.close();
  });

  test.each([
    { gap: "at once", posts: 2 },
    { gap: "one after the other", posts: 3 },
  ])("is one if the browser posts it more than once, $gap", async ({ gap, posts }) => {
    const store = fakeStore();
    const shared = () =>
      form([
        ["text", "High at nine"],
        ["files", new File(["pixels"], "tide.png", { type: "image/png", lastModified: Math.random() })],
      ]);
    const taking = [];
    for (let count = 0; count < posts; count++) {
      const taken = takeShare(shared(), store);
      if (gap !== "at once") await taken;
      taking.push(taken);
    }
    expect(await Promise.all(taking)).toEqual(Array(posts).fill({ leftOut: 0 }));
    expect(namesIn(store.records)).toEqual(["fields", "tide.png"]);
  });

  test("is a share of its own if it differs in anything, or comes later", async () => {
    const store = fakeStore();
    const picture = (bytes: string, name = "tide.png") => new File([bytes], name, { type: "image/png" });
    const shares: (readonly (readonly [string, string | File])[])[] = [
      [["files", picture("pixels")]],
      [["files", picture("PIXELS")]],
      [["files", picture("pixels", "ebb.png")]],
      [
        ["files", picture("pixels")],
        ["files", picture("PIXELS")],
      ],
      [
        ["text", "High at nine"],
        ["files", picture("pixels")],
      ],
      [["text", "High at nine"]],
      [["title", "High at nine"]],
    ];
    for (const shared of shares) await takeShare(form(shared), store);
    expect(new Set(store.records.map(({ share }) => share.id)).size).toBe(shares.length);
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 11_000);
    await takeShare(form([["text", "High at nine"]]), store);
    now.mockRestore();
    expect(new Set(store.records.map(({ share }) => share.id)).size).toBe(shares.length + 1);
  });

  test("drops files in text fields, texts in file fields and unknown fields", async () => {
    const store = fakeStore();
    const shared = form([
      ["text", file("text.txt")],
      ["files", "not a file"],
      ["files", new File([], "")],
      ["other", file("other.txt")],
      ["text", "the second of its name"],
    ]);
    expect(await takeShare(shared, store)).toEqual({ leftOut: 0 });
    expect(store.records).toEqual([]);
  });

  test("is truncated to the size of a text", async () => {
    const store = fakeStore();
    await takeShare(form([["title", "a".repeat(5_000_000)]]), store);
    expect(store.records[0]).toMatchObject({ title: "a".repeat(1_000) });
  });

  test("is stored as far as the limits allow, and the rest is counted", async () => {
    const many = form([
      ["text", "words"],
      ...Array.from({ length: 5 }, (_, i) => ["files", file(`${i}`)] as const),
    ]);
    const crowded = fakeStore({ count: 197, bytes: 0 });
    expect(await takeShare(many, crowded)).toEqual({ leftOut: 3 });
    expect(namesIn(crowded.records)).toEqual(["fields", "0", "1"]);

    const half = 256 * 2 ** 20;
    const films = form([
      ["files", file("one.mp4", half)],
      ["files", file("two.mp4", half)],
      ["files", file("note.txt", 1)],
    ]);
    const heavy = fakeStore({ count: 1, bytes: half / 2 });
    expect(await takeShare(films, heavy)).toEqual({ leftOut: 1 });
    expect(namesIn(heavy.records)).toEqual(["one.mp4", "note.txt"]);
  });

  test("loses only the file for which the disk has no space", async () => {
    const store = fakeStore(undefined, "film.mp4");
    const shared = form([
      ["files", file("film.mp4")],
      ["files", file("note.txt")],
    ]);
    expect(await takeShare(shared, store)).toEqual({ leftOut: 1 });
    expect(namesIn(store.records)).toEqual(["note.txt"]);
  });
});
