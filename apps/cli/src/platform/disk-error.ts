import { WarrenError } from "@warren/protocol";

const fullDisk: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** The code of a system error, such as `ENOENT`; null for any other value. */
export function systemCodeOf(thrown: unknown): string | null {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : null;
}

/** For what may not be there: null instead of the error that says so. */
export function nullIfMissing(thrown: unknown): null {
  if (systemCodeOf(thrown) === "ENOENT") return null;
  throw thrown;
}

/** Whether an error of the file system says that there is no space left. */
export function isFullDisk(thrown: unknown): boolean {
  return fullDisk.has(systemCodeOf(thrown) ?? "");
}

/** An error of the file system as storage reports it. */
export function storageErrorOf(thrown: unknown): WarrenError {
  if (thrown instanceof WarrenError) return thrown;
  if (isFullDisk(thrown)) return new WarrenError("storage-full", {}, { cause: thrown });
  const reason = systemCodeOf(thrown) ?? String(thrown);
  return new WarrenError("storage-failed", { reason }, { cause: thrown });
}
