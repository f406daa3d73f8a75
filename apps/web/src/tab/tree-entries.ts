import { type FileMessage, openTree, type Warren } from "@warren/core";
import type { FileId } from "@warren/protocol";
import type { TreeEntry } from "@warren/protocol/tree";

/** How many trees are remembered. */
const knownMax = 20;

/** The entries of the trees seen last: their cards unmount and remount as the log scrolls. */
export class TreeEntries {
  readonly #files: Warren["files"];
  /** Latest last. */
  readonly #known = new Map<FileId, readonly TreeEntry[]>();

  constructor(files: Warren["files"]) {
    this.#files = files;
  }

  /** The entries of a tree that was read before; null otherwise. */
  known(fid: FileId): readonly TreeEntry[] | null {
    return this.#known.get(fid) ?? null;
  }

  /**
   * Reads the entries of a tree, from its offer or from its bytes; null if neither is here. Rejects with
   * `tree-invalid` or `tree-too-large`.
   */
  async read({
    file,
    manifest,
  }: Pick<FileMessage, "file" | "manifest">): Promise<readonly TreeEntry[] | null> {
    const known = this.known(file.fid);
    if (known !== null) return known;
    const entries =
      manifest === undefined ? await this.#readStream(file) : await this.#files.readManifest(manifest, file);
    if (entries !== null) this.#remember(file.fid, entries);
    return entries;
  }

  async #readStream(file: FileMessage["file"]): Promise<readonly TreeEntry[] | null> {
    const stream = await this.#files.open(file.fid);
    return stream && (await openTree(stream, file, this.#files.readManifest)).entries;
  }

  #remember(fid: FileId, entries: readonly TreeEntry[]): void {
    this.#known.set(fid, entries);
    for (const oldest of this.#known.keys()) if (this.#known.size > knownMax) this.#known.delete(oldest);
  }
}
