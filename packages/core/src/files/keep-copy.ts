import { chunkCountOf, type FileDescription } from "@warren/protocol";
import type { Bytes, FileStorage } from "../ports/file-storage.ts";
import { digestOf, rootOf } from "./digests.ts";
import { chunkLengthOf, chunkStartOf } from "./file-layout.ts";
import type { FileSource } from "./file-source.ts";

/**
 * Copies a file into storage, where its record has still to be written.
 * @returns its root; null when `isWanted` no longer holds. Rejects as the source and the sink do; what was copied stays.
 */
export async function keepCopy(
  storage: Pick<FileStorage, "openSink">,
  description: FileDescription,
  source: FileSource,
  isWanted: () => boolean,
): Promise<string | null> {
  const sink = await storage.openSink(description.fid, description);
  try {
    const leaves: Bytes[] = [];
    const writing: Promise<void>[] = [];
    const count = chunkCountOf(description.fileSize, description.chunkSize);
    for (let chunk = 0; chunk < count; chunk++) {
      if (!isWanted()) return null;
      const start = chunkStartOf(description, chunk);
      const bytes = await source.read(start, start + chunkLengthOf(description, chunk));
      const digest = await digestOf(bytes);
      leaves.push(digest);
      const written = sink.write(chunk, bytes, digest);
      // Told by the await below, unless reading fails first.
      written.catch(() => {});
      writing.push(written);
    }
    await Promise.all(writing);
    await sink.finish();
    return await rootOf(description, leaves);
  } finally {
    await sink.close();
  }
}
