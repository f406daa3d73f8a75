import { toWarrenError, WarrenError } from "@warren/protocol";

const lockRetryMs = 100;
const lockTimeoutMs = 5_000;

/**
 * Runs a file system operation. Rejects with `storage-full` when the quota is reached, otherwise
 * `storage-failed`.
 */
export async function inOpfs<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    const reason = failure instanceof Error ? failure.name : String(failure);
    if (reason === "QuotaExceededError") throw new WarrenError("storage-full", {}, { cause: failure });
    throw toWarrenError(failure, "storage-failed", { reason });
  }
}

/** The result of `work`, or null if its file or folder does not exist. */
export async function unlessMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (failure) {
    if (nameOf(failure) === "NotFoundError") return null;
    throw failure;
  }
}

/** Retries while another worker has the file open: that of a page just closed releases it a moment later. */
export async function whenUnlocked<T>(work: () => Promise<T>): Promise<T> {
  const deadlineMs = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (failure) {
      if (nameOf(failure) !== "NoModificationAllowedError" || performance.now() > deadlineMs) throw failure;
      await new Promise((resolve) => setTimeout(resolve, lockRetryMs));
    }
  }
}

function nameOf(failure: unknown): string | null {
  return failure instanceof Error ? failure.name : null;
}
