import { chunkCountOf, type FileDescription } from "@warren/protocol";
import type { StallWatch } from "../shared/stall-watch.ts";
import { digestOf, sameDigest } from "./digests/digests.ts";
import { chunkLengthOf, chunkStartOf } from "./file-layout.ts";
import type { FileSource } from "./file-source.ts";

/** How much is read again, in a few reads, little enough that checking takes no noticeable time. */
const readBytes = 4 * 1024 * 1024;
const readCount = 4;

/**
 * Whether a picked file still matches its earlier reads, judged by parts of it including the beginning and the end.
 * Chromium refuses to read a file that has changed on disk; Firefox returns the current bytes under the file's old size
 * and time, so without this check a mixture would pass for the file.
 * Call it once every chunk has a digest. Rejects like the source.
 */
export async function isUnchanged(
  description: FileDescription,
  source: FileSource,
  watch: Pick<StallWatch, "follow">,
): Promise<boolean> {
  if (source.changed()) return false;
  // A single read cannot mix two versions of a file.
  if (source.location === "storage" || description.fileSize <= description.chunkSize) return true;
  for (const [first, last] of sampledRuns(description))
    if (!(await watch.follow("read", isSame(first, last, description, source)))) return false;
  return true;
}

/** Runs of chunks spread evenly over a file. */
function sampledRuns({ fileSize, chunkSize }: FileDescription): (readonly [first: number, last: number])[] {
  const count = chunkCountOf(fileSize, chunkSize);
  const length = Math.min(count, Math.max(1, Math.floor(readBytes / chunkSize)));
  const runs = Math.min(readCount, Math.ceil(count / length));
  return Array.from({ length: runs }, (_, run) => {
    const first = Math.floor((run * (count - length)) / Math.max(1, runs - 1));
    return [first, first + length - 1] as const;
  });
}

async function isSame(
  first: number,
  last: number,
  description: FileDescription,
  source: FileSource,
): Promise<boolean> {
  const start = chunkStartOf(description, first);
  const end = chunkStartOf(description, last) + chunkLengthOf(description, last);
  const bytes = await source.read(start, end);
  for (let chunk = first; chunk <= last; chunk++) {
    const at = chunkStartOf(description, chunk) - start;
    const digest = await digestOf(bytes.subarray(at, at + chunkLengthOf(description, chunk)));
    const before = source.digests.get(chunk);
    if (before === undefined || !sameDigest(digest, before)) return false;
  }
  source.release(bytes);
  return true;
}
