import decodeQR from "qr/decode.js";

/** Finds the text of a QR code in a picture; null if there is none. The library throws for every picture without one. */
function textIn(picture: ImageData): string | null {
  try {
    return decodeQR(picture);
  } catch {
    return null;
  }
}

addEventListener("message", ({ data }: MessageEvent<ImageData>) => postMessage(textIn(data)));
