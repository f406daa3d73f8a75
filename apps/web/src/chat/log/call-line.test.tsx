import { act, cleanup, screen } from "@testing-library/react";
import { type CallMessage, messageKeyOf } from "@warren/core";
import { afterEach, expect, it } from "vitest";
import { fakeMedia } from "../../testing/fake-media.ts";
import { clientIdOf, fakeContact, fakePeer, me, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { LocalMedia } from "../../wiring/platform-context.ts";
import { CallLine } from "./call-line.tsx";

afterEach(cleanup);

const mara = clientIdOf(1);

/** A call at nine in the morning, with Mara alone unless it says otherwise. */
function callOf(call: Partial<CallMessage>): CallMessage {
  const { client = me } = call;
  const at = new Date(2026, 2, 4, 9, 0).getTime();
  return {
    ...{ type: "call", id: "call-0001", key: messageKeyOf(client, "call-0001"), client },
    ...{ conversation: mara, createdAt: at, sortedAt: at, deliveries: {} },
    ...{ caller: me, video: false, outcome: "ended", durationMs: 0 },
    ...call,
  };
}

function show(call: Partial<CallMessage>, isHere = true) {
  const fake = fakeWarren();
  fake.setRoom(roomWith(isHere ? [fakePeer(1, "Mara Lindqvist")] : []));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  const media = fakeMedia([{ kind: "audioinput", deviceId: "desk", label: "Desk" }]);
  const platform = { ...fakePlatform(), media: media as unknown as LocalMedia };
  return { fake, ...renderWithWarren(<CallLine message={callOf(call)} />, fake, { platform }) };
}

it.each<[string, Partial<CallMessage>]>([
  ["Voice call · 2 min 31 s · 09:00", { outcome: "ended", durationMs: 151_000 }],
  ["Video call · 5 s · 09:00", { outcome: "ended", durationMs: 5_000, video: true, caller: mara }],
  ["Unanswered voice call · 09:00", { outcome: "unanswered" }],
  ["Declined video call · 09:00", { outcome: "declined", video: true }],
  ["Missed voice call · 09:00", { outcome: "missed", caller: mara, client: mara }],
  [
    "Missed voice call from Mara · 09:00",
    { outcome: "missed", caller: mara, client: mara, conversation: "everyone" },
  ],
])("says %s", (words, call) => {
  show(call);
  expect(screen.getByText(words)).toBeTruthy();
});

it("calls back whoever was missed, while that person is here and not in a call with us", async () => {
  const { user, fake } = show({ outcome: "missed", caller: mara, client: mara, video: true });
  await user.click(screen.getByRole("button", { name: "Call back" }));
  expect(fake.argsOf("sendRing")).toMatchObject([[mara, { type: "ring", video: true }]]);
  expect(screen.queryByRole("button", { name: "Call back" })).toBeNull();
  act(() => fake.warren.call.leave());
  expect(screen.getByRole("button", { name: "Call back" })).toBeTruthy();
  cleanup();
  show({ outcome: "missed", caller: mara, client: mara }, false);
  expect(screen.queryByRole("button", { name: "Call back" })).toBeNull();
});
