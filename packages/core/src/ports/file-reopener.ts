/** Opens files again that a person picked before the page was reloaded, where the platform can. */
export interface FileReopener {
  /** What storage can keep to find a picked file again; null where the platform gives nothing of the kind. */
  handleOf(file: File): Promise<unknown>;
  /**
   * The file a kept handle stands for, as it is now; null where it is gone or may not be read.
   * @param options.ask whether a person has just asked for it, so that they may be asked for permission.
   */
  open(handle: unknown, options: { readonly ask: boolean }): Promise<File | null>;
}
