import type { FileReopener } from "../ports/file-reopener.ts";

/** A person's files by name, reopened as by a browser with file handles. */
export class FakeDisk implements FileReopener {
  /** The current files; a missing file gives no handle. */
  readonly files = new Map<string, File>();
  /** Whether the browser reads without a permission prompt. */
  permitted = true;

  async handleOf({ name }: File): Promise<unknown> {
    return this.files.has(name) ? { name } : null;
  }

  async open(handle: unknown, { ask }: { readonly ask: boolean }): Promise<File | null> {
    const { name } = handle as { readonly name: string };
    return this.permitted || ask ? (this.files.get(name) ?? null) : null;
  }
}

/** A file that is modified while being read: like in browsers, further reads then fail. */
export class EditedFile extends File {
  /** How many more reads succeed. */
  readsLeft = Number.POSITIVE_INFINITY;

  override slice(...range: Parameters<File["slice"]>): Blob {
    const part = super.slice(...range);
    const read = part.arrayBuffer.bind(part);
    part.arrayBuffer = () => {
      if (this.readsLeft-- > 0) return read();
      return Promise.reject(new DOMException("it changed", "NotReadableError"));
    };
    return part;
  }
}
