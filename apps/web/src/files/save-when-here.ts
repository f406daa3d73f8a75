import type { KeyValueStorage } from "@warren/core";
import type { FileId } from "@warren/protocol";

const storageKey = "save_when_here";

let storage: KeyValueStorage | null = null;
let wanted = new Set<FileId>();

/** Takes up what was to be saved before the page was loaded again. */
export function keepSavesIn(tabStorage: KeyValueStorage): void {
  storage = tabStorage;
  wanted = new Set(tabStorage.read(storageKey)?.split(" "));
}

/** A person accepted a file and wants it saved once it is here. */
export function saveWhenHere(fid: FileId): void {
  wanted.add(fid);
  storage?.write(storageKey, [...wanted].join(" "));
}

/** Whether a file that is here now is to be saved; it is told once. */
export function takeSave(fid: FileId): boolean {
  if (!wanted.delete(fid)) return false;
  storage?.write(storageKey, [...wanted].join(" "));
  return true;
}
