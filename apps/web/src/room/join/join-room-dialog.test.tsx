import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { localTagOf } from "@warren/core";
import { afterEach, describe, expect, it } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { DialogResult } from "../../ui/overlays/dialog-control.ts";
import { openDialog } from "../../wiring/dialogs/open-dialog.ts";
import { JoinRoomDialog } from "./join-room-dialog.tsx";
import type { RoomDetails } from "./use-room-draft.ts";

function show({
  password = null,
  currentRoom = null,
}: {
  password?: string | null;
  currentRoom?: string | null;
} = {}) {
  const fake = fakeWarren();
  const view = renderWithWarren(null, fake);
  const details = { roomId: fake.warren.profile.get().roomId, password };
  let result: Promise<DialogResult<RoomDetails>> | undefined;
  act(() => {
    result = openDialog(JoinRoomDialog, { details, currentRoom });
  });
  if (result === undefined) throw new Error("openDialog did not run");
  return { ...view, fake, result };
}

const field = (name: string) => screen.getByRole("textbox", { name });

afterEach(() => {
  cancelDialog();
  cleanup();
});

describe("the join form", () => {
  it("submits trimmed values, with an empty password as none", async () => {
    const { user, result } = show();
    await user.clear(field("Room name"));
    await user.type(field("Room name"), "  quay ");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(await result).toEqual({ cancelled: false, value: { roomId: "quay", password: null } });
  });

  it.each([
    ["Room name", 64],
    ["Password", 256],
  ])("refuses a %s of more than %i characters instead of cutting it", async (name, limit) => {
    const { user } = show({ password: "secret" });
    await user.click(screen.getByRole("button", { name: "Show text" }));
    const input = screen.getByRole("textbox", { name: new RegExp(`^${name}`) });
    fireEvent.change(input, { target: { value: "🐇".repeat(limit) } });
    expect(screen.queryByText(/Too long/)).toBeNull();
    fireEvent.change(input, { target: { value: "🐇".repeat(limit + 1) } });
    expect(screen.getByText(`Too long. At most ${limit} characters fit.`)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(document.activeElement).toBe(input);
    expect(screen.getByRole("dialog")).toBeTruthy();
  });

  it("says where what was said stays once a room has another password", async () => {
    const { fake, user } = show();
    const { roomId } = fake.warren.profile.get();
    const room = {
      id: roomId,
      tag: localTagOf({ roomId, password: null }),
      password: null,
      firstVisit: 0,
      lastVisit: 0,
    };
    act(() => fake.setRooms([room]));
    expect(screen.queryByText(/another room/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Generate a password" }));
    expect(screen.getByText(/With another password it is another room/)).toBeTruthy();
    await user.type(field("Room name"), "side");
    expect(screen.queryByText(/another room/)).toBeNull();
  });

  it("requires a room, and stays open until it is given", async () => {
    const { user, result } = show();
    await user.clear(field("Room name"));
    await user.type(field("Room name"), "   ");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(await screen.findByText("Enter the name of the room.")).not.toBeNull();
    expect(field("Room name").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field("Room name"));
    await user.type(field("Room name"), "quay");
    expect(field("Room name").getAttribute("aria-invalid")).not.toBe("true");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(await result).toMatchObject({ cancelled: false });
  });

  it("is cancelled without a value", async () => {
    const { user, result } = show();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await result).toEqual({ cancelled: true });
  });

  it("hides the password until asked, and generates one of twelve characters", async () => {
    const { user, result } = show({ password: "tidal" });
    const password = screen.getByLabelText(/^Password/);
    expect(password.getAttribute("type")).toBe("password");
    await user.click(screen.getByRole("button", { name: "Show text" }));
    expect(password.getAttribute("type")).toBe("text");
    await user.click(screen.getByRole("button", { name: "Generate a password" }));
    await user.click(screen.getByRole("button", { name: "Join room" }));
    const settled = await result;
    expect(settled.cancelled ? null : settled.value.password).toMatch(/^.{12}$/);
  });

  it("saves while in the room, and warns that another room means leaving this one", async () => {
    const { user } = show({ currentRoom: "harbour" });
    expect(screen.getByRole("button", { name: "Save" })).not.toBeNull();
    await user.type(field("Room name"), "-2");
    expect(screen.getByText("You will leave harbour first.")).not.toBeNull();
    expect(screen.getByRole("button", { name: "Join room" })).not.toBeNull();
  });
});
