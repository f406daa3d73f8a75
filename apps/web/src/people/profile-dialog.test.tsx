import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelDialog } from "../testing/cancel-dialog.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { DialogResult } from "../ui/overlays/dialog-control.ts";
import { openDialog } from "../wiring/dialogs/open-dialog.ts";
import ProfileDialog, { type PersonDetails } from "./profile-dialog.tsx";

function show() {
  const fake = fakeWarren();
  const view = renderWithWarren(null, fake, {
    platform: { ...fakePlatform(), pickFiles: async () => picked },
  });
  const profile = fake.warren.profile.get();
  let result: Promise<DialogResult<PersonDetails>> | undefined;
  act(() => {
    result = openDialog(ProfileDialog, { profile });
  });
  if (result === undefined) throw new Error("openDialog did not run");
  return { ...view, result, profile };
}

let picked: readonly File[] = [];

const field = (name: string) => screen.getByRole("textbox", { name });

afterEach(() => {
  cancelDialog();
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

describe("the dialog of one's own name and picture", () => {
  it("begins with the name, and submits it trimmed", async () => {
    const { user, result } = show();
    expect(document.activeElement).toBe(field("Your name"));
    await user.clear(field("Your name"));
    await user.type(field("Your name"), "  Mara Lindqvist ");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await result).toEqual({ cancelled: false, value: { name: "Mara Lindqvist", avatar: null } });
  });

  it("requires a name", async () => {
    const { user } = show();
    await user.clear(field("Your name"));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(screen.getByText("Enter a name, so others know who you are.")).not.toBeNull();
    expect(document.activeElement).toBe(field("Your name"));
  });

  it("refuses a name of more than 64 characters instead of cutting it", async () => {
    const { user } = show();
    fireEvent.change(field("Your name"), { target: { value: "🐇".repeat(65) } });
    expect(screen.getByText("Too long. At most 64 characters fit.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(screen.getByRole("dialog")).toBeTruthy();
  });

  it("shows the read-only id in the technical details", async () => {
    const { user, profile } = show();
    expect(screen.queryByText(profile.clientId)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Technical details" }));
    expect(screen.getByText(profile.clientId)).not.toBeNull();
    expect(screen.queryByDisplayValue(profile.clientId)).toBeNull();
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
    await user.click(screen.getByRole("button", { name: "Save" }));
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
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Failed to load image");
    expect(screen.getByRole("dialog", { name: "Name and picture" })).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await result).toMatchObject({ cancelled: false, value: { avatar: null } });
  });

  it("keeps initials that were chosen while a picture was being fetched", async () => {
    let arrive = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let outcome = Promise.resolve();
    loadPictures(() => outcome);
    const { user, result } = show();
    await user.click(screen.getByRole("button", { name: "Picture URL" }));
    await user.type(field("Picture URL"), "https://pictures.example/me.png{Enter}");
    const useInitials = await screen.findByRole("button", { name: "Use initials" });
    outcome = arrival;
    await user.type(field("Picture URL"), "?2{Enter}");
    await user.click(useInitials);
    await act(async () => arrive());
    await user.click(screen.getByRole("button", { name: "Save" }));
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
