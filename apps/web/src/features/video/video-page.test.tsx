import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LocalMedia } from "../../components/device-context.tsx";
import { fakeMedia } from "../../testing/fake-media.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { VideoPage } from "./video-page.tsx";

afterEach(cleanup);

const camera = (deviceId: string, label: string) => ({ kind: "videoinput", deviceId, label }) as const;

/** A camera's stream with one track, which notes whether it was let go. */
function cameraStream() {
  const track = Object.assign(new EventTarget(), { stop: vi.fn() });
  const stream = Object.assign(new MediaStream(), {
    getTracks: () => [track],
    getVideoTracks: () => [track],
    getAudioTracks: () => [],
  }) as unknown as MediaStream;
  return { stream, track };
}

function open(media: Partial<LocalMedia> | null) {
  const fake = fakeWarren();
  const device = { ...fakeDevice(), media: media as LocalMedia | null };
  return { fake, ...renderWithWarren(<VideoPage />, fake, { path: "/video", device }) };
}

describe("the stage", () => {
  it("says No Support outside a secure context", () => {
    open(null);
    expect(screen.getByRole("heading", { name: "No Support" })).not.toBeNull();
    expect(screen.getByText("Please use this function in a secure context")).not.toBeNull();
    expect(screen.queryByRole("button", { name: "Camera" })).toBeNull();
  });

  it("shows the chosen camera to oneself, and lets it go on Stop", async () => {
    const { stream, track } = cameraStream();
    const getUserMedia = vi.fn(async () => stream);
    const { fake, user } = open({ getUserMedia });
    fake.setOptions({ cameraId: "front" });
    await user.click(screen.getByRole("button", { name: "Camera" }));
    expect(await screen.findByText("Only you see this.")).not.toBeNull();
    expect(getUserMedia).toHaveBeenCalledWith({ video: { deviceId: { ideal: "front" } } });
    await user.click(screen.getByRole("button", { name: "Stop" }));
    expect(track.stop).toHaveBeenCalled();
    expect(screen.getByRole("heading", { name: "No Stream" })).not.toBeNull();
  });

  it("lets the camera go when the page is left, also while it was still starting", async () => {
    const { stream, track } = cameraStream();
    let answer = (_stream: MediaStream): void => {};
    const asked = new Promise<MediaStream>((resolve) => {
      answer = resolve;
    });
    const { user, unmount } = open({ getUserMedia: () => asked });
    await user.click(screen.getByRole("button", { name: "Camera" }));
    unmount();
    answer(stream);
    await waitFor(() => expect(track.stop).toHaveBeenCalled());
  });

  it("ends when the browser's own bar ends the shared screen", async () => {
    const { stream, track } = cameraStream();
    const { user } = open({ getDisplayMedia: async () => stream });
    await user.click(screen.getByRole("button", { name: "Screen" }));
    await screen.findByText("Only you see this.");
    track.dispatchEvent(new Event("ended"));
    expect(await screen.findByRole("heading", { name: "No Stream" })).not.toBeNull();
  });

  it.each([
    [
      "NotAllowedError",
      "The browser does not allow the camera. Allow it in the browser's settings for this page, then retry.",
    ],
    ["NotFoundError", "No camera found. Plug one in to use it."],
    [
      "NotReadableError",
      "The camera is in use elsewhere. Close the program or tab that uses it, then retry.",
    ],
    ["TypeError", "The camera did not start. Retry, or choose another one."],
  ])("says why after a %s", async (name, words) => {
    const getUserMedia = () => Promise.reject(new DOMException("busy", name));
    const { user } = open({ getUserMedia });
    await user.click(screen.getByRole("button", { name: "Camera" }));
    expect(await screen.findByText(words)).not.toBeNull();
  });

  it("asks for the screen's sound as the settings say, and says when it came", async () => {
    const sound = Object.assign(cameraStream().stream, { getAudioTracks: () => [{}] });
    const getDisplayMedia = vi.fn(async () => sound);
    const { fake, user } = open({ getDisplayMedia });
    fake.setOptions({ suppressLocalAudioPlayback: true });
    await user.click(screen.getByRole("button", { name: "Screen" }));
    expect(await screen.findByText("Your screen, with its sound")).not.toBeNull();
    expect(getDisplayMedia).toHaveBeenCalledWith({
      video: true,
      audio: { suppressLocalAudioPlayback: true },
    });
  });

  it("lets the camera go while devices are chosen, and goes on with the chosen one", async () => {
    const media = fakeMedia([camera("front", "Front"), camera("back", "Back")]);
    const { fake, user } = open(media as unknown as LocalMedia);
    await user.click(screen.getByRole("button", { name: "Camera" }));
    await screen.findByText("Only you see this.");
    await user.click(screen.getByRole("button", { name: "Choose devices" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Camera and microphone" }));
    await dialog.findByLabelText("Your camera", { selector: "video" });
    expect(media.open()).toEqual(["video"]);
    const select = dialog.getByRole("combobox", { name: "Camera" });
    await within(select).findByRole("option", { name: "Back" });
    await user.selectOptions(select, "Back");
    await user.click(dialog.getByRole("button", { name: "Use these" }));
    expect(await screen.findByText("Only you see this.")).not.toBeNull();
    expect(fake.warren.settings.get().cameraId).toBe("back");
    expect(media.asked.at(-1)).toEqual({ video: { deviceId: { ideal: "back" } } });
    expect(media.open()).toEqual(["video"]);
  });

  it("keeps nothing and goes on as before when choosing is cancelled", async () => {
    const media = fakeMedia([camera("front", "Front")]);
    const { fake, user } = open(media as unknown as LocalMedia);
    await user.click(screen.getByRole("button", { name: "Choose devices" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Camera and microphone" }));
    await user.click(dialog.getByRole("switch", { name: "Noise suppression" }));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(media.open()).toEqual([]));
    expect(fake.argsOf("updateOptions")).toEqual([]);
    expect(screen.getByRole("heading", { name: "No Stream" })).not.toBeNull();
  });

  it("says so where the browser shares no screens", async () => {
    const { user } = open({});
    await user.click(screen.getByRole("button", { name: "Screen" }));
    expect(await screen.findByText("This browser cannot share a screen.")).not.toBeNull();
  });
});
