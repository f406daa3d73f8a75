import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { Contact, Peer } from "@warren/core";
import { afterEach, expect, test } from "vitest";
import { usePersonActions } from "../../chat/list/use-person-actions.ts";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { fakeMedia } from "../../testing/fake-media.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { DialogResult } from "../../ui/overlays/dialog-control.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import type { LocalMedia } from "../../wiring/platform-context.ts";
import { toast } from "../../wiring/toast.ts";
import { usePerson } from "../use-person.ts";
import PersonInfoDialog, { type AfterInfo } from "./person-info-dialog.tsx";

const mara = clientIdOf(1);
// Turtle, Guitar, Cactus, Anchor, Mushroom, Bell, Bicycle.
const safetyCode = [11, 57, 17, 60, 18, 59, 52];
const verifiable = { verifiable: true, publicKey: new Uint8Array(91), safetyCode };

interface Scene {
  readonly peer?: Partial<Peer> | null;
  readonly contact?: Partial<Contact>;
  readonly trust?: "everyone" | "verified";
}

async function show({ peer = {}, contact = {}, trust = "everyone" }: Scene = {}) {
  const fake = fakeWarren();
  const platform = fakePlatform();
  fake.setOptions({ trust });
  fake.setRoom(
    roomWith(peer === null ? [] : [fakePeer(1, "Mara Lindqvist", { proof: verifiable, ...peer })]),
  );
  const known = (change: Partial<Contact>) =>
    fake.setChat({
      contacts: { [mara]: fakeContact(1, "Mara Lindqvist", { proven: true, ...contact, ...change }) },
    });
  known({});
  const view = renderWithWarren(null, fake, { platform });
  let result: Promise<DialogResult<AfterInfo>> | undefined;
  act(() => {
    result = openDialog(PersonInfoDialog, { personId: mara });
  });
  await screen.findByRole("dialog", { name: "Mara Lindqvist" });
  return { ...view, fake, platform, known, result };
}

const button = (name: string) => screen.getByRole("button", { name });
const words = (text: string | RegExp) => screen.queryByText(text);

afterEach(() => {
  cancelDialog();
  toast.dismiss();
  cleanup();
});

test("shows the seven emoji with their names, and the same code as numbers", async () => {
  await show();
  const code = screen.getByRole("list", { name: "Safety code" });
  expect(
    within(code)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Turtle", "Guitar", "Cactus", "Anchor", "Mushroom", "Bell", "Bicycle"]);
  expect(words("Ask Mara to read out these seven. If they match, nobody is listening in.")).not.toBeNull();
  expect(words(/^or \d{5} \d{5} \d{5}$/)).not.toBeNull();
});

test('"They match" verifies; the code is then hidden, and can be shown again', async () => {
  const { user, fake, known } = await show();
  await user.click(button("They match"));
  expect(fake.argsOf("markVerified")).toEqual([[mara]]);
  act(() => known({ trustLevel: "verified" }));
  expect(words("Verified. Nobody is intercepting the connection.")).not.toBeNull();
  expect(screen.queryByRole("list", { name: "Safety code" })).toBeNull();
  await user.click(button("Show safety code"));
  expect(screen.getByRole("list", { name: "Safety code" })).not.toBeNull();
});

test("a peer authenticated by the link counts as such, and its code can still be compared", async () => {
  const { user, known } = await show();
  act(() => known({ trustLevel: "invited" }));
  expect(words("Mara made the link you used. Compare the safety code to be sure.")).not.toBeNull();
  await user.click(button("Show safety code"));
  expect(button("They match")).not.toBeNull();
});

test('"They differ" blocks and reports it; Unblock reverses it', async () => {
  const { user, fake, known } = await show();
  await user.click(button("They differ"));
  expect(fake.argsOf("reportMismatch")).toEqual([[mara]]);
  expect(await screen.findByText("The safety codes differ. The connection was closed.")).not.toBeNull();
  act(() => known({ trustLevel: "blocked" }));
  expect(words(/^The safety codes differ\. .*until you unblock them\.$/)).not.toBeNull();
  expect(screen.queryByRole("switch")).toBeNull();
  await user.click(button("Unblock"));
  expect(fake.argsOf("unblock")).toEqual([[mara]]);
});

test("a peer without a key can be neither verified nor permitted anything", async () => {
  await show({
    peer: { proof: { verifiable: false, publicKey: new Uint8Array(0), safetyCode } },
    contact: { proven: false },
  });
  expect(words(/^Mara cannot be verified/)).not.toBeNull();
  expect(screen.queryByRole("button", { name: "They match" })).toBeNull();
  const permissions = screen.getAllByRole<HTMLInputElement>("switch", { name: /^(?:Accept files|Let)/ });
  expect(permissions.map(({ disabled }) => disabled)).toEqual([true, true]);
});

test("an absent peer can be compared later", async () => {
  await show({ peer: null });
  expect(words("Compare the safety code when Mara is here.")).not.toBeNull();
  expect(words("Not connected")).not.toBeNull();
});

test("a person is muted here", async () => {
  const { user, fake, known } = await show();
  await user.click(button("Mute Mara"));
  expect(fake.argsOf("setMuted")).toEqual([[mara, true]]);
  act(() => known({ muted: true }));
  expect(button("Mute Mara").getAttribute("aria-pressed")).toBe("true");
});

test("only those who are here can be called", async () => {
  const { user, result } = await show({ peer: null });
  await user.click(button("Voice call"));
  await user.click(button("Message"));
  expect(await result).toEqual({ cancelled: false, value: "message" });
});

test("permissions are switched one by one", async () => {
  const { user, fake } = await show({ contact: { clipboardAllowed: true } });
  await user.click(screen.getByRole("switch", { name: "Accept files from Mara" }));
  await user.click(screen.getByRole("switch", { name: /^Let Mara set my clipboard/ }));
  expect(fake.argsOf("permit")).toEqual([
    [mara, { autoAccept: true }],
    [mara, { clipboardAllowed: false }],
  ]);
});

test("says that a permission needs a compared safety code if the settings require one", async () => {
  const { known } = await show({ trust: "verified" });
  expect(screen.getAllByText("Verify this person first.")).toHaveLength(2);
  act(() => known({ trustLevel: "verified" }));
  expect(words("Verify this person first.")).toBeNull();
});

test.each([
  ["direct-local", null, "Directly on your network · 2 ms", "No server carries your data."],
  ["direct-internet", null, "Directly over the internet · 2 ms", "No server carries your data."],
  ["relayed", "turn.example", "Over relay turn.example · 2 ms", "A relay passes on your encrypted data."],
  ["relayed", null, "Over a relay · 2 ms", "A relay passes on your encrypted data."],
] as const)("describes the route: %s by %s", async (kind, relayHost, name, line) => {
  await show({ peer: { route: { kind, relayHost } } });
  // The round trip is measured.
  await screen.findByText(name);
  expect(words(line)).not.toBeNull();
});

test("says why a person is not connected, and retries on demand", async () => {
  const error = { code: "connect-timeout", values: {} } as const;
  const { user, fake } = await show({ peer: { session: "disconnected", ready: false, route: null, error } });
  expect(words("Not connected")).not.toBeNull();
  expect(screen.getByText(/No connection within 10 s/)).not.toBeNull();
  await user.click(button("Try again"));
  expect(fake.argsOf("retryConnection")).toEqual([[mara]]);
});

test("shows the full id and the statistics only on request", async () => {
  const { user, fake, platform } = await show({
    peer: { route: { kind: "direct-local", relayHost: null } },
  });
  expect(words(mara)).toBeNull();
  await user.click(button("Technical details"));
  expect(within(screen.getByRole("dialog")).getAllByText(mara)).toHaveLength(1);
  await user.click(button("Copy device ID"));
  expect(platform.written).toEqual([mara]);
  expect(await screen.findByText("host here, srflx there")).not.toBeNull();
  expect(screen.getByRole("region", { name: "Statistics report" }).textContent).toContain("candidate-pair");
  expect(fake.argsOf("getStats")[0]).toEqual([mara]);
  expect(screen.queryByText(/B\/s/)).toBeNull();
});

test("deleting is left to the caller of the dialog", async () => {
  const { user, result } = await show();
  await user.click(button("Delete conversation"));
  expect(await result).toEqual({ cancelled: false, value: "delete" });
});

async function openFromButton() {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  function Opener() {
    const { showInfo } = usePersonActions(usePerson(mara));
    return (
      <button type="button" onClick={() => void showInfo()}>
        Info
      </button>
    );
  }
  const platform = { ...fakePlatform(), media: fakeMedia([]) as unknown as LocalMedia };
  const view = renderWithWarren(<Opener />, fake, { platform });
  await view.user.click(button("Info"));
  await screen.findByRole("dialog", { name: "Mara Lindqvist" });
  return { ...view, fake };
}

test("calls the person once the dialog has closed", async () => {
  const { user, fake } = await openFromButton();
  await user.click(button("Voice call"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(fake.warren.call.ringing.store.getState().outgoing?.waiting).toEqual([mara]));
});

test("blocking is left to the caller of the dialog, which offers Undo", async () => {
  const { user, fake } = await openFromButton();
  await user.click(button("Block Mara"));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(fake.argsOf("block")).toEqual([[mara]]);
  expect(fake.argsOf("undoBlock")).toHaveLength(1);
  expect(screen.queryByRole("dialog")).toBeNull();
});
