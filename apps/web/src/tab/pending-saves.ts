import type { FileId } from "@warren/protocol";
import type { WritableFile, WritableFolder } from "../platform/files/folder-on-disk.ts";

/** Where a person wants files to be saved: as that file, in that folder, or with the downloads. */
export type SaveLocation =
  | { readonly kind: "file"; readonly file: WritableFile }
  | { readonly kind: "folder"; readonly folder: WritableFolder }
  | { readonly kind: "downloads" };

export const downloads: SaveLocation = { kind: "downloads" };

/** The files that this tab saves once they are complete, and where. */
export class PendingSaves {
  readonly #locations = new Map<FileId, SaveLocation>();
  readonly #changed: () => void;

  /** @param changed called after each change, so that a page that ends at any time has stored it. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Marks a file to be saved once it is complete. */
  add(fid: FileId, location: SaveLocation): void {
    this.#locations.set(fid, location);
    this.#changed();
  }

  /** Where a completed file should be saved, and null if nowhere; only once. */
  take(fid: FileId): SaveLocation | null {
    const location = this.#locations.get(fid);
    if (location === undefined) return null;
    this.#locations.delete(fid);
    this.#changed();
    return location;
  }

  stored(): string | null {
    return this.#locations.size > 0 ? [...this.#locations.keys()].join(" ") : null;
  }

  /** The downloads take the place of each chosen one: after a reload the browser would have to ask again. */
  restore(stored: string | null): void {
    for (const fid of stored?.split(" ").filter(Boolean) ?? []) this.#locations.set(fid, downloads);
  }
}
