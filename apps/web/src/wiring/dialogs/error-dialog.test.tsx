import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { renderUi } from "../../testing/render-ui.tsx";
import { fakePlatform } from "../../testing/render-with-warren.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogResult, DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { lazyWithPreload } from "../lazy-with-preload.ts";
import { PlatformContext } from "../platform-context.ts";
import { toast } from "../toast.ts";
import { Toaster } from "../toaster.tsx";
import { DialogHost } from "./dialog-host.tsx";
import { openDialog } from "./open-dialog.ts";

const fault = { stands: true };

function NameDialog({ dialog }: DialogSlot<string>) {
  if (fault.stands) throw new Error("cache 7d1f2c90 info not found");
  return (
    <Dialog dialog={dialog} title="Name">
      <button type="button" onClick={() => dialog.submit("mara")}>
        Submit
      </button>
    </Dialog>
  );
}

function show(component: ComponentType<DialogSlot<string>>) {
  const platform = fakePlatform();
  const { user } = renderUi(
    <PlatformContext value={platform}>
      <button type="button">Opener</button>
      <DialogHost />
      <Toaster narrow={false} label="Notifications" />
    </PlatformContext>,
  );
  const opener = screen.getByRole("button", { name: "Opener" });
  opener.focus();
  let result: Promise<DialogResult<string>> | undefined;
  act(() => {
    result = openDialog(component, {});
  });
  if (result === undefined) throw new Error("openDialog did not run");
  return { user, platform, opener, result };
}

const errorDialog = () => screen.findByRole("dialog", { name: "Error Occurred" });

beforeEach(() => {
  fault.stands = true;
  vi.spyOn(console, "error").mockImplementation(() => {}); // React logs every caught error
});
afterEach(() => {
  cancelDialog();
  toast.dismiss();
  cleanup();
  vi.restoreAllMocks();
});

describe("a dialog that crashed", () => {
  it("shows the error in a dialog, with the technical text collapsed, and copies it", async () => {
    const { user, platform } = show(NameDialog);
    const dialog = await errorDialog();
    expect(dialog.textContent).toContain("This dialog stopped working. Your files and messages are safe.");
    expect(screen.getByText("cache 7d1f2c90 info not found")).not.toBeNull();
    expect(screen.getByText("Technical details").closest("details")?.hasAttribute("open")).toBe(false);
    await user.click(screen.getByRole("button", { name: "Copy details" }));
    expect(platform.written[0]).toContain("cache 7d1f2c90 info not found");
  });

  it("is rendered again by Reset, and then resolves normally", async () => {
    const { user, result } = show(NameDialog);
    await errorDialog();
    fault.stands = false;
    await user.click(screen.getByRole("button", { name: "Reset this dialog" }));
    await user.click(await screen.findByRole("button", { name: "Submit" }));
    expect(await result).toEqual({ cancelled: false, value: "mara" });
  });

  it("is cancelled by closing the replacement, and the focus returns", async () => {
    const { user, opener, result } = show(NameDialog);
    await errorDialog();
    await user.keyboard("{Escape}");
    expect(await result).toEqual({ cancelled: true });
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it("offers to reload if its code cannot be fetched", async () => {
    const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
    const failure = new TypeError("Failed to fetch");
    const { user } = show(
      lazyWithPreload(() => {
        dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: failure }));
        return Promise.reject(failure);
      }),
    );
    const dialog = await errorDialog();
    expect(dialog.textContent).toContain("Check your network and try again.");
    const technical = within(dialog).getByText(/Failed to fetch/);
    expect(technical.closest("details")?.hasAttribute("open")).toBe(false);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(reload).toHaveBeenCalledTimes(1);
  });
});
