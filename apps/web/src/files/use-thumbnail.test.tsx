import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { thumbnailOf } from "../pictures/avatar-image.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { pngHeader } from "../testing/png-header.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { FileTile } from "./file-tile.tsx";
import { thumbnailOfFile } from "./use-thumbnail.ts";

vi.mock(import("../pictures/avatar-image.ts"), async (original) => ({
  ...(await original()),
  thumbnailOf: vi.fn(),
}));

const thumbnail = "data:image/png;base64,iVBORw0KGgo=";
const png = (name = "a.png") => new File([pngHeader()], name);

beforeEach(() => {
  vi.mocked(thumbnailOf).mockReset().mockResolvedValue(thumbnail);
});
afterEach(cleanup);

describe("thumbnails", () => {
  test("are created for pictures only, whatever the file name says, and not for huge ones", async () => {
    expect(await thumbnailOfFile(png(), 96)).toBe(thumbnail);
    expect(await thumbnailOfFile(new File(["<svg onload=alert(1)>"], "a.png"), 96)).toBeNull();
    const huge = Object.defineProperty(png(), "size", { value: 25_000_000 });
    expect(await thumbnailOfFile(huge, 96)).toBeNull();
    expect(await thumbnailOfFile(null, 96)).toBeNull();
    expect(thumbnailOf).toHaveBeenCalledTimes(1);
  });
});

describe("a file's tile", () => {
  const tile = (fid: string, isComplete: boolean, fileName = "a.png") => (
    <FileTile file={{ fid, fileName, mimeType: "" }} isComplete={isComplete} />
  );

  test("shows the thumbnail of a complete picture, immediately if it is cached", async () => {
    const fake = fakeWarren();
    const fid = "file";
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
    const [fid, other] = ["file", "other"];
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
