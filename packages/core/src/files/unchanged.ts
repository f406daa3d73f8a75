import { chunkCountOf, type FileDescription } from "@warren/protocol";
import { digestOf, sameDigest } from "./digests.ts";
import { chunkLengthOf, chunkStartOf } from "./file-layout.ts";
import type { FileSource } from "./file-source.ts";

/** A single read cannot mix two versions of a file. */
const atOnceBytes = 4 * 1024 * 1024;
/** How much is read again, little enough that checking takes no noticeable time. */
const sampleBytes = 16 * 1024 * 1024;

/**
 * Whether a picked file still matches its earlier reads, judged by some of its chunks including the first and the last.
 * Chromium refuses to read a file that has changed on disk; Firefox returns the current bytes under the file's old size
 * and time, so without this check a mixture would pass for the file.
 * Call it once every chunk has a digest. Rejects like the source.
 */
export async function isUnchanged(description: FileDescription, source: FileSource): Promise<boolean> {
  if (source.changed()) return false;
  if (source.place === "storage" || description.fileSize <= atOnceBytes) return true;
  const chunksAtOnce = Math.max(1, Math.floor(atOnceBytes / description.chunkSize));
  const sample = sampledChunks(description);
  for (let start = 0; start < sample.length; start += chunksAtOnce) {
    const same = await Promise.all(
      sample.slice(start, start + chunksAtOnce).map((chunk) => isSame(chunk, description, source)),
    );
    if (same.includes(false)) return false;
  }
  return true;
}

/** Chunks spread evenly over a file: all of a small one. */
function sampledChunks({ fileSize, chunkSize }: FileDescription): number[] {
  const last = chunkCountOf(fileSize, chunkSize) - 1;
  const steps = Math.min(last, Math.max(1, Math.floor(sampleBytes / chunkSize) - 1));
  return Array.from({ length: steps + 1 }, (_, step) => Math.floor((step * last) / steps));
}

async function isSame(chunk: number, description: FileDescription, source: FileSource): Promise<boolean> {
  const start = chunkStartOf(description, chunk);
  const bytes = await source.read(start, start + chunkLengthOf(description, chunk));
  const digest = source.digests.get(chunk);
  return digest !== undefined && sameDigest(await digestOf(bytes), digest);
}
