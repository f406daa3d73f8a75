import type { FileId } from "@warren/protocol";
import type { WritableFile, WritableFolder } from "../platform/files/folder-on-disk.ts";

/** Where a person wants files to be saved: as that file, in that folder, or with the downloads. */
export type SavePlace =
  | { readonly kind: "file"; readonly file: WritableFile }
  | { readonly kind: "folder"; readonly folder: WritableFolder }
  | { readonly kind: "downloads" };

export const downloads: SavePlace = { kind: "downloads" };

/** The files that this tab saves once they are complete, and where. */
export class PendingSaves {
  readonly #places = new Map<FileId, SavePlace>();
  readonly #changed: () => void;

  /** @param changed called after each change, so that a page that ends at any time has stored it. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Marks a file to be saved once it is complete. */
  add(fid: FileId, place: SavePlace): void {
    this.#places.set(fid, place);
    this.#changed();
  }

  /** Where a completed file should be saved, and null if nowhere; only once. */
  take(fid: FileId): SavePlace | null {
    const place = this.#places.get(fid);
    if (place === undefined) return null;
    this.#places.delete(fid);
    this.#changed();
    return place;
  }

  stored(): string | null {
    return this.#places.size > 0 ? [...this.#places.keys()].join(" ") : null;
  }

  /** The downloads take the place of each chosen one: after a reload the browser would have to ask again. */
  restore(stored: string | null): void {
    for (const fid of stored?.split(" ").filter(Boolean) ?? []) this.#places.set(fid, downloads);
  }
}
