import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { DialogResult } from "../../ui/overlays/dialog-control.ts";
import { dialogStore, openDialog } from "../../wiring/dialogs/open-dialog.tsx";
import { JoinRoomDialog, type RoomDetails } from "./join-room-dialog.tsx";

function show({
  password = null,
  currentRoom = null,
}: {
  password?: string | null;
  currentRoom?: string | null;
} = {}) {
  const fake = fakeWarren();
  const view = renderWithWarren(null, fake, { device: { ...fakeDevice(), pickFiles: async () => picked } });
  const profile = { ...fake.warren.profile.get(), password };
  let result: Promise<DialogResult<RoomDetails>> | undefined;
  act(() => {
    result = openDialog(JoinRoomDialog, { profile, currentRoom });
  });
  if (result === undefined) throw new Error("openDialog did not run");
  return { ...view, result, profile };
}

let picked: readonly File[] = [];

const field = (name: string) => screen.getByRole("textbox", { name });

afterEach(() => {
  act(() => dialogStore.getState()?.dialog.cancel());
  cleanup();
  vi.restoreAllMocks();
});

/** Fetches nothing: every picture loads or fails with this outcome. */
function loadPictures(outcome: () => Promise<void>): void {
  vi.spyOn(HTMLImageElement.prototype, "src", "set").mockImplementation(function (this: HTMLImageElement) {
    outcome().then(
      () => this.onload?.(new Event("load")),
      () => this.onerror?.(new Event("error")),
    );
  });
}

describe("the join form", () => {
  it("submits trimmed values, with an empty password as none", async () => {
    const { user, result } = show();
    await user.clear(field("Room ID"));
    await user.type(field("Room ID"), "  quay ");
    await user.clear(field("Your name"));
    await user.type(field("Your name"), "Mara Lindqvist");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(await result).toEqual({
      cancelled: false,
      value: { roomId: "quay", name: "Mara Lindqvist", password: null, avatar: null },
    });
  });

  it.each([
    ["Room ID", 64],
    ["Your name", 64],
    ["Password", 256],
  ])("refuses a %s of more than %i characters instead of cutting it", async (name, limit) => {
    const { user } = show({ password: "secret" });
    await user.click(screen.getByRole("button", { name: "Show password" }));
    const input = screen.getByRole("textbox", { name: new RegExp(`^${name}`) });
    fireEvent.change(input, { target: { value: "🐇".repeat(limit) } });
    expect(screen.queryByText(/Too long/)).toBeNull();
    fireEvent.change(input, { target: { value: "🐇".repeat(limit + 1) } });
    expect(screen.getByText(`Too long. At most ${limit} characters fit.`)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(document.activeElement).toBe(input);
    expect(screen.getByRole("dialog")).toBeTruthy();
  });

  it("requires a room and a name, and stays open until both are given", async () => {
    const { user } = show();
    await user.clear(field("Room ID"));
    await user.clear(field("Your name"));
    await user.type(field("Your name"), "   ");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(await screen.findByText("Enter a room ID.")).not.toBeNull();
    expect(screen.getByText("Enter a name, so others know who you are.")).not.toBeNull();
    expect(field("Room ID").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field("Room ID"));
    await user.type(field("Room ID"), "quay");
    expect(field("Room ID").getAttribute("aria-invalid")).not.toBe("true");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(document.activeElement).toBe(field("Your name"));
    expect(screen.getByRole("dialog", { name: "Edit Room Info" })).not.toBeNull();
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
    await user.click(screen.getByRole("button", { name: "Show password" }));
    expect(password.getAttribute("type")).toBe("text");
    await user.click(screen.getByRole("button", { name: "Generate a password" }));
    await user.click(screen.getByRole("button", { name: "Join room" }));
    const settled = await result;
    expect(settled.cancelled ? null : settled.value.password).toMatch(/^.{12}$/);
  });

  it("shows a read-only client ID", () => {
    const { profile } = show();
    expect(screen.getByText(profile.clientId)).not.toBeNull();
    expect(screen.queryByDisplayValue(profile.clientId)).toBeNull();
  });

  it("saves while in the room, and warns that another room means leaving this one", async () => {
    const { user } = show({ currentRoom: "harbour" });
    expect(screen.getByRole("button", { name: "Save" })).not.toBeNull();
    await user.type(field("Room ID"), "-2");
    expect(screen.getByText("You will leave harbour first.")).not.toBeNull();
    expect(screen.getByRole("button", { name: "Join room" })).not.toBeNull();
  });

  it("includes a picture that is still being fetched on submit", async () => {
    let arrive = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    loadPictures(() => arrival);
    const { user, result } = show();
    await user.click(screen.getByRole("button", { name: "Picture URL" }));
    await user.type(field("Picture URL"), "https://pictures.example/me.png");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    arrive();
    expect(await result).toMatchObject({
      cancelled: false,
      value: { avatar: "https://pictures.example/me.png" },
    });
  });

  it("stays open to report a picture that cannot be shown, and continues without it on the next submit", async () => {
    loadPictures(() => Promise.reject(new Error("no picture")));
    const { user, result } = show();
    await user.click(screen.getByRole("button", { name: "Picture URL" }));
    await user.type(field("Picture URL"), "https://pictures.example/me.png");
    await user.click(screen.getByRole("button", { name: "Join room" }));
    await screen.findByText("Failed to load image");
    expect(screen.getByRole("dialog", { name: "Edit Room Info" })).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Join room" }));
    expect(await result).toMatchObject({ cancelled: false, value: { avatar: null } });
  });

  it("rejects a file that is not a picture", async () => {
    const { user } = show();
    // The file dialog's filter can be switched off, so the form validates too.
    picked = [new File(["%PDF"], "me.pdf", { type: "application/pdf" })];
    await user.click(screen.getByRole("button", { name: "Choose picture" }));
    await waitFor(() => expect(screen.getByText("Please upload a valid image file")).not.toBeNull());
  });
});
