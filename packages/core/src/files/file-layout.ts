import { chunkCountOf } from "@warren/protocol";

type Sizes = { readonly fileSize: number; readonly chunkSize: number };

/** Where a chunk begins in its file, in bytes. */
export function chunkStartOf(file: Sizes, chunk: number): number {
  return chunk * file.chunkSize;
}

/** The exact bytes of a chunk: `chunkSize`, less for a file's last one. */
export function chunkLengthOf(file: Sizes, chunk: number): number {
  return Math.min(file.chunkSize, file.fileSize - chunkStartOf(file, chunk));
}

/** The bytes of so many chunks of a file, of which the last chunk may be one. */
export function bytesOfChunks(file: Sizes, count: number, hasLast: boolean): number {
  const last = chunkCountOf(file.fileSize, file.chunkSize) - 1;
  return hasLast ? (count - 1) * file.chunkSize + chunkLengthOf(file, last) : count * file.chunkSize;
}

/** Whether two files are cut into the same chunks. */
export function sameLayout(a: Sizes, b: Sizes): boolean {
  return a.fileSize === b.fileSize && a.chunkSize === b.chunkSize;
}
