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
  /** The files that are being saved. */
  readonly #taken = new Set<FileId>();
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

  has(fid: FileId): boolean {
    return this.#locations.has(fid);
  }

  /** The files that nobody saves yet. */
  get waiting(): readonly FileId[] {
    return [...this.#locations.keys()].filter((fid) => !this.#taken.has(fid));
  }

  /** Where a completed file should be saved, and null if nowhere; only once. It stays stored until {@link end}. */
  take(fid: FileId): SaveLocation | null {
    const location = this.#locations.get(fid);
    if (location === undefined || this.#taken.has(fid)) return null;
    this.#taken.add(fid);
    return location;
  }

  /** A file is saved, or will not be. */
  end(fid: FileId): void {
    this.#taken.delete(fid);
    if (this.#locations.delete(fid)) this.#changed();
  }

  stored(): string | null {
    return this.#locations.size > 0 ? [...this.#locations.keys()].join(" ") : null;
  }

  /** The downloads take the place of each chosen one: after a reload the browser would have to ask again. */
  restore(stored: string | null): void {
    for (const fid of stored?.split(" ").filter(Boolean) ?? []) this.#locations.set(fid, downloads);
  }
}
