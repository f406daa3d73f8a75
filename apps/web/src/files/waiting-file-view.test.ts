import type { TransferSnapshot, TransferState } from "@warren/core";
import { expect, test } from "vitest";
import { formatFor } from "../i18n/format.ts";
import { translate } from "../i18n/i18n.ts";
import { fakeFile, fakeTransfer, me } from "../testing/fake-records.ts";
import { fileCardView } from "./file-card-view.ts";
import type { FileCardView } from "./file-view.ts";

const mib = 1024 ** 2;

const words = { t: translate, format: formatFor("en-us") };
const jun = "jun";
const queued = { status: "paused", by: "queue" } as const;
const absence = { status: "paused", by: "absence" } as const;

interface Given {
  readonly state: TransferState;
  readonly isHere?: boolean;
  readonly transfer?: Partial<TransferSnapshot>;
}

/** The card of my file of 100 MiB to Jun, or to several. */
function view(...ends: readonly Given[]): FileCardView {
  const message = fakeFile(me, jun, { fileSize: 100 * mib }, { status: "init" }, 0);
  const given = ends.map(({ state, isHere = true, transfer }) => ({
    ...{ name: "Jun", isHere, state, storedBytes: null },
    transfer: transfer && fakeTransfer(message, jun, transfer),
  }));
  return fileCardView(
    { limitBytes: 1024 ** 3, file: message.file, isMine: true, ends: given, kind: null },
    words,
  );
}

test("a file of mine that was accepted there is shown as queued", () => {
  expect(view({ state: queued })).toMatchObject({
    status: "not-started",
    sub: "100 MiB, queued",
    actions: ["cancel"],
  });
});

test("it waits for who gets it when they have gone", () => {
  expect(view({ state: queued, isHere: false })).toMatchObject({
    status: "stopped",
    sub: "Jun is away. Resumes when they are back.",
  });
});

test("it can not be tried again while it begins", () => {
  const begins = { state: absence, transfer: { state: { status: "init" } } } as const;
  expect(view(begins)).toMatchObject({ sub: "0 of 100 MiB, waiting for Jun", actions: ["cancel"] });
  expect(view({ state: absence })).toMatchObject({ actions: ["try-again", "cancel"] });
});

test("a file for several says that it waits once all of them accepted it", () => {
  expect(view({ state: queued }, { state: { status: "init" } }).sub).toBe(
    "100 MiB, waiting for 1 person to accept",
  );
  expect(view({ state: queued }, { state: absence }).sub).toBe("100 MiB, queued");
});
