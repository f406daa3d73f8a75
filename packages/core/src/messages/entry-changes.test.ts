import { expect, test } from "vitest";
import type { Entry } from "../room-log/entry.ts";
import { EntryChanges } from "./entry-changes.ts";

const about = { client: "jon", id: "0000000001-first" };

function edit(n: number): Entry {
  const content = { n, time: n, name: "Jon", kind: "edit", about, body: `text ${n}` };
  return { ...content, tag: "tag", author: "jon", hash: `hash-${n}`, signature: "signed" };
}

test("an entry that is forgotten does not wait any more, and others that it replaces do", () => {
  const changes = new EntryChanges();
  for (const n of [2, 3]) changes.defer({ entry: edit(n), key: "key", via: "jon", shownAt: n });
  changes.forget(edit(3));
  const taken = [...changes.takeWaiting(() => true)].map(([last]) => last.n);
  expect(taken).toEqual([2]);
  changes.defer({ entry: edit(4), key: "key", via: "jon", shownAt: 4 });
  changes.forget(edit(4));
  expect(changes.hasWaiting).toBe(false);
});
