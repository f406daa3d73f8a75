import { type ErrorCode, type ErrorDescription, type FileDescription, WarrenError } from "@warren/protocol";
import type { FileStorage } from "../ports/file-storage.ts";

/** The quota needed to assemble a file, as a multiple of its size: chunks and whole file exist side by side. */
const spaceFactors = { indexeddb: 2.2, opfs: 1.05, disk: 1, memory: 1 } as const;

/**
 * The errors of a full disk. Chromium's databases and file system then fail to open or write without giving a reason.
 */
const refusals: ReadonlySet<ErrorCode> = new Set(["storage-full", "db-not-initialized"]);
const refusalReasons: ReadonlySet<unknown> = new Set(["UnknownError", "InvalidStateError", "NotFoundError"]);

/** Whether storage may accept it once there is space again. */
export function isOutOfSpace({ code, values }: ErrorDescription): boolean {
  return refusals.has(code) || (code === "storage-failed" && refusalReasons.has(values.reason));
}

/**
 * Rejects with `not-enough-space` if a file would not fit. The browser's figure is a hint, so a shortage it does not
 * know of still fails with `storage-full` later.
 * @param started how many of its chunks are stored already; null if it was never started.
 */
export async function ensureSpace(
  storage: Pick<FileStorage, "kind" | "freeBytes">,
  { fileSize, chunkSize }: Pick<FileDescription, "fileSize" | "chunkSize">,
  started: { readonly chunks: number } | null,
): Promise<void> {
  // OPFS allocates a file's full length at the start and counts it in the usage. If it did not, opening it fails.
  if (storage.kind === "opfs" && started) return;
  const missingBytes = Math.max(0, fileSize - (started?.chunks ?? 0) * chunkSize);
  const neededBytes = Math.ceil(missingBytes * spaceFactors[storage.kind]);
  const freeBytes = await storage.freeBytes();
  if (freeBytes !== null && freeBytes < neededBytes)
    throw new WarrenError("not-enough-space", { neededBytes, freeBytes });
}
