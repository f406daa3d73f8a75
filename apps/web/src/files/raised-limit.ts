const gib = 1024 ** 3;

/** The proposed new `maxFileSize` for a file: its size rounded up to whole GiB. */
export function raisedLimit(sizeBytes: number): number {
  return Math.ceil(sizeBytes / gib) * gib;
}
