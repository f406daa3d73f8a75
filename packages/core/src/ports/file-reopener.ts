/** Reopens files that a person picked before a reload, if the platform can. */
export interface FileReopener {
  /** A storable handle to find a picked file again; null if the platform has none. */
  handleOf(file: File): Promise<unknown>;
  /**
   * Opens the current version of a file from its stored handle; null if it is gone or may not be read.
   * @param options.ask whether a person has just requested it, so that the browser may ask for permission.
   */
  open(handle: unknown, options: { readonly ask: boolean }): Promise<File | null>;
}
