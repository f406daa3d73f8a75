/** A folder of the user's disk that can be read. */
export interface ReadableFolder {
  readonly name: string;
  /** Its entries now; rejects if it cannot be read. */
  list(): Promise<readonly FolderItem[]>;
}

/** An entry of a folder. */
export type FolderItem =
  | { readonly kind: "folder"; readonly folder: ReadableFolder }
  /** `open` rejects when the file is gone. */
  | { readonly kind: "file"; readonly name: string; open(): Promise<File> };

/** A folder of the user's disk that can be written to. Names are single names, not paths. */
export interface WritableFolder {
  /** Whether the name is taken. */
  has(name: string): Promise<boolean>;
  /** Opens a folder in it, creating it if needed. */
  folder(name: string): Promise<WritableFolder>;
  /**
   * Writes a file.
   * @returns false if the browser does not allow a file of that name.
   */
  write(name: string, content: Blob): Promise<boolean>;
  /** Runs work while no other tab or save here writes to a folder: at once, two would find the same name free. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** A file of the user's disk that can be written. */
export interface WritableFile {
  readonly name: string;
  /** Replaces its content. */
  write(content: Blob): Promise<void>;
  /** Nothing is going to be written: removes the empty file that the picker made, where the browser can. */
  discard(): Promise<void>;
}
