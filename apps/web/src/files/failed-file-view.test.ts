import { expect, test } from "vitest";
import { formatFor } from "../i18n/format.ts";
import { translate } from "../i18n/i18n.ts";
import { fakeFile, me } from "../testing/fake-records.ts";
import { fileCardView } from "./file-card-view.ts";
import type { FileCardView } from "./file-view.ts";

const words = { t: translate, format: formatFor("en-us") };

/** The card of a file of 100 MB that one side rejects. */
function tooLargeView(isMine: boolean, values: { readonly limitBytes?: number }): FileCardView {
  const state = { status: "error", error: { code: "file-too-large", values } } as const;
  const { file } = fakeFile(me, "mara", { fileSize: 100_000_000 }, state, 0);
  const end = { name: "Mara", isHere: true, state, transfer: undefined, storedBytes: null };
  return fileCardView({ limitBytes: 1024 ** 3, file, isMine, ends: [end], kind: null }, words);
}

test("a file that an earlier version refused for its size asks whether to take it", () => {
  expect(tooLargeView(false, { limitBytes: 50_000_000 })).toMatchObject({
    tone: "warn",
    sub: "95.4 MiB is over your limit of 47.7 MiB",
    actions: ["accept-anyway", "raise-limit", "decline"],
  });
});

test("a file of mine that is larger than the other side takes names their limit, and leaves nothing to try", () => {
  expect(tooLargeView(true, { limitBytes: 50_000_000 })).toMatchObject({
    tone: "danger",
    sub: "95.4 MiB, over Mara's limit of 47.7 MiB",
    actions: [],
  });
});

test("where the limit is not known the error says what it can", () => {
  expect(tooLargeView(false, {}).sub).toBe("The file is larger than the limit set in Settings.");
});
