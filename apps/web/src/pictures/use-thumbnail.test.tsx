import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FileTile } from "../files/file-tile.tsx";
import { fakeWarren } from "../testing/fake-warren.ts";
import { pngHeader } from "../testing/png-header.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { thumbnailOf } from "./avatar-image.ts";
import { requestThumbnail } from "./use-thumbnail.ts";

vi.mock(import("./avatar-image.ts"), async (original) => ({
  ...(await original()),
  thumbnailOf: vi.fn(),
}));

const thumbnail = "data:image/png;base64,iVBORw0KGgo=";
const png = (name = "a.png") => new File([pngHeader()], name);
let count = 0;
/** Attempts are cached, so each test uses its own files. */
const newFid = () => `file-${++count}`;

beforeEach(() => {
  vi.mocked(thumbnailOf).mockReset().mockResolvedValue(thumbnail);
});
afterEach(cleanup);

const want = (fid: string, file: File | null) =>
  new Promise<string | null>((done) => {
    requestThumbnail({ key: fid, edgePx: 96, open: async () => file, done });
  });

describe("thumbnails", () => {
  test("are created for pictures only, whatever the file name says, and not for huge ones", async () => {
    expect(await want(newFid(), png())).toBe(thumbnail);
    expect(await want(newFid(), new File(["<svg onload=alert(1)>"], "a.png"))).toBeNull();
    const huge = Object.defineProperty(png(), "size", { value: 25_000_000 });
    expect(await want(newFid(), huge)).toBeNull();
    expect(await want(newFid(), null)).toBeNull();
    expect(thumbnailOf).toHaveBeenCalledTimes(1);
  });

  test("are created once, one at a time, the latest request first", async () => {
    const opened: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (fid: string) =>
      requestThumbnail({
        key: fid,
        edgePx: 96,
        open: () => {
          opened.push(fid);
          return new Promise((resolve) => ends.push(() => resolve(png())));
        },
        done: () => {},
      });
    const [first, gone, last] = [newFid(), newFid(), newFid()];
    ask(first);
    const cancel = ask(gone);
    ask(last);
    cancel();
    expect(opened).toEqual([first]);
    ends[0]?.();
    await expect.poll(() => opened).toEqual([first, last]);
    ends[1]?.();
    expect(await want(first, null)).toBe(thumbnail);
    expect(opened).not.toContain(gone);
  });
});

describe("a file's tile", () => {
  const tile = (fid: string, isWhole: boolean, fileName = "a.png") => (
    <FileTile file={{ fid, fileName, mimeType: "" }} isWhole={isWhole} />
  );

  test("shows the thumbnail of a complete picture, immediately if it is cached", async () => {
    const fake = fakeWarren();
    const fid = newFid();
    fake.keepFile(fid, png());
    renderWithWarren(tile(fid, true), fake);
    const picture = await screen.findByRole("presentation");
    expect(picture.getAttribute("src")).toBe(thumbnail);
    cleanup();
    renderWithWarren(tile(fid, true), fake);
    expect(screen.getByRole("presentation").getAttribute("src")).toBe(thumbnail);
  });

  test("keeps its icon while a picture is incomplete, and for other files", async () => {
    const fake = fakeWarren();
    const [fid, other] = [newFid(), newFid()];
    fake.keepFile(other, png());
    renderWithWarren(
      <>
        {tile(fid, false)}
        {tile(fid, true, "a.pdf")}
        {tile(other, true)}
      </>,
      fake,
    );
    await screen.findByRole("presentation");
    expect(screen.getAllByRole("presentation")).toHaveLength(1);
    expect(thumbnailOf).toHaveBeenCalledTimes(1);
  });
});
