import { isLive, type TransferSnapshot, type TransferState } from "@warren/core";
import type { ErrorCode, ErrorValues } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { formatFor } from "../../i18n/format.ts";
import { translate } from "../../i18n/i18n.ts";
import { fakeFile, fakeTransfer, me, storedOf } from "../../testing/fake-records.ts";
import { type FileCardView, type FileEnd, fileCardView } from "./file-card-view.ts";

const [mb, gb] = [1_000_000, 1_000_000_000];
const words = { t: translate, format: formatFor("en-us") };
const mara = "mara";

interface Given {
  readonly isMine?: boolean;
  readonly size?: number;
  readonly state: TransferState;
  readonly isHere?: boolean;
  readonly isToEveryone?: boolean;
  readonly isUnsent?: boolean;
  readonly transfer?: Partial<TransferSnapshot>;
  readonly storedBytes?: number;
  readonly loss?: "gone" | "missing";
  readonly isSaved?: boolean;
  readonly search?: "asking" | "nobody" | "given";
}

function view(given: Given): FileCardView {
  const {
    isMine = false,
    size = 100 * mb,
    isHere = true,
    isToEveryone = false,
    isUnsent = false,
    state,
    transfer,
    storedBytes,
    loss,
    isSaved = false,
    search,
  } = given;
  const message = fakeFile(isMine ? me : mara, mara, { fileSize: size }, state, 0);
  const end: FileEnd = {
    name: "Mara",
    isHere,
    isUnsent,
    offer: storedOf(state),
    transfer:
      transfer || isLive(state) ? fakeTransfer(message, mara, { now: state, ...transfer }) : undefined,
    storedBytes: storedBytes ?? null,
  };
  const about = {
    limitBytes: 1_000_000_000,
    isMine,
    isToEveryone,
    isSaved,
    kind: "PDF",
    ...(loss && { loss }),
    ...(search && { search }),
  };
  return fileCardView({ ...about, file: message.file, ends: [end] }, words);
}

const failed = (code: ErrorCode, values: ErrorValues = {}): TransferState => ({
  state: "failed",
  error: { code, values },
});
const at61 = { transferredBytes: 61 * mb };

describe("a file card shows the state of a file and its actions", () => {
  test.each<[name: string, given: Given, shown: Partial<FileCardView>]>([
    [
      "an offer to me",
      { size: 862 * 1000, state: { state: "offered" } },
      { label: "not-started", sub: "862 kB, PDF", actions: ["accept", "decline"], bar: null },
    ],
    [
      "an offer of somebody away to me",
      { size: 862 * 1000, state: { state: "offered" }, isHere: false },
      { sub: "862 kB, arrives when Mara is back", actions: ["accept", "decline"] },
    ],
    [
      "an offer of somebody away to everyone",
      { size: 862 * 1000, state: { state: "offered" }, isHere: false, isToEveryone: true },
      { sub: "862 kB, PDF", actions: ["accept", "decline"] },
    ],
    [
      "my offer",
      { isMine: true, size: 412 * mb, state: { state: "offered" } },
      {
        label: "not-started",
        sub: "412 MB",
        mark: { kind: "waiting", text: "Waiting for Mara to accept" },
        actions: ["withdraw"],
      },
    ],
    [
      "my offer that did not arrive",
      { isMine: true, size: 412 * mb, isUnsent: true, state: { state: "offered" } },
      { label: "not-started", sub: "412 MB", actions: ["withdraw"] },
    ],
    [
      "mine that has to be chosen again",
      { isMine: true, state: { state: "needsSource" }, transfer: at61 },
      {
        label: "stopped",
        sub: "61 of 100 MB. Choose the file again to resume.",
        tone: "warn",
        actions: ["choose", "cancel"],
      },
    ],
    [
      "theirs that they have to choose again",
      { state: { state: "needsSource" }, transfer: at61 },
      {
        label: "stopped",
        sub: "Mara has to choose the file again to resume",
        tone: "warn",
        actions: ["cancel"],
      },
    ],
    [
      "no room here",
      { state: { state: "needsSpace" }, transfer: at61 },
      {
        label: "stopped",
        sub: "61 of 100 MB, storage full. Resumes when there is space.",
        actions: ["try-again", "cancel"],
      },
    ],
    [
      "no room there",
      { isMine: true, state: { state: "needsSpace" }, transfer: at61 },
      { label: "stopped", sub: "61 of 100 MB, Mara's storage is full", actions: ["cancel"] },
    ],
    [
      "my offer to someone away",
      { isMine: true, state: { state: "offered" }, isHere: false },
      {
        label: "not-started",
        sub: "Mara is not here. Goes on by itself.",
        tone: "warn",
        actions: ["withdraw"],
      },
    ],
    [
      "receiving",
      {
        size: 2.47 * gb,
        state: { state: "running" },
        transfer: { transferredBytes: 1.1115 * gb, bytesPerSecond: 24.8 * mb, secondsLeft: 55 },
      },
      {
        label: "transferring",
        sub: "1.11 of 2.47 GB",
        speed: "24.8 MB/s",
        timeLeft: "55 s left",
        bar: { fraction: 0.45, tone: "accent", valueText: "45%, 1.11 of 2.47 GB, 55 seconds left" },
        actions: ["pause", "cancel"],
      },
    ],
    [
      "sending, all of it stored there, but not yet on the disk",
      { isMine: true, state: { state: "running" }, transfer: { transferredBytes: 100 * mb } },
      {
        label: "transferring",
        sub: "100 of 100 MB, waiting for Mara",
        speed: null,
        bar: { fraction: 1, tone: "accent", valueText: "100%, 100 of 100 MB" },
        actions: ["pause", "cancel"],
      },
    ],
    [
      "receiving from somebody who sends nothing any more",
      { state: { state: "running" }, transfer: { transferredBytes: 40 * mb, isSilent: true } },
      { sub: "40 of 100 MB, waiting for Mara", speed: null },
    ],
    [
      "an empty file under way",
      { size: 0, state: { state: "running" }, transfer: { transferredBytes: 0 } },
      { bar: { fraction: 1, tone: "accent", valueText: "100%, 0 of 0 B" } },
    ],
    [
      "paused by me",
      {
        size: 186 * mb,
        state: { state: "pausedHere" },
        transfer: { transferredBytes: 126 * mb },
      },
      {
        label: "stopped",
        sub: "Paused, 126 of 186 MB",
        bar: { fraction: 126 / 186, tone: "off", valueText: "68%, 126 of 186 MB" },
        actions: ["resume", "cancel"],
      },
    ],
    [
      "paused by me before the page was loaded again",
      { state: { state: "pausedHere" }, storedBytes: 61 * mb },
      { label: "stopped", sub: "Paused, 61 of 100 MB", actions: ["resume", "cancel"] },
    ],
    [
      "paused by the other side",
      { state: { state: "pausedThere" }, transfer: at61 },
      { label: "stopped", sub: "Paused by Mara, 61 of 100 MB", actions: ["cancel"] },
    ],
    [
      "for everyone, asking others while its author is away",
      { state: { state: "accepted" }, isHere: false, search: "asking" },
      { sub: "Mara is not here. Asking who else has it.", tone: "plain", isBusy: true, actions: ["cancel"] },
    ],
    [
      "for everyone, with nobody who has it",
      { state: { state: "accepted" }, isHere: false, search: "nobody" },
      {
        sub: "Mara is not here, and nobody else has it. Goes on by itself.",
        tone: "warn",
        actions: ["try-again", "cancel"],
      },
    ],
    [
      "for everyone, from another member",
      { state: { state: "running" }, transfer: at61, search: "given" },
      { label: "transferring", sub: "61 of 100 MB, from Mara", actions: ["pause", "cancel"] },
    ],
    [
      "waiting for someone away",
      { state: { state: "accepted" }, isHere: false, transfer: at61 },
      {
        ...{
          label: "stopped",
          sub: "Mara is not here. Goes on by itself.",
          tone: "warn",
          actions: ["cancel"],
        },
        bar: { fraction: 0.61, tone: "off", valueText: "61%, 61 of 100 MB" },
      },
    ],
    [
      "accepted, before the first byte",
      { state: { state: "accepted" } },
      { label: "stopped", sub: "100 MB, waiting for Mara", actions: ["try-again", "cancel"] },
    ],
    [
      "accepted, behind others",
      { state: { state: "queuedThere" } },
      { label: "not-started", sub: "100 MB, queued", actions: ["cancel"] },
    ],
    [
      "accepted, behind others here",
      { isMine: true, state: { state: "queued" }, transfer: { startedAt: null } },
      { label: "not-started", sub: "100 MB, queued", bar: null, actions: ["cancel"] },
    ],
    [
      "half received before a reload, and behind others now",
      { state: { state: "queued" }, transfer: { startedAt: null }, storedBytes: 61 * mb },
      { sub: "61 of 100 MB, queued", bar: { fraction: 0.61, tone: "off", valueText: "61%, 61 of 100 MB" } },
    ],
    [
      "merging",
      { size: 18.6 * gb, state: { state: "running" }, transfer: { mergingProgress: 0.88 } },
      {
        label: "merging",
        sub: "Finishing, 88%",
        isBusy: true,
        bar: { fraction: 0.88, tone: "accent", valueText: "Finishing, 88%" },
        actions: [],
      },
    ],
    [
      "complete",
      { size: 3 * gb, state: { state: "complete" } },
      {
        label: "complete",
        sub: "3 GB",
        mark: { kind: "verified", text: "Received" },
        actions: ["save"],
        isSettled: false,
      },
    ],
    [
      "saved",
      { size: 3 * gb, state: { state: "complete" }, isSaved: true },
      { mark: { kind: "verified", text: "Saved" }, actions: ["more"], isSettled: true },
    ],
    [
      "sent",
      { isMine: true, size: 98 * 1000, state: { state: "complete" } },
      {
        label: "complete",
        sub: "98 kB",
        mark: { kind: "received", text: "Received by Mara" },
        actions: ["more"],
      },
    ],
    [
      "complete because it was here",
      { state: { state: "complete", already: true } },
      { label: "complete", mark: { kind: "verified", text: "Already here" }, actions: ["save"] },
    ],
    [
      "sent to somebody who had it",
      { isMine: true, state: { state: "complete", already: true } },
      { label: "complete", mark: { kind: "received", text: "Mara already has it" }, actions: ["more"] },
    ],
    [
      "refused by somebody who has it under the same id",
      { isMine: true, state: failed("cache-exists") },
      { label: "complete", mark: { kind: "received", text: "Mara already has it" }, actions: ["more"] },
    ],
    [
      "changed at the sender's",
      { state: failed("source-changed"), transfer: at61 },
      {
        label: "incomplete",
        sub: "Changed on Mara's disk, stopped at 61%",
        tone: "warn",
        bar: { fraction: 0.61, tone: "off", valueText: "61%, 61 of 100 MB" },
        actions: ["ask-again"],
      },
    ],
    [
      "changed at the sender's, nobody knows when",
      { state: failed("source-changed") },
      { sub: "Changed on Mara's disk", bar: null, actions: ["ask-again"] },
    ],
    [
      "changed at mine",
      { isMine: true, state: failed("source-changed"), transfer: at61 },
      {
        label: "incomplete",
        sub: "Changed on your disk, stopped at 61%. Send it again.",
        actions: ["send-again"],
      },
    ],
    [
      "too little space",
      {
        state: failed("not-enough-space", { neededBytes: 12.8 * gb, freeBytes: 9.1 * gb }),
        transfer: { transferredBytes: 27 * mb },
      },
      {
        label: "incomplete",
        sub: "12.8 GB needed, 9.1 GB free",
        tone: "danger",
        bar: { fraction: 0.27, tone: "danger", valueText: "27%, 27 of 100 MB" },
        actions: ["try-again"],
      },
    ],
    [
      "storage full",
      { state: failed("storage-full") },
      { sub: "Storage is full. Free up space, then resume.", actions: ["try-again"] },
    ],
    [
      "too little space at theirs",
      { isMine: true, state: failed("storage-full") },
      { tone: "danger", actions: [] },
    ],
    [
      "declined by me",
      { state: { state: "declined" } },
      {
        label: "incomplete",
        sub: "100 MB",
        mark: { kind: "ended", text: "Declined by you" },
        tone: "plain",
        actions: ["accept-after-all"],
        isSettled: true,
      },
    ],
    [
      "declined by them",
      { isMine: true, state: { state: "declined" } },
      { label: "incomplete", sub: "100 MB", mark: { kind: "ended", text: "Declined by Mara" }, actions: [] },
    ],
    [
      "cancelled by its sender",
      { state: { state: "withdrawn" } },
      {
        label: "incomplete",
        sub: "100 MB",
        mark: { kind: "ended", text: "Cancelled by Mara" },
        actions: ["ask-again"],
      },
    ],
    [
      "cancelled by me, and mine",
      { isMine: true, state: { state: "withdrawn" } },
      { sub: "100 MB", mark: { kind: "ended", text: "Cancelled by you" }, actions: ["send-again"] },
    ],
    [
      "mine, cancelled by them",
      { isMine: true, state: { state: "givenUp" } },
      { sub: "100 MB", mark: { kind: "ended", text: "Cancelled by Mara" }, actions: ["send-again"] },
    ],
    [
      "mine, asked for again",
      { isMine: true, state: { state: "withdrawn", askedAgain: true } },
      { sub: "100 MB", mark: { kind: "ended", text: "Mara asks for it again" }, actions: ["send-again"] },
    ],
    [
      "asked for again",
      { state: { state: "withdrawn", askedAgain: true } },
      { sub: "100 MB", mark: { kind: "ended", text: "You asked Mara again" }, actions: [] },
    ],
    [
      "cancelled and offered once more",
      { isMine: true, state: { state: "givenUp", offeredAgain: true } },
      { sub: "100 MB", mark: { kind: "ended", text: "Cancelled, then sent again" }, actions: [] },
    ],
    [
      "an offer over my limit",
      { size: 1.3 * gb, state: { state: "offered" } },
      {
        sub: "1.3 GB is over your limit of 1 GB",
        tone: "warn",
        actions: ["accept-anyway", "raise-limit", "decline"],
      },
    ],
    [
      "queued at someone who left",
      { isMine: true, state: { state: "queuedThere" }, isHere: false },
      { label: "stopped", sub: "Mara is not here. Goes on by itself." },
    ],
    [
      "opening",
      { isMine: true, state: { state: "accepted" }, transfer: { now: { state: "opening" } } },
      { label: "not-started", sub: "0 of 100 MB, waiting for Mara", actions: ["cancel"] },
    ],
    [
      "received and deleted",
      { state: { state: "complete" }, loss: "gone" },
      { label: "incomplete", sub: "100 MB, deleted from this browser", actions: ["ask-again"] },
    ],
    [
      "received and lost by the browser",
      { state: { state: "complete" }, loss: "missing" },
      { label: "incomplete", tone: "warn", actions: ["ask-again"] },
    ],
    [
      "gone at the sender's",
      { state: failed("source-missing") },
      {
        label: "incomplete",
        sub: "No longer on Mara's disk",
        actions: ["ask-again"],
      },
    ],
    ["gone at mine", { isMine: true, state: failed("source-missing") }, { label: "incomplete", actions: [] }],
    [
      "failed on the way",
      { state: failed("channel-error", { label: "x" }) },
      {
        label: "incomplete",
        sub: "The connection failed during the transfer. Try again.",
        actions: ["try-again"],
      },
    ],
  ])("%s", (_name, given, shown) => {
    expect(view(given)).toMatchObject(shown);
  });

  test("no state has an unresolved placeholder", () => {
    for (const state of [failed("storage-full"), failed("unknown"), { state: "offered" } as const]) {
      expect(view({ state }).sub).not.toMatch(/[{}]/);
    }
  });
});

const states: Readonly<Record<string, TransferState>> = {
  offered: { state: "offered" },
  moving: { state: "running" },
  received: { state: "complete" },
  queued: { state: "queuedThere" },
  gone: { state: "queuedThere" },
  away: { state: "accepted" },
  paused: { state: "pausedHere" },
  pausedThere: { state: "pausedThere" },
  sourceless: { state: "needsSource" },
  withdrawn: { state: "withdrawn" },
  declined: { state: "declined" },
};
const groupView = (...names: readonly string[]): FileCardView => {
  const message = fakeFile(me, "everyone", { fileSize: 10 * mb }, { state: "offered" }, 0);
  const ends = names.map((name, i): FileEnd => {
    const state = states[name] ?? { state: "offered" };
    const transfer =
      name === "moving"
        ? fakeTransfer(message, String(i), { transferredBytes: 5 * mb, bytesPerSecond: 1 * mb })
        : undefined;
    return {
      name,
      isHere: name !== "gone",
      isUnsent: name === "unsent",
      offer: storedOf(state),
      transfer,
      storedBytes: null,
    };
  });
  return fileCardView(
    { limitBytes: 1_000_000_000, file: message.file, isMine: true, ends, kind: null },
    words,
  );
};

describe("my offer to several people", () => {
  test("waits for all of them", () => {
    expect(groupView("offered", "offered", "offered")).toMatchObject({
      label: "not-started",
      sub: "10 MB",
      mark: { kind: "waiting", text: "Waiting for 3 people to accept" },
      actions: ["withdraw"],
    });
  });

  test("shows the total progress while some transfers move", () => {
    expect(groupView("received", "moving", "moving", "offered")).toMatchObject({
      label: "transferring",
      mark: { text: "Received by 1 of 4" },
      speed: "2.00 MB/s",
      bar: { fraction: 0.5, valueText: "50%, 20.0 of 40.0 MB" },
      actions: ["pause", "cancel"],
    });
  });

  test("resumes when I press Resume", () => {
    expect(groupView("received", "paused")).toMatchObject({ label: "stopped", actions: ["resume"] });
  });

  test("can be withdrawn while someone has not answered", () => {
    expect(groupView("received", "offered")).toMatchObject({
      label: "not-started",
      mark: { text: "Received by 1 of 2" },
      actions: ["withdraw"],
    });
  });

  test("is over once everyone has it or declined it", () => {
    expect(groupView("received", "received", "declined")).toMatchObject({
      label: "complete",
      mark: { text: "Received by 2 of 3" },
      actions: ["more"],
    });
  });

  test("says in one word that nobody lacks it", () => {
    expect(groupView("received", "received").mark?.text).toBe("Received by all");
  });

  test("says so if nobody accepted it, and claims no receipt", () => {
    expect(groupView("declined", "declined", "withdrawn")).toMatchObject({
      label: "incomplete",
      sub: "10 MB",
      mark: { kind: "ended", text: "Declined by 2, cancelled for 1" },
    });
  });

  test("is queued once everyone who does not have it yet accepted it", () => {
    expect(groupView("queued", "offered").mark?.text).toBe("Waiting for 1 person to accept");
    expect(groupView("queued", "away").sub).toBe("10 MB, queued");
    expect(groupView("gone", "away")).toMatchObject({
      label: "stopped",
      mark: { text: "Received by 0 of 2" },
    });
  });

  test("says why it stands still, if one person is the reason", () => {
    expect(groupView("received", "pausedThere", "declined")).toMatchObject({
      label: "stopped",
      sub: "Paused by pausedThere, 10 MB",
      mark: { text: "Received by 1 of 3" },
      actions: ["withdraw"],
    });
    expect(groupView("received", "pausedThere", "offered").sub).toBe("Paused by pausedThere, 10 MB");
    expect(groupView("received", "gone").sub).toBe("gone is not here. Goes on by itself.");
    expect(groupView("received", "pausedThere", "pausedThere").sub).toBe("10 MB");
  });

  test("can be chosen again after a reload", () => {
    expect(groupView("sourceless", "sourceless", "offered")).toMatchObject({
      label: "stopped",
      sub: "10 MB. Choose the file again to resume.",
      tone: "warn",
      actions: ["choose", "withdraw"],
    });
    expect(groupView("received", "sourceless").actions).toEqual(["choose", "withdraw"]);
  });

  test("does not wait for those whom the offer did not reach", () => {
    expect(groupView("offered", "unsent").mark?.text).toBe("Waiting for 1 person to accept");
    expect(groupView("unsent", "unsent")).toMatchObject({ sub: "10 MB", mark: null, actions: ["withdraw"] });
  });
});
