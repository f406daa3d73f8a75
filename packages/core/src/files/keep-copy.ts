import type { FileDescription } from "@warren/protocol";
import type { Bytes, FileStorage } from "../ports/file-storage.ts";
import { digestOf, rootOf } from "./digests.ts";
import type { FileSource } from "./file-source.ts";

/** The size of one read, as for sending: the page may be sending the file meanwhile, and each read costs the same. */
const readBytes = 4 * 1024 * 1024;

/**
 * Copies a file into storage; the caller writes its record.
 * @returns its root; null when `isWanted` becomes false. Rejects like the source and the sink; copied chunks remain.
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
    const { fileSize, chunkSize } = description;
    const chunksAtOnce = Math.max(1, Math.floor(readBytes / chunkSize));
    for (let start = 0; start < fileSize; start += chunksAtOnce * chunkSize) {
      if (!isWanted()) return null;
      const slice = await source.read(start, Math.min(fileSize, start + chunksAtOnce * chunkSize));
      for (let at = 0; at < slice.byteLength; at += chunkSize) {
        // The sink takes ownership of its input.
        const bytes = slice.slice(at, at + chunkSize);
        const digest = await digestOf(bytes);
        const written = sink.write(leaves.length, bytes, digest);
        // Handled by the await below, unless reading fails first.
        written.catch(() => {});
        leaves.push(digest);
        writing.push(written);
      }
    }
    await Promise.all(writing);
    await sink.finish();
    return await rootOf(description, leaves);
  } finally {
    await sink.close();
  }
}
