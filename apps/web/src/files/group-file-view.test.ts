import type { TransferState } from "@warren/core";
import { expect, test } from "vitest";
import { formatFor } from "../i18n/format.ts";
import { translate } from "../i18n/i18n.ts";
import { fakeFile, fakeTransfer, me } from "../testing/fake-records.ts";
import { fileCardView } from "./file-card-view.ts";
import type { FileCardView, FileEnd } from "./file-view.ts";

const mib = 1024 ** 2;

const words = { t: translate, format: formatFor("en-us") };

const states: Readonly<Record<string, TransferState>> = {
  offered: { status: "init" },
  moving: { status: "transferring" },
  received: { status: "complete", verified: true },
  paused: { status: "paused", by: "me" },
  withdrawn: { status: "error", error: { code: "transfer-cancelled", values: {} } },
  declined: { status: "error", error: { code: "transfer-declined", values: {} } },
};
const groupView = (...names: readonly string[]): FileCardView => {
  const message = fakeFile(me, "everyone", { fileSize: 10 * mib }, { status: "init" }, 0);
  const ends = names.map((name, i): FileEnd => {
    const state = states[name] ?? { status: "init" };
    const transfer =
      name === "moving"
        ? fakeTransfer(message, String(i), { transferredBytes: 5 * mib, bytesPerSecond: 1 * mib })
        : undefined;
    return { name, isHere: true, state, transfer, storedBytes: null };
  });
  return fileCardView({ limitBytes: 1024 ** 3, file: message.file, isMine: true, ends, kind: null }, words);
};

test("a file offered to several people waits for all of them", () => {
  expect(groupView("offered", "offered", "offered")).toMatchObject({
    status: "not-started",
    sub: "10 MiB, waiting for 3 people to accept",
    actions: ["withdraw"],
  });
});

test("it shows the way of all bytes to all while some move", () => {
  expect(groupView("received", "moving", "moving", "offered")).toMatchObject({
    status: "transferring",
    mark: { text: "Received by 1 of 4" },
    speed: "2.00 MiB/s",
    bar: { share: 0.5, valueText: "50%, 20.0 of 40.0 MiB" },
    actions: ["pause", "cancel"],
  });
});

test("it goes on when I say so", () => {
  expect(groupView("received", "paused")).toMatchObject({ status: "stopped", actions: ["resume"] });
});

test("it can be withdrawn while someone has not answered", () => {
  expect(groupView("received", "offered")).toMatchObject({
    status: "stopped",
    mark: { text: "Received by 1 of 2" },
    actions: ["withdraw"],
  });
});

test("it is over when everyone has it or will not", () => {
  expect(groupView("received", "received", "declined")).toMatchObject({
    status: "complete",
    mark: { text: "Received by 2 of 3" },
    actions: ["more"],
  });
});

test("where nobody took it, it says so and claims no receipt", () => {
  expect(groupView("declined", "declined", "withdrawn")).toMatchObject({
    status: "incomplete",
    sub: "10 MiB, declined by 2, cancelled for 1",
    mark: null,
  });
});
