import { chunkCountOf } from "@warren/protocol";

type Sizes = { readonly fileSize: number; readonly chunkSize: number };

/** The start of a chunk in its file, in bytes. */
export function chunkStartOf(file: Sizes, chunk: number): number {
  return chunk * file.chunkSize;
}

/** The exact size of a chunk in bytes: `chunkSize`, or less for the last one. */
export function chunkLengthOf(file: Sizes, chunk: number): number {
  return Math.min(file.chunkSize, file.fileSize - chunkStartOf(file, chunk));
}

/** The bytes of `count` chunks of a file; `hasLast`: the last chunk is one of them. */
export function bytesOfChunks(file: Sizes, count: number, hasLast: boolean): number {
  const last = chunkCountOf(file.fileSize, file.chunkSize) - 1;
  return hasLast ? (count - 1) * file.chunkSize + chunkLengthOf(file, last) : count * file.chunkSize;
}

/** Whether two files are split into the same chunks. */
export function sameLayout(a: Sizes, b: Sizes): boolean {
  return a.fileSize === b.fileSize && a.chunkSize === b.chunkSize;
}
