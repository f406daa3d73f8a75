/** A folder of the person's disk, to be read. */
export interface ReadableFolder {
  readonly name: string;
  /** What is in it now; rejects when it can not be read. */
  list(): Promise<readonly FolderItem[]>;
}

/** What is in a folder. */
export type FolderItem =
  | { readonly kind: "folder"; readonly folder: ReadableFolder }
  /** `open` rejects when the file is gone. */
  | { readonly kind: "file"; readonly name: string; open(): Promise<File> };

/** A folder of the person's disk that they gave to be written to. Names are those of files, without folders before them. */
export interface WritableFolder {
  /** Whether something of that name is there already. */
  has(name: string): Promise<boolean>;
  /** Opens a folder in it, made where there is none. */
  folder(name: string): Promise<WritableFolder>;
  /** Writes a file. @returns false where the browser does not allow a file of that name. */
  write(name: string, content: Blob): Promise<boolean>;
}
