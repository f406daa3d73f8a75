const gib = 1024 ** 3;

/** The next whole GiB that a file fits into: what the option `maxFileSize` is raised to for it. */
export function raisedLimit(sizeBytes: number): number {
  return Math.ceil(sizeBytes / gib) * gib;
}
