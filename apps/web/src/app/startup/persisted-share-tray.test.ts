import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SharedItems } from "../../platform/storage/shared-items.ts";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { ShareTray } from "../../tab/share-tray.ts";
import { PersistedShareTray } from "./persisted-share-tray.ts";

let visit = 0;
const open: SharedItems[] = [];
const listeners = new Set<() => void>();

beforeEach(() => {
  visit += 1;
  listeners.clear();
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

/** The persisted tray of one page; all pages of a test use the same database. */
function page(store: Partial<SharedItems> = {}) {
  const tray = new ShareTray();
  const kept = new SharedItems(`shared-${visit}`);
  open.push(kept);
  let own: (() => void) | undefined;
  const persisted = new PersistedShareTray({
    tray,
    store: {
      list: () => kept.list(),
      add: (value) => kept.add(value),
      remove: (key) => kept.remove(key),
      ...store,
    },
    tabs: {
      postMessage: () => {
        for (const listener of listeners) if (listener !== own) listener();
      },
      addEventListener: (_type: string, listener: unknown) => {
        own = listener as () => void;
        listeners.add(own);
      },
    },
  });
  return { tray, kept, reread: () => persisted.reread(), settled: () => persisted.settled() };
}

const text = (words: string): ForwardItem => ({ type: "text", text: words });
const storedCount = async ({ kept }: { readonly kept: SharedItems }) => (await kept.list()).length;

describe("shares from other apps", () => {
  test("are restored after a reload, before new ones", async () => {
    const before = page();
    before.tray.put([text("Look at this"), text("And at that")]);
    await expect.poll(() => storedCount(before)).toBe(2);

    const after = page();
    after.tray.put([text("New")]);
    await after.settled();
    expect(after.tray.content().items).toEqual([text("Look at this"), text("And at that")]);
    expect(after.tray.content().newItems).toEqual([text("New")]);
  });

  test("ask what to keep when a second one arrives, in this tab and the next, until answered", async () => {
    const before = page();
    before.tray.put([text("First")]);
    await before.settled();
    await before.kept.add({ ...text("Second"), share: { id: "worker", at: Date.now() } });
    await before.kept.add({ ...text("Third"), share: { id: "worker", at: Date.now() } });
    await before.reread();
    const after = page();
    await after.settled();
    for (const { tray } of [before, after]) {
      expect(tray.content().items).toEqual([text("First")]);
      expect(tray.content().newItems).toEqual([text("Second"), text("Third")]);
    }

    after.tray.resolve("both");
    await after.settled();
    await before.settled();
    const all = [text("First"), text("Second"), text("Third")];
    const last = page();
    await last.settled();
    for (const { tray } of [before, after, last]) {
      expect(tray.content().items).toEqual(all);
      expect(tray.content().newItems).toEqual([]);
    }
    expect(await storedCount(after)).toBe(3);
  });

  test.each([
    ["new", "Second"],
    ["old", "First"],
  ] as const)("keep only the %s if chosen", async (choice, left) => {
    const { tray, kept, settled } = page();
    tray.put([text("First")]);
    tray.put([text("Second")]);
    tray.resolve(choice);
    await settled();
    expect(tray.content().items).toEqual([text(left)]);
    expect(await kept.list()).toMatchObject([[expect.any(Number), text(left)]]);
  });

  test("replace what was sent before", async () => {
    const { tray } = page();
    tray.put([text("First")]);
    tray.put([text("Second")]);
    tray.remove(...tray.content().items);
    expect(tray.content().items).toEqual([text("Second")]);
  });

  test("expire after a day, at startup and when read; without a plausible date, a day after that", async () => {
    const day = 24 * 60 * 60 * 1_000;
    const now = vi.spyOn(Date, "now").mockReturnValue(1_000 * day);
    try {
      const before = page();
      await before.settled();
      await before.kept.add(text("Of an older version"));
      await before.kept.add({ ...text("From 1969"), share: { id: "past", at: -100 * day } });
      await before.kept.add({ ...text("From the future"), share: { id: "future", at: 2_000 * day } });
      await before.kept.add({ ...text("Almost a day old"), share: { id: "old", at: 999 * day } });
      await before.reread();
      await before.settled();
      expect(before.tray.store.getState().map(({ item }) => item)).toEqual([
        text("Of an older version"),
        text("From 1969"),
        text("From the future"),
        text("Almost a day old"),
      ]);
      now.mockReturnValue(1_000 * day + 1);
      const next = page();
      await next.settled();
      expect(next.tray.store.getState().map(({ item }) => item)).toEqual([
        text("Of an older version"),
        text("From 1969"),
        text("From the future"),
      ]);
      now.mockReturnValue(1_001 * day + 1);
      await before.reread();
      expect(before.tray.store.getState()).toEqual([]);
      expect(await storedCount(before)).toBe(0);
    } finally {
      now.mockRestore();
    }
  });

  test("are stored once the tray reports that they are", async () => {
    const before = page();
    before.tray.put([text("Look at this")]);
    await before.settled();
    expect(await storedCount(before)).toBe(1);
  });

  test("are deleted once sent or discarded", async () => {
    const before = page();
    const item = text("Look at this");
    before.tray.put([item, text("And at that")]);
    await expect.poll(() => storedCount(before)).toBe(2);
    before.tray.remove(item);
    await expect.poll(() => storedCount(before)).toBe(1);
    before.tray.remove(...before.tray.content().items);
    await expect.poll(() => storedCount(before)).toBe(0);
  });

  test("are synchronized with other tabs", async () => {
    const one = page();
    const other = page();
    one.tray.put([text("Look at this")]);
    await expect.poll(() => other.tray.content().items).toEqual([text("Look at this")]);
    other.tray.remove(...other.tray.content().items);
    await expect.poll(() => one.tray.content().items).toEqual([]);
    expect(await storedCount(one)).toBe(0);
  });

  test("are stored as far as there is space, files with their bytes", async () => {
    const added: unknown[] = [];
    const { tray } = page({ add: async (value) => added.push(value) });
    const small = new File(["ab"], "small.txt");
    const big = new File([""], "film.mp4");
    Object.defineProperty(big, "size", { value: 300 * 2 ** 20 });
    tray.put([
      { type: "file", file: big },
      { type: "file", file: small },
    ]);
    await expect.poll(() => added).toMatchObject([{ type: "file", file: small }]);
    expect(tray.content().items).toHaveLength(2);
  });

  test("stay in the tray if the disk is full", async () => {
    const add = vi.fn(async () => {
      throw new Error("full");
    });
    const { tray } = page({ add });
    tray.put([text("Look at this")]);
    await expect.poll(() => add.mock.calls.length).toBeGreaterThan(0);
    expect(tray.content().items).toEqual([text("Look at this")]);
  });

  test("are validated when they come from the service worker", async () => {
    const { tray, kept, reread } = page();
    await kept.add({
      type: "fields",
      title: "Tides",
      text: "<b>High</b> at nine",
      url: "javascript:alert(1)",
    });
    await kept.add({ type: "fields", title: " ", text: 7, url: "data:text/html,x" });
    await reread();
    expect(tray.content().items).toEqual([text("Tides\n<b>High</b> at nine")]);
    expect(await storedCount({ kept })).toBe(1);
  });

  test("get names that are safe to show and to send, whatever another app calls its files", async () => {
    const file = new File(["ab"], "../exe\u202Etxt", { type: "text/plain", lastModified: 7 });
    const { tray, reread } = page({ list: async () => [[1, { type: "file", file }]] });
    await reread();
    const [item] = tray.content().items;
    if (item?.type !== "file") throw new Error("no file in the tray");
    expect(item.file).toMatchObject({ name: "_exetxt", type: "text/plain", lastModified: 7, size: 2 });
    expect(await item.file.text()).toBe("ab");
  });

  test("ignore records of an unknown format", async () => {
    const { kept } = page();
    await kept.add({ type: "cache", fid: 7 });
    await kept.add("words");
    await kept.add(text("exe\u202Etxt"));
    const after = page();
    await expect.poll(() => after.tray.content().items).toEqual([text("exetxt")]);
    await expect.poll(() => storedCount(after)).toBe(1);
  });
});
