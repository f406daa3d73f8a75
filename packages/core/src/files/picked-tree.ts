/** A file picked with others. */
export interface PickedFile {
  /** Its path within the selection, with `/` between names. */
  readonly path: string;
  readonly file: File;
}

/** A folder with its contents, or several files, picked to be sent as one. */
export interface PickedTree {
  readonly kind: "folder" | "files";
  /** The folder's name, or a name for the files. */
  readonly name: string;
  readonly files: readonly PickedFile[];
  /** The paths of empty folders. */
  readonly emptyFolders: readonly string[];
}
