import { WarrenError } from "@warren/protocol";

const fullDisk: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** The code of a system error, such as `ENOENT`; null for any other value. */
export function systemCodeOf(thrown: unknown): string | null {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : null;
}

/** An error of the file system as storage reports it. */
export function storageErrorOf(thrown: unknown): WarrenError {
  if (thrown instanceof WarrenError) return thrown;
  const code = systemCodeOf(thrown);
  if (code !== null && fullDisk.has(code)) return new WarrenError("storage-full", {}, { cause: thrown });
  return new WarrenError("storage-failed", { reason: code ?? String(thrown) }, { cause: thrown });
}
