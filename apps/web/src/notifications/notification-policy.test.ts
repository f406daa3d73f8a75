import { describe, expect, it } from "vitest";
import { type Alert, alertFor, type Sight } from "./notification-policy.ts";
import type { UpdateKind } from "./updates.ts";

const kinds: readonly UpdateKind[] = [
  "message",
  "offer",
  "received",
  "sent",
  "failed",
  "call",
  "missed-call",
  "join-request",
];
const sights: readonly Sight[] = ["hidden", "elsewhere", "open"];
const noAlert: Alert = { notify: false, sound: null, badge: false };
const usual = { isAccepted: true, isMuted: false, notifications: true, sounds: true } as const;

/** As words: N notification, B badge, and the name of the sound. */
const words = ({ notify, sound, badge }: Alert) =>
  [notify && "N", badge && "B", sound].filter(Boolean).join(" ");

describe("how a person is told", () => {
  it.each<[UpdateKind, hidden: string, elsewhere: string, open: string]>([
    ["message", "N B message", "B message", ""],
    ["offer", "N B message", "B message", ""],
    ["received", "N done", "", ""],
    ["sent", "N", "", ""],
    ["failed", "N done", "", ""],
    ["call", "N", "", ""],
    ["missed-call", "N", "", ""],
    ["join-request", "N message", "message", "message"],
  ])("of %s: hidden %j, elsewhere %j, open %j", (kind, ...expected) => {
    expect(sights.map((sight) => words(alertFor({ ...usual, kind, sight })))).toEqual(expected);
  });

  const everything = kinds.flatMap((kind) => sights.map((sight) => ({ ...usual, kind, sight })));

  it.each(everything)("of $kind, $sight: nothing that was muted", (situation) => {
    expect(alertFor({ ...situation, isMuted: true })).toEqual(noAlert);
  });

  it.each(everything)("of $kind, $sight: nothing of strangers, except that they ask to join", (situation) => {
    const alert = alertFor({ ...situation, isAccepted: false });
    expect(alert).toEqual(situation.kind === "join-request" ? alertFor(situation) : noAlert);
  });

  it.each(everything)("of $kind, $sight: by no means that is switched off", (situation) => {
    const all = alertFor(situation);
    expect(alertFor({ ...situation, notifications: false })).toEqual({ ...all, notify: false });
    expect(alertFor({ ...situation, sounds: false })).toEqual({ ...all, sound: null });
  });
});
