import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { PeerMessage, PeerMessageOf } from "@warren/protocol";
import { afterEach, expect, test } from "vitest";
import { useLocation } from "wouter";
import { remoteSource } from "../testing/fake-call.ts";
import { fakeMedia } from "../testing/fake-media.ts";
import { clientIdOf, fakePeer, me, roomWith } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { confirm } from "../wiring/dialogs/question.tsx";
import { paths } from "../wiring/paths.ts";
import type { LocalMedia } from "../wiring/platform-context.ts";
import { toast, toastStore } from "../wiring/toast.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { CallButtons } from "./call-buttons.tsx";
import CallTile from "./call-tile.tsx";
import { Rings } from "./rings.tsx";

const mara = clientIdOf(1);
const jun = clientIdOf(2);

afterEach(() => {
  toast.dismiss();
  cleanup();
});

/** The tile of the page's call. */
function Tile() {
  return <CallTile call={useStore(useWarren().call.store)} />;
}

function Address() {
  return <output aria-label="Address">{useLocation()[0]}</output>;
}

type RingMessage = PeerMessageOf<"ring" | "ring-answer" | "ring-end">;

/** Two people in the room, and the buttons that call Mara and everyone. */
function open({ hasMedia = true, path = "/" } = {}) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Jun Park")]));
  const media = fakeMedia([
    { kind: "audioinput", deviceId: "desk", label: "Desk" },
    { kind: "videoinput", deviceId: "front", label: "Front" },
  ]);
  const platform = { ...fakePlatform(), media: hasMedia ? (media as unknown as LocalMedia) : null };
  const page = (
    <>
      <Rings />
      <Tile />
      <Address />
      <section aria-label="Mara">
        <CallButtons id={mara} firstName="Mara" isHere />
      </section>
      <section aria-label="Everyone">
        <CallButtons id={null} firstName="Everyone" isHere />
      </section>
    </>
  );
  const rendered = renderWithWarren(page, fake, { platform, path });
  const receive = (message: Partial<RingMessage>, from = mara): void =>
    act(() => {
      const envelope = { id: "ring-0001", client: from, target: me, createdAt: 0 };
      fake.warren.call.ringing.receive(from, { ...envelope, ...message } as PeerMessage as RingMessage);
    });
  const shared = () => fake.call.call.store.getState().local.map(({ kind }) => kind);
  const sent = () => fake.argsOf("sendRing").map(([to, message]) => [to, (message as PeerMessage).type]);
  const idOfRing = () => (fake.argsOf("sendRing").at(-1) as readonly [string, PeerMessage])[1].id;
  return { fake, media, receive, shared, sent, idOfRing, ...rendered };
}

const button = (name: string, index = 0) => screen.getAllByRole("button", { name })[index] as HTMLElement;
const ringing = () => screen.queryByRole("alertdialog")?.textContent;
const calling = () => screen.queryByText(/^Calling/)?.textContent;

test("calls somebody with video in one press, and shares with nobody else", async () => {
  const { user, fake, shared, sent, receive, idOfRing } = open();
  await user.click(button("Video call"));
  expect(calling()).toBe("Calling Mara…");
  await waitFor(() => expect(shared()).toEqual(["microphone", "camera"]));
  expect(sent()).toEqual([[mara, "ring"]]);
  expect(fake.call.call.store.getState()).toMatchObject({
    audience: [mara],
    isAudioEnabled: true,
    isVideoEnabled: true,
  });
  receive({ type: "ring-answer", id: idOfRing(), answer: "join" });
  expect(calling()).toBeUndefined();
  expect(shared()).toEqual(["microphone", "camera"]);
});

test("returns from the page of a call of two to the conversation once it is over", async () => {
  const { user, receive, idOfRing } = open({ path: paths.call.href });
  await user.click(button("Voice call"));
  receive({ type: "ring-answer", id: idOfRing(), answer: "decline" });
  await waitFor(() =>
    expect(screen.getByRole("status", { name: "Address" }).textContent).toBe(paths.chat.href(mara)),
  );
});

test("ends a call that was declined, and says so", async () => {
  const { user, fake, shared, receive, idOfRing } = open();
  await user.click(button("Voice call"));
  await waitFor(() => expect(shared()).toEqual(["microphone"]));
  receive({ type: "ring-answer", id: idOfRing(), answer: "decline" });
  expect(await screen.findByText("Mara declined")).toBeTruthy();
  expect(shared()).toEqual([]);
  expect(fake.call.call.store.getState()).toMatchObject({ audience: null, isAudioEnabled: false });
});

test.each(["Voice call", "Video call"])(
  "a %s takes the focus of its button, says what it is, and leads to its page",
  async (name) => {
    const { user, sent, receive, idOfRing } = open();
    await user.click(button(name));
    const link = screen.getByRole("link", { name: /Back to call$/ });
    expect(link.textContent).toContain(`Calling Mara…${name}`);
    expect(document.activeElement).toBe(link);
    receive({ type: "ring-answer", id: idOfRing(), answer: "join" });
    expect(link.textContent).toContain("Connecting…");
    expect(document.activeElement).toBe(link);
    await user.click(link);
    expect(screen.getByRole("status", { name: "Address" }).textContent).toBe("/video");
    expect(sent()).toEqual([[mara, "ring"]]);
  },
);

test("withdraws a call", async () => {
  const { user, shared, sent } = open();
  await user.click(button("Voice call"));
  await waitFor(() => expect(shared()).toEqual(["microphone"]));
  await user.click(button("Cancel"));
  expect(sent()).toEqual([
    [mara, "ring"],
    [mara, "ring-end"],
  ]);
  expect([calling(), shared()]).toEqual([undefined, []]);
});

test.each(["cancelled", "declined"])(
  "starts no device for a call that was %s while the browser still asked",
  async (how) => {
    const { user, media, fake, shared, receive, idOfRing } = open();
    const allow = media.hold();
    await user.click(button("Video call"));
    if (how === "cancelled") await user.click(button("Cancel"));
    else receive({ type: "ring-answer", id: idOfRing(), answer: "decline" });
    await act(async () => allow());
    await waitFor(() => expect(media.given()).toBe(1));
    await act(async () => {});
    expect([shared(), media.open()]).toEqual([[], []]);
    expect(fake.call.call.store.getState()).toMatchObject({ audience: null, isAudioEnabled: false });
  },
);

test("takes the place of a call with the room, and leaves nothing on when it is declined", async () => {
  const { user, fake, shared, receive, idOfRing } = open();
  await user.click(button("Voice call", 1));
  await waitFor(() => expect(shared()).toEqual(["microphone"]));
  receive({ type: "ring-answer", id: idOfRing(), answer: "join" }, jun);
  receive({ type: "ring-answer", id: idOfRing(), answer: "decline" });
  act(() => fake.call.set({ remote: [remoteSource({ from: jun, kind: "microphone" })] }));
  await user.click(button("Voice call"));
  await waitFor(() => expect(shared()).toEqual(["microphone"]));
  receive({ type: "ring-answer", id: idOfRing(), answer: "decline" });
  expect(shared()).toEqual([]);
  expect(fake.call.call.store.getState().audience).toBeNull();
});

test("calls everyone, and goes on for those who joined when others decline", async () => {
  const { user, fake, shared, sent, receive, idOfRing } = open();
  await user.click(button("Voice call", 1));
  await waitFor(() => expect(shared()).toEqual(["microphone"]));
  expect(sent()).toEqual([
    [mara, "ring"],
    [jun, "ring"],
  ]);
  expect(fake.call.call.store.getState().audience).toBeNull();
  receive({ type: "ring-answer", id: idOfRing(), answer: "join" });
  act(() => fake.call.set({ remote: [remoteSource({ from: mara, kind: "microphone" })] }));
  receive({ type: "ring-answer", id: idOfRing(), answer: "decline" }, jun);
  expect(await screen.findByText("Jun declined")).toBeTruthy();
  expect(shared()).toEqual(["microphone"]);
});

test.each([
  ["Join", ["microphone", "camera"]],
  ["Join without camera", ["microphone"]],
])("shows who calls, and %s hears, sees and shares in that press", async (name, expected) => {
  const { user, fake, shared, sent, receive } = open();
  receive({ type: "ring", video: true });
  expect(ringing()).toContain("Mara is callingVideo call");
  expect(fake.call.call.store.getState().isAudioEnabled).toBe(false);
  await user.click(button(name));
  await waitFor(() => expect(shared()).toEqual(expected));
  expect(sent()).toEqual([[mara, "ring-answer"]]);
  expect(fake.call.call.store.getState()).toMatchObject({ audience: [mara], isAudioEnabled: true });
  receive({ type: "ring-end" });
  expect(await screen.findByText("Mara left the call")).toBeTruthy();
  expect(shared()).toEqual([]);
});

test("declines, and is silent once asked to be", async () => {
  const { user, shared, sent, receive } = open();
  receive({ type: "ring", video: false });
  await user.click(button("Silence"));
  expect(screen.queryByRole("button", { name: "Silence" })).toBeNull();
  await user.click(button("Decline"));
  expect(sent()).toEqual([[mara, "ring-answer"]]);
  expect([ringing(), shared()]).toEqual([undefined, []]);
});

test("offers to call back whoever called in vain", async () => {
  const { user, sent, receive } = open();
  receive({ type: "ring", video: false });
  receive({ type: "ring-end" });
  expect(await screen.findByText("You missed a call from Mara")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Call back" }));
  expect(sent()).toEqual([[mara, "ring"]]);
});

test("leaves it to the conversation on the screen to say that a call was missed", async () => {
  const { fake, receive } = open();
  fake.setChat({ open: mara });
  receive({ type: "ring", video: false });
  receive({ type: "ring-end" });
  await waitFor(() => expect(ringing()).toBeUndefined());
  receive({ type: "ring", id: "ring-0002", video: false }, jun);
  receive({ type: "ring-end", id: "ring-0002" }, jun);
  // Screen readers are told of both. A toast of an earlier test may still fade out.
  const shown = toastStore.getState().filter((one) => one.open);
  expect(shown.map(({ title }) => title)).toEqual(["You missed a call from Jun"]);
});

test.each([
  ["Join", ["microphone, muted"]],
  ["Join with camera", ["microphone, muted", "camera"]],
])("%s shares what one shared in the last call", async (name, expected) => {
  const { user, fake, receive } = open();
  fake.warren.settings.set("joinMuted", true);
  fake.warren.settings.set("joinWithCamera", false);
  receive({ type: "ring", video: true });
  expect(ringing()).toContain("You join muted.");
  await user.click(button(name));
  await waitFor(() =>
    expect(
      fake.call.call.store.getState().local.map(({ kind, muted }) => (muted ? `${kind}, muted` : kind)),
    ).toEqual(expected),
  );
});

test("is reached by Tab while a dialog is open, which stays", async () => {
  const { user, receive, shared } = open();
  const asked = confirm({ title: "Delete this?", line: "It is gone then.", verb: "Delete" });
  const dialog = await screen.findByRole("dialog");
  receive({ type: "ring", video: false });
  // By its role: what a dialog hides from screen readers has none.
  const join = await screen.findByRole("button", { name: "Join" });
  for (let presses = 0; presses < 6 && document.activeElement !== join; presses++) await user.tab();
  expect(document.activeElement).toBe(join);
  await user.click(join);
  await waitFor(() => expect(shared()).toEqual(["microphone"]));
  expect(screen.getByRole("dialog")).toBe(dialog);
  await user.keyboard("{Escape}");
  await expect(asked).resolves.toBe(false);
});

test("calls nobody where the browser has no devices, and says why", async () => {
  const { user, sent } = open({ hasMedia: false });
  await user.click(button("Voice call"));
  expect(await screen.findByText("Please use this function in a secure context")).toBeTruthy();
  expect(sent()).toEqual([]);
});
