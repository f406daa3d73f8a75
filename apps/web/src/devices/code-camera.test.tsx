import { act, cleanup } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { LocalMedia } from "../wiring/device-context.tsx";
import { CodeCamera } from "./code-camera.tsx";

afterEach(cleanup);

test("turns a camera off that was granted after it was closed", async () => {
  let grant = (_: Pick<MediaStream, "getTracks">): void => {};
  const granted = new Promise<Pick<MediaStream, "getTracks">>((resolve) => {
    grant = resolve;
  });
  const media = { getUserMedia: () => granted } as unknown as LocalMedia;
  const view = renderWithWarren(<CodeCamera onCode={() => {}} />, fakeWarren(), {
    device: { ...fakeDevice(), media },
  });
  view.unmount();
  const stop = vi.fn();
  const track: Partial<MediaStreamTrack> = { stop };
  await act(async () => grant({ getTracks: () => [track as MediaStreamTrack] }));
  expect(stop).toHaveBeenCalledTimes(1);
});
