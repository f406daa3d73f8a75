import { expect, test } from "vitest";
import { fakeBatch } from "../testing/fake-batch.ts";
import { clientIdOf, fakeFile, fakeTransfer } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { DoneTransfers } from "./done-transfers.ts";

const mara = clientIdOf(1);
const complete = { state: "complete" } as const;

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
  const transfers = new DoneTransfers(fake.warren);
  return { fake, transfers, listed: () => transfers.rows().done.map(({ file }) => file.fid) };
}

test("completed files and batches stay listed after a reload of the tab, until they are cleared", async () => {
  const first = page({ moved: true });
  expect(first.listed()).toEqual(["batch", "single"]);

  const { fake, transfers, listed } = page({ moved: false });
  expect(listed()).toEqual([]);
  transfers.restore(first.transfers.stored());
  await expect.poll(() => fake.argsOf("loadFiles")).toEqual([[[`${mara}/batch`, `${mara}/single`]]]);
  expect(listed()).toEqual(["batch", "single"]);
  transfers.clear(transfers.rows().done);
  expect(listed()).toEqual([]);
  expect(transfers.stored()).toBeNull();
});

test.each([null, "{", "7", "null"])("%j restores nothing", (stored) => {
  const { transfers, listed } = page({ moved: false });
  transfers.restore(stored);
  expect(listed()).toEqual([]);
});
