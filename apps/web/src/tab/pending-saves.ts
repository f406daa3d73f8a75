import type { KeyValueStorage } from "@warren/core";
import type { FileId } from "@warren/protocol";
import type { WritableFile, WritableFolder } from "../platform/files/folder-on-disk.ts";

/** Where a person wants files to be saved: as that file, in that folder, or with the downloads. */
export type SavePlace =
  | { readonly kind: "file"; readonly file: WritableFile }
  | { readonly kind: "folder"; readonly folder: WritableFolder }
  | { readonly kind: "downloads" };

export const downloads: SavePlace = { kind: "downloads" };
const storageKey = "save_when_here";
/** Chosen places. After a reload the browser would have to ask again, so the downloads take their place. */
const chosen = new Map<FileId, SavePlace>();

/**
 * The files that this tab saves once they are complete. They are kept in the tab's storage, so that a press before the code
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
export function saveWhenHere(tabStorage: KeyValueStorage, fid: FileId, place: SavePlace): void {
  keep(tabStorage, pendingSaves(tabStorage).add(fid));
  chosen.set(fid, place);
}

/** Where a completed file should be saved, and null if nowhere; only once. */
export function takeSave(tabStorage: KeyValueStorage, fid: FileId): SavePlace | null {
  const pending = pendingSaves(tabStorage);
  if (!pending.delete(fid)) return null;
  keep(tabStorage, pending);
  const place = chosen.get(fid) ?? downloads;
  chosen.delete(fid);
  return place;
}
