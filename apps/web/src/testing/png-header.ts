/** The first 48 bytes of a PNG, including its size; at most 65,535 px per side. */
export function pngHeader(width = 2, height = 2): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(48);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}
