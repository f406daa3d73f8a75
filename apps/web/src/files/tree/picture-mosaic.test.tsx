import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { TreeFile } from "@warren/protocol/tree";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { thumbnailOf } from "../../people/avatar-image.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { pngHeader } from "../../testing/png-header.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { PictureMosaic } from "./picture-mosaic.tsx";

vi.mock(import("../../people/avatar-image.ts"), async (original) => ({
  ...(await original()),
  thumbnailOf: vi.fn(),
}));

const png = pngHeader();
let count = 0;
let scrollIntoView = (): void => {};

class FakeObserver {
  constructor(onChange: IntersectionObserverCallback) {
    const entry = { isIntersecting: true } as IntersectionObserverEntry;
    scrollIntoView = () => onChange([entry], this as unknown as IntersectionObserver);
  }
  observe() {}
  disconnect() {}
}

beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", FakeObserver);
  vi.mocked(thumbnailOf).mockReset().mockResolvedValue("data:image/png;base64,iVBORw0KGgo=");
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show({ isStored = true, moreCount = 0 } = {}) {
  const fake = fakeWarren();
  // Thumbnails are cached, so each test uses its own pictures.
  const fid = `mosaic-${++count}`;
  fake.keepFile(fid, new File([png, png, png], "3 pictures"));
  const shown = ["a.png", "b.png", "c.png"].map((path, index): TreeFile => {
    const size = png.length;
    return { kind: "file", path, size, lastModified: 0, mimeType: "image/png", start: size * index };
  });
  const onPreview = vi.fn();
  const view = renderWithWarren(
    <PictureMosaic
      fid={fid}
      pictures={{ shown, moreCount }}
      isStored={isStored}
      label="3 pictures"
      onPreview={onPreview}
    />,
    fake,
  );
  return { ...view, onPreview };
}

const thumbnails = () => screen.queryAllByRole("presentation");

test("pictures are rendered once they are visible, and each opens its preview", async () => {
  const { user, onPreview } = show({ moreCount: 14 });
  expect(thumbnails()).toHaveLength(0);
  act(() => scrollIntoView());
  await waitFor(() => expect(thumbnails()).toHaveLength(3));
  expect(thumbnailOf).toHaveBeenCalledTimes(3);
  expect(screen.getByText("+14")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Preview: c.png, 14 more pictures" }));
  expect(onPreview.mock.calls[0]?.[0]).toMatchObject({ path: "c.png" });
});

test("space is reserved for pictures that have not been received, without buttons", async () => {
  show({ isStored: false });
  act(() => scrollIntoView());
  expect(screen.getAllByRole("listitem")).toHaveLength(3);
  expect(screen.queryByRole("button")).toBeNull();
  expect(thumbnailOf).not.toHaveBeenCalled();
});
