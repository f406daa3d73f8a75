import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LocalMedia } from "../../components/device-context.tsx";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { VideoPage } from "./video-page.tsx";

afterEach(cleanup);

/** A camera's stream with one track, which notes whether it was let go. */
function cameraStream() {
  const track = Object.assign(new EventTarget(), { stop: vi.fn() });
  const stream = Object.assign(new MediaStream(), {
    getTracks: () => [track],
    getVideoTracks: () => [track],
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
    ["NotAllowedError", "The browser did not allow it, or you changed your mind."],
    ["NotFoundError", "No camera was found."],
    ["NotReadableError", "It could not be started: busy"],
  ])("says why after a %s", async (name, words) => {
    const getUserMedia = () => Promise.reject(new DOMException("busy", name));
    const { user } = open({ getUserMedia });
    await user.click(screen.getByRole("button", { name: "Camera" }));
    expect(await screen.findByText(words)).not.toBeNull();
  });

  it("says so where the browser shares no screens", async () => {
    const { user } = open({});
    await user.click(screen.getByRole("button", { name: "Screen" }));
    expect(await screen.findByText("This browser cannot share a screen.")).not.toBeNull();
  });
});
