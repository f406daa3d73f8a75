// @vitest-environment happy-dom
import type { KeyValueStorage } from "@warren/core";
import { expect, test } from "vitest";
import { fakeBatch } from "../../testing/fake-batch.ts";
import { clientIdOf, fakeFile, fakeTransfer } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { clearTransfers, listedTransfers, recallDoneTransfers } from "./done-transfers.ts";

const mara = clientIdOf(1);
const complete = { status: "complete", verified: true } as const;

function fakeTab(): KeyValueStorage {
  const values = new Map<string, string>();
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

/** A page with a complete file and a complete batch; `moved`: received since it was loaded. */
function page({ moved }: { readonly moved: boolean }) {
  const fake = fakeWarren();
  const single = fakeFile(mara, mara, { fid: "single" }, complete, 1, { key: `${mara}/single` });
  const { message } = fakeBatch(["a.txt", "b.txt"], new Uint8Array(4), { at: 2, state: complete });
  const batch = { ...message, key: `${mara}/batch`, file: { ...message.file, fid: "batch" } } as const;
  for (const one of [single, batch]) {
    fake.addMessage(one);
    if (moved) fake.setTransfer(fakeTransfer(one, mara));
  }
  const { chat, transfers } = fake.warren;
  const listed = () =>
    listedTransfers(chat.store.getState(), transfers.store.getState()).done.map(({ file }) => file.fid);
  return { fake, listed };
}

test("completed files and batches stay listed after a reload of the tab, until they are cleared", () => {
  const tab = fakeTab();
  const first = page({ moved: true });
  recallDoneTransfers(first.fake.warren, tab);
  expect(first.listed()).toEqual(["batch", "single"]);
  dispatchEvent(new Event("pagehide"));

  const next = page({ moved: false });
  expect(next.listed()).toEqual([]);
  const sameTab = { ...tab };
  recallDoneTransfers(next.fake.warren, sameTab);
  expect(next.listed()).toEqual(["batch", "single"]);
  const { chat, transfers } = next.fake.warren;
  clearTransfers(listedTransfers(chat.store.getState(), transfers.store.getState()).done);
  expect(next.listed()).toEqual([]);
  dispatchEvent(new Event("pagehide"));
  expect(tab.read("transfers_done")).toBeNull();
});

test("an invalid stored value is ignored", () => {
  const tab = fakeTab();
  tab.write("transfers_done", "{");
  const { fake, listed } = page({ moved: false });
  recallDoneTransfers(fake.warren, tab);
  expect(listed()).toEqual([]);
});
