import { type ErrorCode, type FileDescription, WarrenError } from "@warren/protocol";
import type { FileStorage } from "../ports/file-storage.ts";

/** What making a file whole needs of the quota, as a multiple of its size: chunks and whole file lie side by side. */
const spaceFactors = { indexeddb: 2.2, opfs: 1.05, memory: 1 } as const;

/** What storage answers on a full disk. Chromium's databases and file system neither open nor write then, and do not say why. */
const refusals: ReadonlySet<ErrorCode> = new Set(["storage-full", "db-not-initialized"]);
const refusalReasons: ReadonlySet<unknown> = new Set(["UnknownError", "InvalidStateError", "NotFoundError"]);

/** Whether storage may take it once there is room again. */
export function isNoRoom({ code, values }: WarrenError): boolean {
  return refusals.has(code) || (code === "storage-failed" && refusalReasons.has(values.reason));
}

/**
 * Rejects with `not-enough-space` where a file would not fit. The browser's figure is a hint, so a shortage it does
 * not know of still ends in `storage-full` later.
 * @param begun how many of its chunks are stored already; null where it was never begun.
 */
export async function ensureSpace(
  storage: Pick<FileStorage, "kind" | "freeBytes">,
  { fileSize, chunkSize }: Pick<FileDescription, "fileSize" | "chunkSize">,
  begun: { readonly chunks: number } | null,
): Promise<void> {
  // There a file has its full length as soon as it is begun, and is counted with it. Where it has not, opening it says so.
  if (storage.kind === "opfs" && begun) return;
  const missingBytes = Math.max(0, fileSize - (begun?.chunks ?? 0) * chunkSize);
  const neededBytes = Math.ceil(missingBytes * spaceFactors[storage.kind]);
  const freeBytes = await storage.freeBytes();
  if (freeBytes !== null && freeBytes < neededBytes)
    throw new WarrenError("not-enough-space", { neededBytes, freeBytes });
}
