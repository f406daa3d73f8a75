import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeMedia } from "../testing/fake-media.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { LocalMedia } from "../wiring/platform-context.ts";
import SettingsPage from "./settings-page.tsx";

afterEach(() => {
  cleanup();
  location.hash = "";
});

function open(media: LocalMedia | null) {
  location.hash = "media";
  const fake = fakeWarren();
  return {
    fake,
    ...renderWithWarren(<SettingsPage />, fake, { path: "/setting", platform: { ...fakePlatform(), media } }),
  };
}

const camera = (deviceId: string, label: string) => ({ kind: "videoinput", deviceId, label, groupId: "" });

describe("the media section", () => {
  it("has no devices outside a secure context", () => {
    open(null);
    expect(screen.getByRole("heading", { name: "No Support" })).not.toBeNull();
    expect(screen.getByText(/^Please use this function in a secure context/)).not.toBeNull();
  });

  it("names the devices after permission was granted, and releases those opened for it", async () => {
    const track = { stop: vi.fn() };
    let isAllowed = false;
    const media = Object.assign(new EventTarget(), {
      getSupportedConstraints: () => ({}),
      enumerateDevices: async () =>
        isAllowed ? [camera("a", "Front"), camera("b", "Back")] : [camera("", "")],
      getUserMedia: async () => {
        isAllowed = true;
        return { getTracks: () => [track] };
      },
    }) as unknown as LocalMedia;
    const { fake, user } = open(media);
    await user.click(await screen.findByRole("button", { name: "Show device names" }));
    expect(track.stop).toHaveBeenCalled();
    await user.selectOptions(screen.getByRole("combobox", { name: "Camera" }), "Back");
    expect(fake.warren.settings.get().cameraId).toBe("b");
    expect(screen.queryByRole("button", { name: "Show device names" })).toBeNull();
  });

  it("opens the device test, and stores the choice made there", async () => {
    const media = fakeMedia([{ kind: "videoinput", deviceId: "a", label: "Front" }]);
    const { fake, user } = open(media as unknown as LocalMedia);
    await user.click(await screen.findByRole("button", { name: "Try camera and microphone" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Camera and microphone" }));
    const select = dialog.getByRole("combobox", { name: "Camera" });
    await within(select).findByRole("option", { name: "Front" });
    await user.selectOptions(select, "Front");
    await user.click(dialog.getByRole("switch", { name: "Echo cancellation" }));
    await user.click(dialog.getByRole("button", { name: "Use these" }));
    await waitFor(() =>
      expect(fake.warren.settings.get()).toMatchObject({ cameraId: "a", echoCancellation: false }),
    );
    expect(await screen.findByRole("option", { name: "Front", selected: true })).not.toBeNull();
    expect(media.open()).toEqual([]);
  });

  it("sets the quality of cameras and screens, and resets it", async () => {
    const { fake, user } = open(fakeMedia([]) as unknown as LocalMedia);
    await user.selectOptions(screen.getByRole("combobox", { name: "Camera quality" }), "High, 1080p");
    await user.selectOptions(screen.getByRole("combobox", { name: "Screen quality" }), "Sharp text");
    expect(fake.warren.settings.get()).toMatchObject({ cameraPreset: "high", screenPreset: "text" });
    await user.click(screen.getByRole("button", { name: "Reset to default: Camera quality" }));
    expect(fake.warren.settings.get().cameraPreset).toBe("standard");
  });

  it("disables switches that this browser does not support", async () => {
    const media = fakeMedia([]);
    media.supported = { echoCancellation: true };
    const { fake, user } = open(media as unknown as LocalMedia);
    const switches = ["Noise suppression", "Echo cancellation"].map((name) =>
      screen.getByRole("switch", { name }),
    );
    expect(switches.map((one) => one.getAttribute("aria-checked"))).toEqual(["false", "true"]);
    for (const one of switches) await user.click(one);
    expect(fake.warren.settings.get()).toMatchObject({ noiseSuppression: true, echoCancellation: false });
    expect(screen.getAllByText("Not available in this browser.")).toHaveLength(4);
  });

  it("keeps a selected device that is not connected", async () => {
    const media = Object.assign(new EventTarget(), {
      getSupportedConstraints: () => ({}),
      enumerateDevices: async () => [camera("a", "Front")],
    }) as unknown as LocalMedia;
    const { fake } = open(media);
    fake.setOptions({ cameraId: "gone" });
    expect(await screen.findByRole("option", { name: "Not connected", selected: true })).not.toBeNull();
  });
});
