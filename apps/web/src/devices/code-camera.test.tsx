import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { LocalMedia } from "../wiring/platform-context.ts";
import CodeCamera from "./code-camera.tsx";

afterEach(cleanup);

test("turns a camera off that was granted after it was closed", async () => {
  let grant = (_: Pick<MediaStream, "getTracks">): void => {};
  const granted = new Promise<Pick<MediaStream, "getTracks">>((resolve) => {
    grant = resolve;
  });
  const media = { getUserMedia: () => granted } as unknown as LocalMedia;
  const view = renderWithWarren(<CodeCamera onCode={() => {}} />, fakeWarren(), {
    platform: { ...fakePlatform(), media },
  });
  view.unmount();
  const stop = vi.fn();
  const track: Partial<MediaStreamTrack> = { stop };
  await act(async () => grant({ getTracks: () => [track as MediaStreamTrack] }));
  expect(stop).toHaveBeenCalledTimes(1);
});

test.each([
  ["NotAllowedError", /^The browser does not allow the camera\./],
  ["NotReadableError", /^The camera is in use elsewhere\./],
])("says why the camera did not start, and tries again by a press: %s", async (name, words) => {
  const getUserMedia = vi.fn(async () => {
    throw new DOMException("", name);
  });
  const media = { getUserMedia } as unknown as LocalMedia;
  const ready = vi.fn();
  const { user } = renderWithWarren(<CodeCamera onCode={() => {}} onReady={ready} />, fakeWarren(), {
    platform: { ...fakePlatform(), media },
  });
  expect(await screen.findByText(words)).toBeTruthy();
  expect(ready).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole("button", { name: "Retry the camera" }));
  expect(await screen.findByText(words)).toBeTruthy();
  expect(getUserMedia).toHaveBeenCalledTimes(2);
});

test("says that there is no camera, which no retry changes", async () => {
  renderWithWarren(<CodeCamera onCode={() => {}} />, fakeWarren(), {
    platform: { ...fakePlatform(), media: null },
  });
  expect(await screen.findByText(/^There is no camera here/)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});
