import { type FileDescription, WarrenError } from "@warren/protocol";
import type { FileStorage } from "../ports/file-storage.ts";

/** What making a file whole needs of the quota, as a multiple of its size: chunks and whole file lie side by side. */
const spaceFactors = { indexeddb: 2.2, opfs: 1.05, memory: 1 } as const;

/**
 * Rejects with `not-enough-space` where a file would not fit. The browser's figure is a hint, so a shortage it does
 * not know of still ends in `storage-full` later.
 * @param storedChunks how many of its chunks are stored already.
 */
export async function ensureSpace(
  storage: Pick<FileStorage, "kind" | "freeBytes">,
  { fileSize, chunkSize }: FileDescription,
  storedChunks: number,
): Promise<void> {
  // There a file that was begun has its full length and is counted with it.
  if (storage.kind === "opfs" && storedChunks > 0) return;
  const missingBytes = Math.max(0, fileSize - storedChunks * chunkSize);
  const neededBytes = Math.ceil(missingBytes * spaceFactors[storage.kind]);
  const freeBytes = await storage.freeBytes();
  if (freeBytes !== null && freeBytes < neededBytes)
    throw new WarrenError("not-enough-space", { neededBytes, freeBytes });
}
