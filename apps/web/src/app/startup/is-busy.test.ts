// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import { attach, changeDraft } from "../../chat/drafts.ts";
import { clientIdOf } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { isBusy } from "./is-busy.ts";

const mara = clientIdOf(1);

afterEach(() => changeDraft(mara, { text: "", attachments: [] }));

test("an update waits for unsent attachments", () => {
  const { warren } = fakeWarren();
  expect(isBusy(warren)).toBe(false);
  attach(mara, { files: [new File(["1"], "1.png")], folders: [] });
  expect(isBusy(warren)).toBe(true);
  changeDraft(mara, { attachments: [] });
  expect(isBusy(warren)).toBe(false);
});
