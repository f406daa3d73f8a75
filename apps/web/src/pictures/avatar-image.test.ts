import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stubCanvas } from "../testing/fake-canvas.ts";
import {
  centredSquare,
  keepBits,
  offerThumbnail,
  pictureAsPng,
  pictureFromAddress,
  pictureFromFile,
  redrawnPicture,
  redrawnThumbnail,
  thumbnailOf,
} from "./avatar-image.ts";

describe("pictures", () => {
  it.each([
    [640, 480, { x: 80, y: 0, size: 480 }],
    [480, 641, { x: 0, y: 80, size: 480 }],
    [100, 100, { x: 0, y: 0, size: 100 }],
    [12_000, 3, { x: 5998, y: 0, size: 3 }],
  ])("are cropped to the central square of %i×%i", (width, height, square) => {
    expect(centredSquare(width, height)).toEqual(square);
  });

  it("are rejected unless they are images", async () => {
    const file = new File(["%PDF"], "me.pdf", { type: "application/pdf" });
    await expect(pictureFromFile(file)).rejects.toMatchObject({
      code: "invalid-avatar",
      message: "Please upload a valid image file",
    });
  });

  it("that cannot be read have another error than those that cannot be decoded", async () => {
    const gone = new File(["x"], "me.png", { type: "image/png" });
    gone.slice = () => {
      const blob = new Blob();
      blob.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotReadableError"));
      return blob;
    };
    await expect(pictureFromFile(gone)).rejects.toMatchObject({ code: "image-read-failed" });
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "me.png", "data:text/html,x"])(
    "are not fetched from %s",
    async (address) => {
      await expect(pictureFromAddress(address)).rejects.toMatchObject({ code: "image-load-failed" });
    },
  );

  it("keep black and white when colour depth is reduced", () => {
    const channels = new Uint8ClampedArray([0, 255, 128, 3, 252]);
    keepBits(channels, 1);
    expect([...channels]).toEqual([0, 255, 255, 0, 255]);
  });
});

describe("where a canvas is read as noise", () => {
  const dataUrl = `data:image/png;base64,${btoa(String.fromCharCode(...tinyPng()))}`;
  const pngFile = () => new File([tinyPng()], "me.png", { type: "image/png" });
  const gifFile = () => {
    const gif = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0];
    return new File([Uint8Array.from(gif)], "me.gif", { type: "image/gif" });
  };
  const unreadable = { code: "canvas-unreadable" };

  beforeEach(() => {
    stubCanvas((drawn) => drawn.map((channel) => channel ^ 0x55));
    vi.stubGlobal("Image", LoadedImage);
    vi.stubGlobal("FileReader", BlobReader);
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("a small PNG of one's own is used as it is, and another file is refused", async () => {
    expect(await pictureFromFile(pngFile())).toBe(dataUrl);
    await expect(pictureFromFile(gifFile())).rejects.toMatchObject(unreadable);
    const large = new File([tinyPng(), new Uint8Array(70_000)], "me.png", { type: "image/png" });
    await expect(pictureFromFile(large)).rejects.toMatchObject(unreadable);
  });

  it("the picture at an address is shown to oneself only, and a data URL is refused", async () => {
    expect(await pictureFromAddress("https://pictures.test/me.png")).toBe("https://pictures.test/me.png");
    await expect(pictureFromAddress(dataUrl)).rejects.toMatchObject(unreadable);
  });

  it("others have initials, and files no thumbnails", async () => {
    expect(await redrawnPicture(dataUrl)).toBeNull();
    expect(await redrawnThumbnail(dataUrl)).toBeNull();
    expect(await thumbnailOf(pngFile(), 96)).toBeNull();
    await expect(offerThumbnail([pngFile()])).rejects.toMatchObject(unreadable);
  });

  it("a PNG is copied as it is, and no other picture", async () => {
    expect((await pictureAsPng(pngFile())).size).toBe(tinyPng().length);
    await expect(pictureAsPng(gifFile())).rejects.toMatchObject(unreadable);
  });
});

/** The header of a PNG of 8×8, and its end. */
function tinyPng(): Uint8Array<ArrayBuffer> {
  const bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
  const header = [0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0, 0, 0, 0, 0];
  const end = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];
  return Uint8Array.from([...bytes, ...header, ...end]);
}

class LoadedImage {
  readonly naturalWidth = 8;
  readonly naturalHeight = 8;
  onload = () => {};
  readonly decode = async () => {};

  set src(_address: string) {
    queueMicrotask(() => this.onload());
  }
}

class BlobReader {
  result: string | null = null;
  onload = () => {};

  async readAsDataURL(blob: Blob): Promise<void> {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    this.result = `data:${blob.type};base64,${btoa(String.fromCharCode(...bytes))}`;
    this.onload();
  }
}
