import type { KeyValueStorage } from "@warren/core";
import type { FileId } from "@warren/protocol";

const storageKey = "save_when_here";

let storage: KeyValueStorage | null = null;
let wanted = new Set<FileId>();

/** Restores the pending saves from before a reload. */
export function keepSavesIn(tabStorage: KeyValueStorage): void {
  storage = tabStorage;
  wanted = new Set(tabStorage.read(storageKey)?.split(" "));
}

/** Marks a file to be saved once it is complete. */
export function saveWhenHere(fid: FileId): void {
  wanted.add(fid);
  storage?.write(storageKey, [...wanted].join(" "));
}

/** Whether a completed file should be saved; true only once. */
export function takeSave(fid: FileId): boolean {
  if (!wanted.delete(fid)) return false;
  storage?.write(storageKey, [...wanted].join(" "));
  return true;
}
