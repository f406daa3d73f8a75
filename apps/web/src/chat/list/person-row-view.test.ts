import type { CallMessage, ChatMessage, Peer, TrustLevel } from "@warren/core";
import { describe, expect, test } from "vitest";
import { type Moving, movingWith } from "../../files/transfers/transfer-batch.ts";
import { formatFor } from "../../i18n/format.ts";
import { translate } from "../../i18n/i18n.ts";
import { clientIdOf, fakeFile, fakePeer, fakeText, fakeTransfer, me } from "../../testing/fake-records.ts";
import { everyoneRowLine, personRowLine } from "./person-row-view.ts";

// Evaluated at once, because the table below contains translated texts.

const mara = clientIdOf(1);
const here = fakePeer(1, "Mara Lindqvist");
const waits = { deliveries: { [mara]: { status: "sending" as const } } };

function line(
  peer: Peer | null,
  messages: readonly ChatMessage[],
  moving: Moving | null = null,
  trustLevel: TrustLevel = "unverified",
) {
  const conversation = { messages, unread: 0 };
  const input = {
    personId: mara,
    selfId: me,
    name: "Mara Lindqvist",
    trustLevel,
    peer,
    conversation,
    moving,
  };
  const { kind, text } = personRowLine(input, translate, formatFor("en-us").percent);
  return [kind, text];
}

const rushes = {
  fileName: "Rushes",
  tree: { kind: "folder", files: 30, folders: 2, manifestSize: 500, manifestDigest: "" },
} as const;

const pastCall = (video: boolean): CallMessage => ({
  ...fakeText(mara, mara, "", 1),
  ...{ type: "call", caller: mara, video, outcome: "ended", durationMs: 60_000 },
});

describe("the line below a name", () => {
  const said = fakeText(mara, mara, "Rushes\nare  copied", 1);

  test.each<[name: string, line: readonly (string | number)[], shown: readonly string[]]>([
    ["what was said last", line(here, [said]), ["text", "Rushes are copied"]],
    ["that I said it", line(here, [fakeText(me, mara, "Thanks", 1)]), ["text", "You: Thanks"]],
    ["a call by voice", line(here, [pastCall(false)]), ["voice-call", "Voice call"]],
    ["a call with video", line(here, [pastCall(true)]), ["video-call", "Video call"]],
    [
      "a file that is offered",
      line(here, [fakeFile(mara, mara, {}, { state: "offered" }, 1)]),
      ["file", "Wants to send call_sheet_day_3.pdf"],
    ],
    [
      "a file I offered",
      line(here, [fakeFile(me, mara, {}, { state: "offered" }, 1)]),
      ["file", "call_sheet_day_3.pdf"],
    ],
    [
      "a folder I offered",
      line(here, [fakeFile(me, mara, rushes, { state: "offered" }, 1)]),
      ["folder", "Rushes"],
    ],
    [
      "that somebody is blocked, whatever was said",
      line(here, [said], null, "blocked"),
      ["warn", "Blocked, the safety code differs"],
    ],
    ["that nothing was said", line(here, []), ["empty", "No messages yet"]],
    [
      "what moves, before what was said",
      line(here, [said], { mode: "receive", fraction: 0.45 }),
      ["moving", "Receiving, 45%"],
    ],
    ["what is sent", line(here, [said], { mode: "send", fraction: 0.1 }), ["moving", "Sending, 10%"]],
    [
      "the reconnect, before all else",
      line({ ...here, session: "reconnecting", attempt: 2 }, [said], { mode: "send", fraction: 0 }),
      ["warn", "Reconnecting, attempt 2"],
    ],
    ["the connecting", line({ ...here, session: "connecting" }, [said]), ["empty", "Connecting"]],
    [
      "what waits for someone away",
      line(null, [fakeText(me, mara, "a", 1, waits), fakeText(me, mara, "b", 2, waits), said]),
      ["waiting", "2 messages waiting for Mara"],
    ],
    [
      "nothing of waiting to someone here",
      line(here, [fakeText(me, mara, "a", 1, waits)]),
      ["text", "You: a"],
    ],
  ])("%s", (_name, shown, expected) => {
    expect(shown).toEqual(expected);
  });

  test("names the sender of the last message to everyone", () => {
    const last = fakeText(mara, "everyone", "the call sheet is up", 1);
    expect(everyoneRowLine(last, "Mara Lindqvist", me, translate).text).toBe("Mara: the call sheet is up");
    expect(everyoneRowLine(undefined, "", me, translate).text).toBe("No messages yet");
  });
});

test("sums up the transfers with a peer, receiving before sending", () => {
  const files = [mara, me].map((from) => fakeFile(from, mara, { fileSize: 1_000 }, { state: "running" }, 1));
  const transfers = files.map((file) => fakeTransfer(file, mara, { transferredBytes: 459 }));
  const other = fakeTransfer(
    fakeFile(clientIdOf(2), clientIdOf(2), {}, { state: "offered" }, 1),
    clientIdOf(2),
  );
  const state = new Map([...transfers, other].map((transfer) => [transfer.key, transfer]));
  expect(movingWith(state, {}, mara)).toEqual({ mode: "receive", fraction: 0.45 });
  expect(movingWith(new Map(), {}, mara)).toBeNull();
});
