/** Whether a picture from elsewhere may be rendered: raster formats cannot run scripts or fetch anything. */
export function isSafePicture(picture: unknown): picture is string {
  return typeof picture === "string" && /^data:image\/(?:png|jpeg|webp);base64,/.test(picture);
}
