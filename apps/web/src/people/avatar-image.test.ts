import { describe, expect, it } from "vitest";
import { centredSquare, keepBits, pictureFromAddress, pictureFromFile } from "./avatar-image.ts";

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
