import type { KeyValueStorage } from "@warren/core";
import type { FileId } from "@warren/protocol";

const storageKey = "save_when_here";

/**
 * The files that this tab saves once they are complete. They are kept in the tab's storage only, so that a press before the code
 * that saves has loaded, and one before a reload, count alike.
 */
function pendingSaves(tabStorage: KeyValueStorage): Set<FileId> {
  return new Set(tabStorage.read(storageKey)?.split(" ").filter(Boolean));
}

function keep(tabStorage: KeyValueStorage, pending: ReadonlySet<FileId>): void {
  if (pending.size > 0) tabStorage.write(storageKey, [...pending].join(" "));
  else tabStorage.remove(storageKey);
}

/** Marks a file to be saved once it is complete. */
export function saveWhenHere(tabStorage: KeyValueStorage, fid: FileId): void {
  keep(tabStorage, pendingSaves(tabStorage).add(fid));
}

/** Whether a completed file should be saved; true only once. */
export function takeSave(tabStorage: KeyValueStorage, fid: FileId): boolean {
  const pending = pendingSaves(tabStorage);
  if (!pending.delete(fid)) return false;
  keep(tabStorage, pending);
  return true;
}
