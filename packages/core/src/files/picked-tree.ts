/** A file picked with others. */
export interface PickedFile {
  /** Where it stands among them, with `/` between names. */
  readonly path: string;
  readonly file: File;
}

/** A folder with all that is in it, or many files, picked to be sent as one. */
export interface PickedTree {
  readonly kind: "folder" | "files";
  /** The folder's name, or what the files are called together. */
  readonly name: string;
  readonly files: readonly PickedFile[];
  /** The paths of folders with nothing in them. */
  readonly emptyFolders: readonly string[];
}
