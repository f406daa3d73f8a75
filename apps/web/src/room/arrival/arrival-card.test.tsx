import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { type ErrorCode, WarrenError } from "@warren/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import type { Invite } from "../join/invite.ts";
import { JoinBar } from "../join/join-bar.tsx";
import { type ArrivalCardProps, ArrivalPage } from "./arrival-card.tsx";

const invite: Invite = {
  roomId: "quay",
  password: null,
  passwordFromLink: false,
  newServers: null,
  by: null,
};

function show(props: ArrivalCardProps = {}) {
  const fake = fakeWarren();
  fake.setRoom({ status: "disconnected", error: null });
  return { fake, ...renderWithWarren(<ArrivalPage {...props} />, fake) };
}

/** Sets the state after a failed join. */
function refuse(fake: ReturnType<typeof fakeWarren>, code: ErrorCode): void {
  act(() => fake.setRoom({ status: "disconnected", error: new WarrenError(code).describe() }));
}

const joinButton = () => screen.getByRole("button", { name: "Join room" });
const passwordField = () => screen.queryByLabelText("Password");

afterEach(() => {
  cancelDialog();
  toast.dismiss();
  cleanup();
  vi.restoreAllMocks();
});

describe("the arrival page", () => {
  it("explains Warren under How it works", async () => {
    const { user } = show();
    await user.click(screen.getByRole("button", { name: "How it works" }));
    const dialog = await screen.findByRole("dialog", { name: "How it works" });
    expect(within(dialog).getAllByRole("listitem").length).toBeGreaterThan(3);
  });

  it("joins the stored room with the typed name, with one button", async () => {
    const { user, fake } = show();
    expect(screen.getByRole("heading", { level: 1, name: "Join harbour" })).not.toBeNull();
    await user.clear(screen.getByRole("textbox", { name: "Your name" }));
    await user.type(screen.getByRole("textbox", { name: "Your name" }), "Mara");
    await user.click(joinButton());
    expect(fake.argsOf("updateProfile")).toEqual([
      [{ name: "Mara" }],
      [{ name: "Mara" }],
      [{ initialJoin: false }],
    ]);
    expect(fake.argsOf("join")).toHaveLength(1);
  });

  it("names the room of a link, which can be accepted and declined", async () => {
    const onAccept = vi.fn();
    const onDecline = vi.fn();
    const { user } = show({ invite, onAccept, onDecline });
    expect(screen.getByRole("heading", { level: 1, name: "Join quay" })).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Not now" }));
    expect(onDecline).toHaveBeenCalled();
    expect(onAccept).not.toHaveBeenCalled();
    await user.click(joinButton());
    expect(onAccept).toHaveBeenCalledWith({ roomId: "quay", useServers: true });
  });

  it("shows the join form with the room and password of a link", async () => {
    const { user } = show({ invite: { ...invite, password: "tidal" } });
    await user.click(screen.getByRole("button", { name: "Room name and password" }));
    expect(await screen.findByDisplayValue("quay")).not.toBeNull();
    expect(screen.getByDisplayValue("tidal")).not.toBeNull();
  });

  it("never says that a room has no password, which is unknown before joining", () => {
    show({ invite });
    expect(screen.getByText("If the room has a password, you will be asked for it.")).not.toBeNull();
    expect(screen.queryByText(/has no password/)).toBeNull();
  });

  it("joins with the servers of a link unless declined", async () => {
    const onAccept = vi.fn();
    const newServers = { stuns: ["stun:turn.example:3478"], turns: [] };
    const { user } = show({ invite: { ...invite, newServers }, onAccept });
    await user.click(screen.getByRole("checkbox", { name: /turn\.example/, checked: true }));
    await user.click(joinButton());
    expect(onAccept).toHaveBeenCalledWith({ roomId: "quay", useServers: false });
  });

  it("shows that it is joining, and can be cancelled", async () => {
    const { user, fake } = show();
    fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false });
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Joining harbour" }).ariaBusy).not.toBeNull(),
    );
    await user.click(screen.getByRole("button", { name: "Cancel joining" }));
    expect(fake.argsOf("leave")).toHaveLength(1);
  });

  it("tells a waiting newcomer that they need approval", () => {
    const { fake } = show();
    act(() => fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: true }));
    expect(screen.getByRole("button", { name: "Waiting to be let in" })).not.toBeNull();
    expect(screen.getByText("Someone in harbour has been asked to let you in.")).not.toBeNull();
  });

  it("shows why joining failed", async () => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError("room-full"));
    await user.click(joinButton());
    expect(await screen.findByText("The room is full. Try again when someone has left.")).not.toBeNull();
  });

  it("offers to retry if the server did not respond", async () => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError("signalling-unreachable"));
    await user.click(joinButton());
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await waitFor(() => expect(fake.argsOf("join")).toHaveLength(2));
  });

  it.each([
    ["password-required", "This room has a password. Enter it to join."],
    ["incorrect-password", "Wrong password."],
  ] as const)("asks for the password in place after %s, in an empty, focused field", async (code, words) => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError(code));
    await user.click(joinButton());
    refuse(fake, code);
    expect(passwordField()).toBe(document.activeElement);
    expect(screen.getByText(words)).not.toBeNull();
    expect(screen.queryByText("Could not join harbour")).toBeNull();
    await user.keyboard("wrong horse{Enter}");
    expect(fake.argsOf("updateProfile")).toContainEqual([{ name: "Okafor", password: "wrong horse" }]);
    expect(fake.argsOf("join")).toHaveLength(2);

    // The error stays during the next attempt, and the wrong password is not filled in again.
    act(() => fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false }));
    expect(screen.getByText(words)).not.toBeNull();
    refuse(fake, "incorrect-password");
    expect(screen.getByLabelText("Password")).toHaveProperty("value", "");
    expect(passwordField()).toBe(document.activeElement);
    await user.click(joinButton());
    expect(fake.argsOf("join")).toHaveLength(2);
  });

  it("does not fill a rejected password into the join form", async () => {
    const { user, fake } = show();
    const profile = fake.warren.profile.get();
    vi.spyOn(fake.warren.profile, "get").mockReturnValue({ ...profile, password: "wrong horse" });
    refuse(fake, "incorrect-password");
    await user.click(screen.getByRole("button", { name: "Room name and password" }));
    await screen.findByRole("dialog", { name: "Edit Room Info" });
    expect(screen.queryByDisplayValue("wrong horse")).toBeNull();
  });

  it("joins without the password if the room has none", async () => {
    const { user, fake } = show();
    refuse(fake, "room-is-open");
    expect(screen.getByText("This room has no password. Join without one.")).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Join without a password" }));
    await waitFor(() => expect(fake.argsOf("join")).toHaveLength(1));
    expect(fake.argsOf("updateProfile")).toContainEqual([{ password: null }]);
  });

  it("shows nothing after joining was cancelled", async () => {
    const { user, fake } = show();
    fake.fail("join", new WarrenError("connection-closed"));
    await user.click(joinButton());
    await waitFor(() => expect(fake.argsOf("join")).toHaveLength(1));
    expect(screen.queryByText("Could not join harbour")).toBeNull();
  });

  it("leads to another room, also by its link or a code", async () => {
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    const opened = vi.fn();
    const { user } = renderWithWarren(<ArrivalPage />, fake, { openLink: opened });
    await user.click(screen.getByRole("button", { name: "Another room" }));
    await user.click(await screen.findByRole("menuitem", { name: "Join by link or code" }));
    await user.type(
      await screen.findByRole("combobox", { name: "Have a link or code?" }),
      "https://warren.example/r/quay#tidal{Enter}",
    );
    await waitFor(() => expect(opened).toHaveBeenCalledTimes(1));
    expect(opened.mock.calls[0]?.[0]).toMatchObject({ roomId: "quay", password: "tidal" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("rejoining on a phone", () => {
  it("asks for the password in place too", async () => {
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    const { user } = renderWithWarren(<JoinBar />, fake);
    refuse(fake, "password-required");
    await user.keyboard("correct horse{Enter}");
    expect(fake.argsOf("updateProfile")[0]).toEqual([{ password: "correct horse" }]);
    expect(fake.argsOf("join")).toHaveLength(1);
  });
});
