import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { thumbnailOf } from "../../pictures/avatar-image.ts";
import { clientIdOf, fakeFile } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { pngHeader } from "../../testing/png-header.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { PictureMosaic } from "./picture-mosaic.tsx";
import { picturesOf } from "./tree-pictures.ts";

vi.mock(import("../../pictures/avatar-image.ts"), async (original) => ({
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

test("the number of further pictures covers no icon", () => {
  show({ isStored: false, moreCount: 14 });
  act(() => scrollIntoView());
  const hasIcon = screen.getAllByRole("listitem").map((item) => item.querySelector("svg") !== null);
  expect(hasIcon).toEqual([true, true, false]);
});

test("space is reserved for pictures that have not been received, without buttons", async () => {
  show({ isStored: false });
  act(() => scrollIntoView());
  expect(screen.getAllByRole("listitem")).toHaveLength(3);
  expect(screen.queryByRole("button")).toBeNull();
  expect(thumbnailOf).not.toHaveBeenCalled();
});

const file = (path: string, mimeType = ""): TreeEntry => ({
  kind: "file",
  path,
  size: 1,
  lastModified: 0,
  mimeType,
  start: 0,
});
const mara = clientIdOf(1);
/** Of a tree whose list is in its offer. */
const treePictures = (entries: readonly TreeEntry[]) =>
  picturesOf({ ...fakeFile(mara, mara, {}, { state: "offered" }, 1), manifest: "[]" }, entries);
const pathsOf = (entries: readonly TreeEntry[]) =>
  treePictures(entries)?.shown.map((picture) => picture?.path);

test("shows the first six pictures in list order, and counts the others", () => {
  const many = Array.from({ length: 20 }, (_, i) => file(`photo-${i + 1}.jpg`)).reverse();
  expect(pathsOf(many)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `photo-${n}.jpg`));
  expect(treePictures(many)?.moreCount).toBe(14);
  expect(treePictures(many.slice(0, 6))?.moreCount).toBe(0);
});

test("ignores files that cannot be rendered as a picture", () => {
  const mixed = [file("a.png"), file("b.heic", "image/heic"), file("c", "image/webp"), file("d.pdf")];
  expect(treePictures(mixed)).toMatchObject({ shown: [{ path: "a.png" }, { path: "c" }], moreCount: 0 });
});

test("shows pictures only if most files of the tree are pictures", () => {
  expect(treePictures([file("a.png")])).toBeNull();
  expect(
    treePictures([file("a.png"), file("b.png"), file("c.txt"), file("d.txt"), file("e.txt")]),
  ).toBeNull();
});

test("shows the first of very many pictures, and counts all", () => {
  const many = Array.from({ length: 3_000 }, (_, i) => file(`${String(i).padStart(4, "0")}.jpg`));
  expect(pathsOf(many)?.[0]).toBe("0000.jpg");
  expect(treePictures(many)?.moreCount).toBe(2_994);
});

test("keeps a place for pictures whose list comes with their bytes, and only for those that were announced", () => {
  const many = Array.from({ length: 2_500 }, (_, i) => file(`${String(i).padStart(4, "0")}.heic`));
  const summary = { kind: "folder", files: 2_500, folders: 0, manifestSize: 2, manifestDigest: "" } as const;
  const offerOf = (tree: typeof summary & { readonly pictures?: true }) =>
    fakeFile(mara, mara, { tree }, { state: "offered" }, 1);
  const announced = offerOf({ ...summary, pictures: true });
  expect(picturesOf(announced, null)).toEqual({ shown: Array(6).fill(null), moreCount: 2_494 });
  expect(picturesOf(announced, many)).toMatchObject({ shown: { length: 6 }, moreCount: 2_494 });
  expect(picturesOf(offerOf(summary), null)).toBeNull();
  expect(picturesOf(offerOf(summary), many)).toBeNull();
});
