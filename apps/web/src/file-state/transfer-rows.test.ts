import { type FileMessage, type Offer, transferKeyOf } from "@warren/core";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeTransfer, me } from "../testing/fake-records.ts";
import type { LiveTransfers } from "./live-transfers.ts";
import { transferRows } from "./transfer-rows.ts";

const mara = clientIdOf(1);
const complete = { state: "complete" } as const;
const none = { cleared: new Set<string>(), earlier: new Set<string>() };

function stateOf(messages: readonly FileMessage[]) {
  return { conversations: { [mara]: { messages, unread: 0 } } };
}

/** Mara is here, and these files moved to or from her; those whose offer is `accepted` still do. */
function moved(...messages: readonly FileMessage[]): LiveTransfers {
  const transfers = new Map(
    messages.map((message) => {
      const { [mara]: offer } = message.offers;
      const change = offer && offer.state !== "accepted" ? { now: offer } : {};
      return [transferKeyOf(mara, message.file.fid), fakeTransfer(message, mara, change)];
    }),
  );
  return { transfers, here: new Set([mara]) };
}

describe("the tray", () => {
  test("lists active files, including those from before a reload, apart from completed ones", () => {
    const moving = fakeFile(mara, mara, { fid: "moving" }, { state: "running" }, 1);
    const waiting = fakeFile(me, mara, { fid: "waiting" }, { state: "needsSource" }, 2);
    const done = fakeFile(mara, mara, { fid: "done" }, { state: "complete" }, 3);
    const rows = transferRows(stateOf([moving, waiting, done]), moved(moving, done), none);
    expect(rows).toEqual({ open: [moving, waiting], done: [done] });
  });

  test("lists what another member gives instead of the offer that it is given for", () => {
    const jun = clientIdOf(2);
    const offer = fakeFile(mara, mara, {}, { state: "pausedHere" }, 1);
    const { key: original, file } = offer;
    const given = fakeFile(jun, jun, file, { state: "accepted" }, 2, { original });
    const rows = (...messages: readonly FileMessage[]) => transferRows(stateOf(messages), moved(), none).open;
    expect(rows(offer, given)).toEqual([given]);
    const failed = { state: "failed", error: { code: "no-answer", values: {} } } as const;
    expect(rows(offer, { ...given, offers: { [jun]: failed } })).toEqual([offer]);
  });

  test("shows moving files first, then queued ones, then stalled ones by time", () => {
    const queued = { state: "queuedThere" } as const;
    const moving = fakeFile(mara, mara, { fid: "moving" }, { state: "running" }, 1);
    const next = fakeFile(mara, mara, { fid: "next" }, queued, 2);
    const later = fakeFile(mara, mara, { fid: "later" }, queued, 3);
    const stopped = fakeFile(mara, mara, { fid: "stopped" }, { state: "pausedHere" }, 4);
    const lost = fakeFile(mara, mara, { fid: "lost" }, { state: "accepted" }, 5);
    const { open } = transferRows(stateOf([stopped, later, lost, moving, next]), moved(moving), none);
    expect(open.map(({ file }) => file.fid)).toEqual(["moving", "next", "later", "lost", "stopped"]);
  });

  test("lists a file queued at a peer that left among the stalled ones", () => {
    const queued = { state: "queuedThere" } as const;
    const older = fakeFile(me, mara, { fid: "older" }, queued, 1);
    const newer = fakeFile(me, mara, { fid: "newer" }, queued, 2);
    const order = (here: readonly string[]) =>
      transferRows(stateOf([older, newer]), { ...moved(), here: new Set(here) }, none).open;
    expect(order([mara])).toEqual([older, newer]);
    expect(order([])).toEqual([newer, older]);
  });

  test("lists a file for several people by the state of those it was listed with", () => {
    const toAll = (fid: string, ...states: readonly Offer[]) => ({
      ...fakeFile(me, mara, { fid }, complete, 1),
      offers: Object.fromEntries(states.map((offer, at) => [clientIdOf(at + 1), offer])),
    });
    const paused = toAll("paused", complete, { state: "pausedHere" });
    const unanswered = toAll("unanswered", complete, { state: "offered" });
    const rows = transferRows(stateOf([paused, unanswered]), moved(paused, unanswered), none);
    expect(rows).toEqual({ open: [paused], done: [unanswered] });
  });

  test("lists a failed file only if it moved in this tab, among the stalled ones by time", () => {
    const error = { state: "failed", error: { code: "channel-error", values: {} } } as const;
    const stopped = fakeFile(mara, mara, { fid: "stopped" }, { state: "pausedHere" }, 1);
    const failed = fakeFile(mara, mara, { fid: "failed" }, error, 2);
    const before = fakeFile(mara, mara, { fid: "before" }, error, 3);
    const { open } = transferRows(stateOf([stopped, failed, before]), moved(failed), none);
    expect(open).toEqual([failed, stopped]);
  });

  test("omits unanswered offers, transfers that ended before the tab opened, and cleared ones", () => {
    const offer = fakeFile(mara, mara, { fid: "offer" }, { state: "offered" }, 1);
    const old = fakeFile(mara, mara, { fid: "old" }, { state: "complete" }, 2);
    const cleared = fakeFile(mara, mara, { fid: "cleared" }, { state: "complete" }, 3);
    const marks = { ...none, cleared: new Set([cleared.key]) };
    const rows = transferRows(stateOf([offer, old, cleared]), moved(cleared), marks);
    expect(rows).toEqual({ open: [], done: [] });
  });

  test("lists transfers completed before a reload, unless their message is gone or they were cleared", () => {
    const [kept, cleared] = ["kept", "cleared"].map((fid, at) =>
      fakeFile(mara, mara, { fid }, { state: "complete" }, at),
    ) as [FileMessage, FileMessage];
    const earlier = new Set([kept.key, cleared.key, "gone/1"]);
    const marks = { cleared: new Set([cleared.key]), earlier };
    expect(transferRows(stateOf([kept, cleared]), moved(), marks)).toEqual({ open: [], done: [kept] });
  });
});
